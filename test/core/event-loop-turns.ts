import { setImmediate as nextImmediate } from "node:timers/promises";
import { vi } from "vitest";

/** Time that passes between two readings of the clock inside `withTurns`, in milliseconds. */
const readingMs = 2;

/**
 * Makes a call. Returns its reply, and how often other work had its turn during the call. The clock
 * advances by 2 ms with each reading, so that the number of turns does not depend on the machine.
 */
export async function withTurns<T>(run: () => Promise<T>): Promise<{ reply: T; turns: number }> {
  // The mocked clock of an earlier call may have run ahead of the real clock. A time slice that
  // began on that clock would end too late. A turn of the event loop ends this slice now.
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
