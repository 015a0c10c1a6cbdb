/** Limits of `gatherCalls`. */
export interface GatherLimits {
  /**
   * Maximum number of turns of the event loop to wait. Without it, a steady stream of calls would
   * never be served. Default 16.
   */
  readonly turnsMax?: number;
  /** Stops waiting once there are this many calls. Default: no limit. */
  readonly callsEnough?: number;
  /** Begins no further turn after this time, in milliseconds. Default: no limit. */
  readonly timeMs?: number;
}

/**
 * Waits until a turn of the event loop has brought no more calls, so that a burst of calls is
 * served together. `count` returns the number of calls so far. Calls that wait in `createPause`
 * arrive one by one, because each turn of the event loop resumes one of them.
 */
export async function gatherCalls(
  count: () => number,
  { turnsMax = 16, callsEnough = Infinity, timeMs = Infinity }: GatherLimits = {},
): Promise<void> {
  const endMs = performance.now() + timeMs;
  for (let turn = 0; turn < turnsMax; turn++) {
    const before = count();
    if (before >= callsEnough || performance.now() > endMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    if (count() === before) return;
  }
}
