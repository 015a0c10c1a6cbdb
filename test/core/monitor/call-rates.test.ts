import { describe, expect, it } from "vitest";
import { anonymous } from "../../../src/core/model/principal.js";
import { DurationCounts, quantileMs } from "../../../src/core/monitor/call-durations.js";
import { ratesOf } from "../../../src/core/monitor/call-rates.js";
import { CallTotals } from "../../../src/core/monitor/call-totals.js";
import type { ServerSample } from "../../../src/core/monitor/server-history.js";
import type { EndedCall } from "../../../src/core/ports/ended-call.js";

const call: EndedCall = {
  path: "/vademecum.v1.MemoryProvider/Search",
  code: "OK",
  durationMs: 1,
  peer: "127.0.0.1:1",
  principal: anonymous,
  kind: "unary",
  mayLast: false,
  ...{ waitedMs: 0, workedMs: 0, rows: 0 },
  requestId: "r",
  requestBytes: 1,
  replyBytes: 1,
};

const sample = {
  ...{ commits: 0, syncMs: 0, residentBytes: 0, indexBytes: 0, hotCollections: 0 },
  ...{ openCalls: 0, loopDelayMs: 0 },
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
    const totals = new CallTotals();
    const samples: ServerSample[] = [];
    let nowMs = 0;
    const pass = (untilMs: number): void => {
      for (; nowMs < untilMs; nowMs += 10_000)
        samples.push({ ...sample, ...totals.now(), timeMs: nowMs });
    };
    const rates = () => ratesOf(totals, { nowMs, startMs: 0, samples });
    pass(30_000);
    for (let i = 0; i < 60; i++) totals.note(call);
    totals.note({ ...call, code: "INTERNAL" });
    totals.note({ ...call, code: "NOT_FOUND" });
    totals.note({ ...call, code: "CANCELLED", mayLast: true, durationMs: 1e6 });
    const { callsPerSecond, failures, p50Ms, p99Ms } = rates();
    expect(callsPerSecond).toBeCloseTo(63 / 30);
    expect(failures).toBe(1);
    expect(p50Ms).toBeLessThan(1.5);
    expect(p99Ms).toBeLessThan(1.5);
    pass(80_000);
    expect(rates().callsPerSecond).toBeCloseTo(63 / 60);
    pass(100_000);
    expect(rates()).toEqual({ callsPerSecond: 0, failures: 0 });
  });
});
