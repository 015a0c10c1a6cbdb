import { expect, test } from "vitest";
import { contextWeights, lentShare } from "../../../src/index/thread/context-weights.js";
import { ThreadOrder } from "../../../src/index/thread/thread-order.js";

test("a turn of more than 20 terms lends words and vector to later turns in inverse proportion to its length", () => {
  expect([0, 1, 20, 40, 200].map((terms) => lentShare(terms, contextWeights))).toEqual([
    1, 1, 1, 0.5, 0.1,
  ]);
});

test("the share that a turn lends stays with the turn when rows are renumbered", () => {
  const threads = new ThreadOrder(() => "");
  for (let row = 0; row < 100; row++) {
    const createTime = { seconds: row, nanos: 0 };
    threads.add(
      row,
      { id: String(row), memoryType: "EPISODIC", threadId: "t", createTime },
      row / 100,
    );
  }
  threads.compact(Int32Array.of(7, 70, 99));
  expect([...threads.lends.subarray(0, 3)].map((share) => share.toFixed(2))).toEqual([
    "0.07",
    "0.70",
    "0.99",
  ]);
});
