import type { Clock } from "../../ports/clock.js";

/** Returns a function that returns the milliseconds since its last call, or since now. */
export function createLaps(clock: Clock): () => number {
  let lastMs = clock.nowMs();
  return () => {
    const nowMs = clock.nowMs();
    const lap = nowMs - lastMs;
    lastMs = nowMs;
    return lap;
  };
}
