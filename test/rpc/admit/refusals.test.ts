import { expect, it } from "vitest";
import { Refusals } from "../../../src/rpc/admit/refusals.js";

/** Refuses calls evenly over some seconds. Returns the waits of the last second, ascending. */
function waitsAfter({ perSecond, seconds }: { perSecond: number; seconds: number }): number[] {
  let nowMs = 0;
  const refusals = new Refusals(1_000, () => nowMs);
  const waits: number[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    waits.push(refusals.refusalOf("too many calls").retryAfterMs ?? Number.NaN);
    nowMs += 1_000 / perSecond;
  }
  return waits.slice(-perSecond).sort((a, b) => a - b);
}

it("the caller of a single refused call retries after a second", () => {
  const error = new Refusals(1_000, () => 0).refusalOf("too many calls");
  expect(error).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" });
  expect(error.message).toBe("too many calls; nothing was done. Retry in 1000 ms");
});

it("callers retry later while more calls are refused, at most after 10 seconds", () => {
  const few = waitsAfter({ perSecond: 10, seconds: 5 });
  const many = waitsAfter({ perSecond: 400, seconds: 5 });
  const tooMany = waitsAfter({ perSecond: 10_000, seconds: 2 });
  expect(few[0]).toBeLessThan(1_200);
  expect(many[0]).toBeGreaterThan(4_000);
  expect(many.at(-1)).toBeLessThan(8_000);
  expect(tooMany.at(-1)).toBeGreaterThan(9_900);
  expect(tooMany.at(-1)).toBeLessThanOrEqual(10_000);
});

it("callers with too many calls of their own do not make others retry later", () => {
  const refusals = new Refusals(1_000, () => 0);
  for (let i = 0; i < 1_000; i++)
    expect(refusals.refusalOfCaller("too many calls").retryAfterMs).toBeLessThanOrEqual(1_500);
  expect(refusals.refusalOf("too many calls").retryAfterMs).toBeLessThanOrEqual(1_500);
});

it("callers that are refused together retry at different times, even when all of them wait about the longest time", () => {
  for (const perSecond of [100, 10_000]) {
    const waits = waitsAfter({ perSecond, seconds: 2 });
    expect(new Set(waits).size).toBeGreaterThan(80);
    expect((waits.at(-1) ?? 0) / (waits[0] ?? 1)).toBeGreaterThan(1.4);
  }
});

it("callers retry soon when the overload is over", () => {
  let nowMs = 0;
  const refusals = new Refusals(1_000, () => nowMs);
  for (let i = 0; i < 5_000; i++) refusals.refusalOf("too many calls");
  nowMs += 15_000;
  expect(refusals.refusalOf("too many calls").retryAfterMs).toBeLessThanOrEqual(1_500);
});

it("the error of a refused call has no stack trace, and later errors have one", () => {
  expect(new Refusals(1_000, () => 0).refusalOf("too many calls").stack).not.toContain("\n");
  expect(new Error("another").stack).toContain("\n");
});
