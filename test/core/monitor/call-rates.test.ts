import { describe, expect, it } from "vitest";
import { anonymous } from "../../../src/core/model/principal.js";
import { DurationCounts, quantileMs } from "../../../src/core/monitor/call-durations.js";
import { LastMinute } from "../../../src/core/monitor/last-minute.js";
import type { EndedCall } from "../../../src/core/ports/ended-call.js";

const call: EndedCall = {
  path: "/vademecum.v1.MemoryProvider/Search",
  code: "OK",
  durationMs: 1,
  peer: "127.0.0.1:1",
  principal: anonymous,
  kind: "unary",
  mayLast: false,
  requestId: "r",
  requestBytes: 1,
  replyBytes: 1,
};

describe("quantiles of durations", () => {
  it("an estimate is within a factor of the square root of 2, from microseconds to a minute", () => {
    for (const durationMs of [0.13, 1, 1.4, 2, 17, 999, 60_000]) {
      const counts = new DurationCounts();
      for (let i = 0; i < 10; i++) counts.add(durationMs);
      const estimated = quantileMs(counts.counts, 0.5) ?? 0;
      expect(estimated / durationMs).toBeGreaterThan(Math.SQRT1_2 - 0.001);
      expect(estimated / durationMs).toBeLessThan(Math.SQRT2 + 0.001);
    }
  });

  it("the slowest call of a hundred is above the quantile 0.99, and the last two are not", () => {
    const counts = new DurationCounts();
    for (let i = 0; i < 99; i++) counts.add(1);
    counts.add(1000);
    expect(quantileMs(counts.counts, 0.99)).toBeLessThan(2);
    counts.add(1000);
    expect(quantileMs(counts.counts, 0.99)).toBeGreaterThan(500);
  });

  it("there is no quantile without durations, and a huge duration counts in the last bucket", () => {
    expect(quantileMs(new DurationCounts().counts, 0.5)).toBeUndefined();
    const counts = new DurationCounts();
    counts.add(1e9);
    expect(quantileMs(counts.counts, 0.5)).toBe(65_536);
  });
});

describe("the calls of the last minute", () => {
  it("calls count for a minute, and watches have no duration", () => {
    let nowMs = 0;
    const minute = new LastMinute(() => nowMs);
    nowMs = 30_000;
    for (let i = 0; i < 60; i++) minute.note(call);
    minute.note({ ...call, code: "INTERNAL" });
    minute.note({ ...call, code: "NOT_FOUND" });
    minute.note({ ...call, code: "CANCELLED", mayLast: true, durationMs: 1e6 });
    const { callsPerSecond, failures, p50Ms, p99Ms } = minute.rates();
    expect(callsPerSecond).toBeCloseTo(63 / 30);
    expect(failures).toBe(1);
    expect(p50Ms).toBeLessThan(1.5);
    expect(p99Ms).toBeLessThan(1.5);
    nowMs = 89_000;
    expect(minute.rates().callsPerSecond).toBeCloseTo(63 / 60);
    nowMs = 91_000;
    expect(minute.rates()).toEqual({ callsPerSecond: 0, failures: 0 });
  });
});
