import type { Clock } from "../core/ports/clock.js";

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
