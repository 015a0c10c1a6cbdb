import { expect, it } from "vitest";
import { Refusals } from "../../../src/rpc/traffic/refusals.js";

/** Refuses calls evenly over some seconds. Returns the waits of the last second, ascending. */
function waitsAfter({ perSecond, seconds }: { perSecond: number; seconds: number }): number[] {
  let nowMs = 0;
  const refusals = new Refusals(1_000, () => nowMs);
  const waits: number[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    waits.push(refusals.refuse("too many calls").retryAfterMs ?? Number.NaN);
    nowMs += 1_000 / perSecond;
  }
  return waits.slice(-perSecond).sort((a, b) => a - b);
}

it("a single refused call may come again after a second", () => {
  const error = new Refusals(1_000, () => 0).refuse("too many calls");
  expect(error).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" });
  expect(error.message).toBe("too many calls; nothing was done. Retry in 1000 ms");
});

it("refused calls come again later while more calls are refused, at most after 30 seconds", () => {
  const [few = 0] = waitsAfter({ perSecond: 10, seconds: 5 });
  const [many = 0] = waitsAfter({ perSecond: 1_000, seconds: 5 });
  const [tooMany = 0] = waitsAfter({ perSecond: 10_000, seconds: 2 });
  expect(few).toBeLessThan(1_200);
  expect(many).toBeGreaterThan(9_000);
  expect(tooMany).toBe(30_000);
});

it("calls that are refused together come again at different times", () => {
  const waits = waitsAfter({ perSecond: 100, seconds: 5 });
  expect(new Set(waits).size).toBeGreaterThan(80);
  expect((waits.at(-1) ?? 0) / (waits[0] ?? 1)).toBeGreaterThan(1.4);
});

it("refused calls come again soon when the overload is over", () => {
  let nowMs = 0;
  const refusals = new Refusals(1_000, () => nowMs);
  for (let i = 0; i < 5_000; i++) refusals.refuse("too many calls");
  nowMs += 15_000;
  expect(refusals.refuse("too many calls").retryAfterMs).toBeLessThanOrEqual(1_500);
});

it("the error of a refused call has no stack, and later errors have one", () => {
  expect(new Refusals(1_000, () => 0).refuse("too many calls").stack).not.toContain("\n");
  expect(new Error("another").stack).toContain("\n");
});
