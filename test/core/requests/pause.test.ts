import { expect, it } from "vitest";
import { createPause, nextTurn } from "../../../src/core/requests/pause.js";
import { withTurns } from "../event-loop-turns.js";

const pieces = 40;

/** Runs several works of many pieces at once. Returns how often other work had its turn. */
async function turnsOf(works: number): Promise<number> {
  const work = async () => {
    const pause = createPause();
    for (let piece = 0; piece < pieces; piece++) await pause();
  };
  const { turns } = await withTurns(() => Promise.all(Array.from({ length: works }, work)));
  return turns;
}

it("many long works at once leave as many turns to others as one after another", async () => {
  const alone = await turnsOf(1);
  expect(alone).toBeGreaterThan(pieces / 4);
  expect(await turnsOf(50)).toBeGreaterThan(40 * alone);
});

it("every long work gets its turn, in the order in which they paused", async () => {
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

it("a work whose call has ended stops after a pause", async () => {
  const ended = new Error("the call has ended");
  const work = async () => {
    const pause = createPause(() => {
      throw ended;
    });
    for (;;) await pause();
  };
  await expect(work()).rejects.toBe(ended);
});
