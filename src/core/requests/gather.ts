/**
 * Maximum number of turns of the event loop to wait. Without it, a steady stream of calls would
 * never be served.
 */
const turnsMax = 16;

/**
 * Waits until a turn of the event loop has brought no more calls. `count` returns the number of
 * calls so far. Calls that wait for their turn (`createPause`) come one in a turn.
 */
export async function gatherCalls(count: () => number): Promise<void> {
  for (let turn = 0; turn < turnsMax; turn++) {
    const before = count();
    await new Promise((resolve) => setImmediate(resolve));
    if (count() === before) return;
  }
}
