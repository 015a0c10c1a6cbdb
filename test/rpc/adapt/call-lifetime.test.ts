import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { VademecumError } from "../../../src/core/model/errors.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lifetime(timeoutMs = 1000): {
  readonly call: CallLifetime;
  readonly cancellations: VademecumError[];
} {
  const cancellations: VademecumError[] = [];
  return { call: new CallLifetime(timeoutMs, (error) => cancellations.push(error)), cancellations };
}

describe("a call", () => {
  it("a call runs until its deadline, and the deadline cancels it once", () => {
    const { call, cancellations } = lifetime(1000);
    vi.advanceTimersByTime(999);
    call.throwIfEnded();
    expect(call.ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(cancellations).toMatchObject([
      { code: "DEADLINE_EXCEEDED", reason: "DEADLINE_EXCEEDED" },
    ]);
    expect(() => call.throwIfEnded()).toThrow(cancellations[0]);
    call.cancel(false);
    expect(call.finish()).toBe(false);
    expect(cancellations).toHaveLength(1);
  });

  it("a call runs for ever without a deadline", () => {
    const { call } = lifetime(Infinity);
    vi.advanceTimersByTime(1e12);
    expect(call.ended).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [false, "CANCELLED"],
    [true, "DEADLINE_EXCEEDED"],
  ])(
    "a call is cancelled when the client leaves before or after the deadline (deadline passed: %s)",
    (deadlinePassed, code) => {
      const { call, cancellations } = lifetime();
      call.cancel(deadlinePassed);
      expect(cancellations).toMatchObject([{ code }]);
      expect(call.cancelError).toBe(cancellations[0]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("a call can be answered once and leaves no timer behind", () => {
    const { call, cancellations } = lifetime();
    expect(call.finish()).toBe(true);
    expect(call.finish()).toBe(false);
    vi.advanceTimersByTime(1e6);
    call.cancel(false);
    expect(cancellations).toEqual([]);
    expect(call.cancelError).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("the signal of a call aborts at the end of the call, whether the signal was created before or after the end", () => {
    const { call, cancellations } = lifetime();
    const before = call.signal;
    expect(before.aborted).toBe(false);
    call.cancel(false);
    expect(before.reason).toBe(cancellations[0]);
    const { call: answered } = lifetime();
    answered.finish();
    expect(answered.signal.reason).toMatchObject({ code: "CANCELLED" });
  });
});
