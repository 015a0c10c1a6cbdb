import { expect, it } from "vitest";
import { ClockDifference } from "../../../src/store/postgres/session/clock-difference.js";

/** Creates a comparison, and the means to compare with a database that is `aheadMs` ahead. */
function createDifference() {
  let machineMs = 1_000_000;
  const logged: string[] = [];
  let changes = 0;
  const difference = new ClockDifference(
    { nowMs: () => machineMs },
    (level, message) => logged.push(`${level}: ${message}`),
    () => changes++,
  );
  const compare = (aheadMs: number, answerMs = 0) =>
    difference.compare(async () => {
      const now_ms = machineMs - aheadMs;
      machineMs += answerMs;
      return { now_ms };
    });
  return { difference, compare, logged, changes: () => changes };
}

it("the time that PostgreSQL takes to answer is no difference", async () => {
  const { difference, compare, logged } = createDifference();
  await compare(-60_000, 60_000);
  expect(difference.aheadMs).toBe(0);
  await compare(0, 60_000);
  expect(difference.aheadMs).toBe(0);
  expect(logged).toEqual([]);
});

it("a difference above one second is logged once, and again when the clocks agree", async () => {
  const { difference, compare, logged } = createDifference();
  for (const aheadMs of [900, 1_500, 2_000, 100]) await compare(aheadMs);
  expect(logged).toEqual([
    "warn: the machine's clock is 1.5 seconds ahead of that of PostgreSQL",
    "info: the clocks agree again",
  ]);
  expect(() => difference.requireClose()).not.toThrow();
});

it.each([31_000, -31_000])("with a difference of %s ms, calls are refused", async (aheadMs) => {
  const { difference, compare, changes } = createDifference();
  await compare(aheadMs);
  expect(() => difference.requireClose()).toThrow(
    expect.objectContaining({ code: "UNAVAILABLE", reason: "CLOCK_DIFFERS" }),
  );
  expect(changes()).toBe(1);
  await compare(0);
  expect(() => difference.requireClose()).not.toThrow();
  expect(changes()).toBe(2);
});
