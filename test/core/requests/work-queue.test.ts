import { expect, it } from "vitest";
import { WorkQueue } from "../../../src/core/requests/work-queue.js";

it("a work queue runs one piece of work at a time, in order, even after a failure", async () => {
  const queue = new WorkQueue();
  let running = 0;
  const order: number[] = [];
  const work = (number: number) => async () => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running -= 1;
    order.push(number);
    if (number === 1) throw new Error("failed");
    return number;
  };
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => queue.run(work(number))));
  expect(order).toEqual([1, 2, 3]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});
