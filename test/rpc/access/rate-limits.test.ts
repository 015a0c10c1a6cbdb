import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import type { PrincipalLimits } from "../../../src/core/model/principal-limits.js";
import { createRateLimits } from "../../../src/rpc/access/rate-limits.js";

const withLimits = (limits: PrincipalLimits, name = "key:ann"): Principal => ({
  ...anonymous,
  name,
  limits,
});

describe("rates", () => {
  it("a rate of 10 calls a second lets a burst pass, and then one call every 100 ms", () => {
    let nowMs = 0;
    const rates = createRateLimits(() => nowMs);
    const ann = withLimits({ callsPerSecond: 10, burst: 3 });
    for (let call = 0; call < 3; call++) rates.countCall(ann);
    expect(() => rates.countCall(ann)).toThrow(
      expect.objectContaining({ reason: "RATE_EXCEEDED", retryAfterMs: 100 }),
    );
    nowMs = 99;
    expect(() => rates.countCall(ann)).toThrow("have used up their rate");
    nowMs = 101;
    rates.countCall(ann);
    expect(() => rates.countCall(ann)).toThrow();
  });

  it("each principal has a rate of its own, and a principal without limits has none", () => {
    const rates = createRateLimits(() => 0);
    rates.countCall(withLimits({ callsPerSecond: 1 }));
    expect(() => rates.countCall(withLimits({ callsPerSecond: 1 }))).toThrow();
    rates.countCall(withLimits({ callsPerSecond: 1 }, "key:bob"));
    for (let call = 0; call < 1_000; call++) rates.countCall(anonymous);
  });

  it("a rate lets a large request pass, but then makes its sender wait until the average is within the rate", () => {
    let nowMs = 0;
    const rates = createRateLimits(() => nowMs);
    const ann = withLimits({ bytesPerSecond: 1_000 });
    rates.countBytes(ann, 5_000);
    nowMs = 4_000;
    expect(() => rates.countBytes(ann, 1)).toThrow();
    nowMs = 4_001;
    rates.countBytes(ann, 1);
  });

  it("a rate never lets more calls pass than the burst plus the calls per second", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(300), { maxLength: 200 }),
        (callsPerSecond, burst, pausesMs) => {
          let nowMs = 0;
          const rates = createRateLimits(() => nowMs);
          const ann = withLimits({ callsPerSecond, burst });
          let passed = 0;
          for (const pauseMs of pausesMs) {
            nowMs += pauseMs;
            try {
              rates.countCall(ann);
              passed++;
            } catch {
              // A refused call does not count.
            }
          }
          expect(passed).toBeLessThanOrEqual(burst + (nowMs * callsPerSecond) / 1000 + 1e-6);
        },
      ),
    );
  });
});
