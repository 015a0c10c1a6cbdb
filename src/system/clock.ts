import type { Clock } from "../core/clock.js";

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
