import type { Clock } from "../core/ports/clock.js";
import { believedJumpMs } from "./clock-trust.js";

/** The clock by which credentials expire. */
export interface ExpiryClock extends Clock {
  /** Notes the time of the newest commit, once the data is open; 0 if there is none. */
  noteCommit(newestMs: number): void;
}

/**
 * Creates a clock for the expiry of credentials: the later of the machine's time, and of the latest
 * time that it remembers. So credentials stay expired when the machine's clock is set back. A time
 * far beyond the data is not remembered: otherwise one wrong hour would lock everybody out for as
 * long as the clock was ahead.
 *
 * @param machine the machine's clock, which may jump either way
 * @param monotonicMs milliseconds of a clock that never jumps, counted from any moment
 */
export function createExpiryClock(machine: Clock, monotonicMs: () => number): ExpiryClock {
  let latestMs = 0;
  /** The greatest time to remember, as the difference to the monotonic clock. */
  let believedMs = -Infinity;
  return {
    nowMs() {
      const nowMs = machine.nowMs();
      latestMs = Math.max(latestMs, Math.min(nowMs, believedMs + monotonicMs()));
      return Math.max(nowMs, latestMs);
    },
    noteCommit(newestMs) {
      latestMs = Math.max(latestMs, newestMs);
      believedMs = (newestMs || machine.nowMs()) + believedJumpMs - monotonicMs();
    },
  };
}
