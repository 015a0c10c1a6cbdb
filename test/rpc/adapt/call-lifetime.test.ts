import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { VademecumError } from "../../../src/core/model/errors.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lifetime(timeoutMs = 1000): {
  readonly call: CallLifetime;
  readonly cuts: VademecumError[];
} {
  const cuts: VademecumError[] = [];
  return { call: new CallLifetime(timeoutMs, (error) => cuts.push(error)), cuts };
}

describe("a call", () => {
  it("goes on until its deadline, which cuts it once", () => {
    const { call, cuts } = lifetime(1000);
    vi.advanceTimersByTime(999);
    call.throwIfEnded();
    expect(call.ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(cuts).toMatchObject([{ code: "DEADLINE_EXCEEDED", reason: "DEADLINE_EXCEEDED" }]);
    expect(() => call.throwIfEnded()).toThrow(cuts[0]);
    call.cancel(false);
    expect(call.finish()).toBe(false);
    expect(cuts).toHaveLength(1);
  });

  it("goes on for ever without a deadline", () => {
    const { call } = lifetime(Infinity);
    vi.advanceTimersByTime(1e12);
    expect(call.ended).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [false, "CANCELLED"],
    [true, "DEADLINE_EXCEEDED"],
  ])("is cut when the caller leaves (deadline passed: %s)", (deadlinePassed, code) => {
    const { call, cuts } = lifetime();
    call.cancel(deadlinePassed);
    expect(cuts).toMatchObject([{ code }]);
    expect(call.cutBy).toBe(cuts[0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("can be answered once, and leaves no timer behind", () => {
    const { call, cuts } = lifetime();
    expect(call.finish()).toBe(true);
    expect(call.finish()).toBe(false);
    vi.advanceTimersByTime(1e6);
    call.cancel(false);
    expect(cuts).toEqual([]);
    expect(call.cutBy).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("aborts a signal that was taken before it ended, and one that is taken after", () => {
    const { call, cuts } = lifetime();
    const before = call.signal;
    expect(before.aborted).toBe(false);
    call.cancel(false);
    expect(before.reason).toBe(cuts[0]);
    const { call: answered } = lifetime();
    answered.finish();
    expect(answered.signal.reason).toMatchObject({ code: "CANCELLED" });
  });
});
