import type { Timer } from "../core/timer.js";

/** The timers of this process. */
export const systemTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timeout);
  },
};
