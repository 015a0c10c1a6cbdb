import type { Timer } from "../../src/core/ports/timer.js";

/** A timer whose time passes when a test says so. */
export interface ManualTimer extends Timer {
  /** Delays of what waits, in milliseconds. */
  readonly waiting: readonly number[];
  /** Lets so many milliseconds pass. */
  pass(ms: number): void;
}

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
