import { expect, it } from "vitest";
import { createExpiryClock } from "../../src/system/expiry-clock.js";

const dayMs = 24 * 60 * 60 * 1000;
const startMs = Date.parse("2026-11-24T12:00:00Z");

function createClock(newestMs: number) {
  const now = { machineMs: startMs, monotonicMs: 0 };
  const clock = createExpiryClock({ nowMs: () => now.machineMs }, () => now.monotonicMs);
  clock.noteCommit(newestMs);
  return { now, clock };
}

it("what has expired stays expired when the machine's clock is set back", () => {
  const { now, clock } = createClock(startMs - dayMs);
  expect(clock.nowMs()).toBe(startMs);
  now.machineMs += 2 * dayMs;
  expect(clock.nowMs()).toBe(startMs + 2 * dayMs);
  now.machineMs = startMs;
  expect(clock.nowMs()).toBe(startMs + 2 * dayMs);
});

it("what has expired stays expired over a restart, as far as the data shows the time", () => {
  const { now, clock } = createClock(startMs);
  now.machineMs -= dayMs;
  expect(clock.nowMs()).toBe(startMs);
});

it("a clock that was once 400 days ahead locks nobody out after it is right again", () => {
  const { now, clock } = createClock(startMs);
  now.machineMs += 400 * dayMs;
  expect(clock.nowMs()).toBe(startMs + 400 * dayMs);
  now.machineMs = startMs;
  expect(clock.nowMs()).toBe(startMs + 30 * dayMs);
});

it("an old server remembers times as a new one does", () => {
  const { now, clock } = createClock(startMs);
  now.machineMs += 90 * dayMs;
  now.monotonicMs += 90 * dayMs;
  expect(clock.nowMs()).toBe(startMs + 90 * dayMs);
  now.machineMs -= dayMs;
  expect(clock.nowMs()).toBe(startMs + 90 * dayMs);
});
