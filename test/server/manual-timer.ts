import type { Timer } from "../../src/core/ports/timer.js";

/** A timer whose time passes only when a test calls `pass`. */
export interface ManualTimer extends Timer {
  /** The delays of pending calls, in milliseconds. */
  readonly waiting: readonly number[];
  /** Advances the time by `ms` milliseconds and runs the calls that are due. */
  pass(ms: number): void;
}

/** Creates a timer with no pending calls. */
export function createManualTimer(): ManualTimer {
  let nowMs = 0;
  const pending = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  return {
    after(delayMs, run) {
      const entry = { dueMs: nowMs + delayMs, run };
      pending.add(entry);
      return () => pending.delete(entry);
    },
    get waiting() {
      return [...pending].map(({ dueMs }) => dueMs - nowMs);
    },
    pass(ms) {
      nowMs += ms;
      for (const entry of [...pending].filter(({ dueMs }) => dueMs <= nowMs)) {
        pending.delete(entry);
        entry.run();
      }
    },
  };
}
