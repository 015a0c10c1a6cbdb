import fc from "fast-check";
import { expect, test } from "vitest";
import { createSteadyClock, readRegularly } from "../../src/system/steady-clock.js";
import { createManualTimer } from "../server/manual-timer.js";
import { propertyRuns } from "../suite.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 0, 1);

/** A machine whose clock the test sets, and a steady clock over it. */
function createMachine(dataMs = 0) {
  let machineMs = startMs;
  let monotonicMs = 0;
  const logged: string[] = [];
  const clock = createSteadyClock({
    machine: { nowMs: () => machineMs },
    monotonicMs: () => monotonicMs,
    latestMs: dataMs,
    log: (level, message) => logged.push(`${level} ${message}`),
  });
  return {
    clock,
    logged,
    pass: (ms: number) => {
      machineMs += ms;
      monotonicMs += ms;
    },
    set: (ms: number) => {
      machineMs += ms;
    },
  };
}

test("the steady clock follows the machine's clock", () => {
  const { clock, pass, set, logged } = createMachine();
  pass(5);
  expect(clock.nowMs()).toBe(startMs + 5);
  set(hourMs);
  expect(clock.nowMs()).toBe(startMs + 5 + hourMs);
  expect(logged).toEqual([]);
});

test("the steady clock stops when the machine's clock is set back, until that clock catches up", () => {
  const { clock, pass, set, logged } = createMachine();
  set(-2 * dayMs);
  expect(clock.nowMs()).toBe(startMs);
  pass(2 * dayMs - 1);
  expect(clock.nowMs()).toBe(startMs);
  pass(2);
  expect(clock.nowMs()).toBe(startMs + 1);
  expect(logged).toEqual([expect.stringContaining("warn the machine's clock is behind the data")]);
});

test("the steady clock ignores a jump of days that lasts less than a minute", () => {
  const { clock, pass, set, logged } = createMachine();
  set(3 * dayMs);
  expect(clock.nowMs()).toBe(startMs);
  pass(minuteMs - 1);
  expect(clock.nowMs()).toBe(startMs + minuteMs - 1);
  set(-3 * dayMs);
  expect(clock.nowMs()).toBe(startMs + minuteMs - 1);
  expect(logged).toEqual([]);
});

test("the steady clock follows a jump that lasts a minute, and logs the jump", () => {
  const { clock, pass, set, logged } = createMachine();
  set(3 * dayMs);
  clock.nowMs();
  pass(minuteMs);
  expect(clock.nowMs()).toBe(startMs + 3 * dayMs + minuteMs);
  expect(logged).toEqual([expect.stringContaining("warn the machine's clock has jumped ahead")]);
});

test("the steady clock follows a lasting jump even if no call reads it", () => {
  const { clock, pass, set } = createMachine();
  const timer = createManualTimer();
  const stop = readRegularly(clock, timer);
  set(3 * dayMs);
  for (let seconds = 0; seconds < 65; seconds += 5) {
    pass(5_000);
    timer.pass(5_000);
  }
  expect(clock.nowMs()).toBe(startMs + 3 * dayMs + 65_000);
  stop();
  expect(timer.waiting).toEqual([]);
});

test("the steady clock starts at the time of the data if the machine's clock is behind the data", () => {
  const { clock, pass, logged } = createMachine(startMs + dayMs);
  pass(1);
  expect(clock.nowMs()).toBe(startMs + dayMs + 1);
  expect(logged).toHaveLength(1);
});

test("the steady clock never goes back, and is ahead of the machine's clock only by time that has really passed", () => {
  const step = fc.record({
    pass: fc.integer({ min: 0, max: 2 * hourMs }),
    set: fc.oneof(fc.constant(0), fc.integer({ min: -3 * dayMs, max: 3 * dayMs })),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { clock, pass, set } = createMachine();
      let lastMs = clock.nowMs();
      let machineMs = startMs;
      for (const { pass: passMs, set: setMs } of steps) {
        pass(passMs);
        set(setMs);
        machineMs += passMs + setMs;
        const nowMs = clock.nowMs();
        expect(nowMs).toBeGreaterThanOrEqual(lastMs);
        expect(nowMs).toBeLessThanOrEqual(Math.max(machineMs, lastMs + passMs));
        lastMs = nowMs;
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});
