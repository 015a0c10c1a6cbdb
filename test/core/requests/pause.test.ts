import { expect, it } from "vitest";
import { createPause, nextTurn } from "../../../src/core/requests/pause.js";
import { withTurns } from "../event-loop-turns.js";

const pieces = 40;

/** Runs several jobs of many pieces side by side. Returns how often other work got a turn. */
async function turnsOf(jobs: number): Promise<number> {
  const job = async () => {
    const pause = createPause();
    for (let piece = 0; piece < pieces; piece++) await pause();
  };
  const { turns } = await withTurns(() => Promise.all(Array.from({ length: jobs }, job)));
  return turns;
}

it("50 long jobs side by side give other work about 50 times as many turns as one job does", async () => {
  const alone = await turnsOf(1);
  expect(alone).toBeGreaterThan(pieces / 4);
  expect(await turnsOf(50)).toBeGreaterThan(40 * alone);
});

it("long jobs continue in the order in which they paused", async () => {
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (number) => {
      await nextTurn();
      order.push(number);
      await nextTurn();
      order.push(number);
    }),
  );
  expect(order).toEqual([1, 2, 3, 1, 2, 3]);
});

it("a job of a cancelled call stops at its next pause", async () => {
  const ended = new Error("the call has ended");
  const job = async () => {
    const pause = createPause(() => {
      throw ended;
    });
    for (;;) await pause();
  };
  await expect(job()).rejects.toBe(ended);
});
