import type { Matcher } from "../filter/matcher.js";
import type { Memory } from "../model/memory.js";
import { nextTurn } from "../requests/pause.js";

/** Time that a filter may hold the process before other calls get their turn, in milliseconds. */
const turnMs = 20;

/** A filter has held the process for its time. `readInTurns` reads again. */
class TurnOver extends Error {}

/**
 * Makes a filter that ends its turn every 20 ms of work, by an error out of the read that it is a
 * part of. It remembers the verdicts, so the next read goes on where this one ended. Requires:
 * every read is within `readInTurns`.
 */
export function matchInTurns(matches: Matcher): Matcher {
  const verdicts = new Map<string, { readonly version: number; readonly passes: boolean }>();
  let spentMs = 0;
  return (memory: Memory) => {
    const { id, version } = memory;
    const known = verdicts.get(id);
    if (known?.version === version) return known.passes;
    if (spentMs > turnMs) {
      spentMs = 0;
      throw new TurnOver();
    }
    const startMs = performance.now();
    const passes = matches(memory);
    spentMs += performance.now() - startMs;
    verdicts.set(id, { version, passes });
    return passes;
  };
}

/** Reads an index, again after each turn of a filter. Other calls get their turn in between. */
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
