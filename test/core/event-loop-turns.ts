import { setImmediate as nextImmediate } from "node:timers/promises";
import { vi } from "vitest";

/** Time that passes between two readings of the clock inside `withTurns`, in milliseconds. */
const readingMs = 2;

/**
 * Returns the reply of a call, and how often other work had its turn meanwhile. During the call,
 * the clock advances by 2 ms with each reading, so that the number of turns does not depend on the
 * machine.
 */
export async function withTurns<T>(run: () => Promise<T>): Promise<{ reply: T; turns: number }> {
  // Ends the time slice of an earlier call, which may have begun while the clock was ahead.
  await nextImmediate();
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += readingMs));
  let turns = 0;
  let isRunning = true;
  const countTurn = () => {
    turns += 1;
    if (isRunning) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  try {
    return { reply: await run(), turns };
  } finally {
    isRunning = false;
    clock.mockRestore();
  }
}
