import type { Matcher } from "../filter/matcher.js";
import type { Memory } from "../model/memory.js";
import { nextTurn } from "../requests/pause.js";

/**
 * Time that a filter may block the event loop before other calls get their turn, in milliseconds.
 */
const turnMs = 20;

/** Ends a read when its filter has used up its turn. `readInTurns` then reads again. */
class TurnOver extends Error {}

/**
 * Wraps a filter so that it ends its turn after 20 ms of work: it throws, which ends the read that
 * called it. It remembers its verdicts, so the next read continues where this one ended. Requires:
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
