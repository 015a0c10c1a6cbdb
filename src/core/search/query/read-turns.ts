import type { Memory } from "../../model/memory.js";
import { nextTurn } from "../../requests/pause.js";

/**
 * Length of a turn, in milliseconds. A turn is the time for which one read may block the event loop
 * before other calls run. Each turn repeats the ranking, so shorter turns would cost more.
 */
const turnMs = 10;

/** Ends a read that has used up its turn. `readInTurns` then reads again. */
class TurnOver extends Error {}

/**
 * Wraps slow work on a memory, such as a filter. After 10 ms, the wrapped work throws, which ends
 * the read that called it. The results of the work are kept, so the next read continues where the
 * last read ended. Requires: every read is within `readInTurns`.
 */
export function workInTurns<T>(work: (memory: Memory) => T): (memory: Memory) => T {
  const results = new Map<string, { readonly version: number; readonly result: T }>();
  let spentMs = 0;
  return (memory: Memory) => {
    const { id, version } = memory;
    const known = results.get(id);
    if (known?.version === version) return known.result;
    if (spentMs > turnMs) {
      spentMs = 0;
      throw new TurnOver();
    }
    const startMs = performance.now();
    const result = work(memory);
    spentMs += performance.now() - startMs;
    results.set(id, { version, result });
    return result;
  };
}

/**
 * Calls `read` until it ends within one turn. Other calls run between the attempts. Each attempt
 * gets further than the one before, because `workInTurns` keeps the results of its work.
 */
export async function readInTurns<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof TurnOver)) throw error;
    }
    await nextTurn();
  }
}
