import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";

const hourMs = 60 * 60 * 1000;

/**
 * Greatest jump of the machine's clock that the steady clock follows immediately, in milliseconds.
 */
const stepMaxMs = hourMs;

/** How long a greater jump must last before the steady clock follows it, in milliseconds. */
const lastingMs = 60_000;

/** The sources of a steady clock. */
export interface SteadyClockParts {
  /** The machine's clock, which may jump either way. */
  readonly machine: Clock;
  /** Milliseconds of a clock that never jumps, counted from any moment. */
  readonly monotonicMs: () => number;
  /** Latest time in the data. All new times are later. */
  readonly latestMs: number;
  readonly log: Log;
}

/**
 * Creates a clock that never goes back. So ids and times stay in the order of writing, and expired
 * records stay expired.
 *
 * - When the machine's clock is set back, the time stands still until the machine has caught up.
 * - When the machine's clock jumps ahead by more than an hour, the time follows the monotonic clock
 *   for a minute. The time follows the jump only if the jump lasts that long, as after a laptop's
 *   sleep.
 *
 * Logs when the machine's clock falls behind the steady clock by more than an hour, and when the
 * steady clock follows a jump.
 */
export function createSteadyClock(parts: SteadyClockParts): Clock {
  const { machine, monotonicMs, latestMs, log } = parts;
  // The clock starts later than all data, so that no new id equals a stored one: ids of the same
  // millisecond differ only by a counter, and each process starts this counter anew.
  let lastMs = Math.max(latestMs + 1, machine.nowMs());
  let lastMonotonicMs = monotonicMs();
  /**
   * When the machine's clock jumped, as a monotonic time. `undefined` if it did not jump, or if the
   * steady clock already follows the jump.
   */
  let jumpedAtMs: number | undefined;
  let isBehind = false;

  const warnIfBehind = (machineMs: number): void => {
    const behindMs = lastMs - machineMs;
    if (behindMs > stepMaxMs && !isBehind)
      log(
        "warn",
        "the machine's clock is behind the data; new times stand still until it catches up",
        {
          behindMs,
        },
      );
    isBehind = behindMs > stepMaxMs;
  };
  warnIfBehind(machine.nowMs());

  return {
    nowMs() {
      const machineMs = machine.nowMs();
      const nowMonotonicMs = monotonicMs();
      const paceMs = lastMs + Math.floor(nowMonotonicMs - lastMonotonicMs);
      if (machineMs - paceMs > stepMaxMs) {
        jumpedAtMs ??= nowMonotonicMs;
        if (nowMonotonicMs - jumpedAtMs < lastingMs) {
          lastMonotonicMs += paceMs - lastMs;
          lastMs = paceMs;
          return lastMs;
        }
        log("warn", "the machine's clock has jumped ahead; new times follow it", {
          jumpMs: machineMs - paceMs,
        });
      }
      jumpedAtMs = undefined;
      warnIfBehind(machineMs);
      lastMs = Math.max(lastMs, machineMs);
      lastMonotonicMs = nowMonotonicMs;
      return lastMs;
    },
  };
}

/** Interval at which a server reads its clock, in milliseconds. */
const readingIntervalMs = 5_000;

/**
 * Reads a clock every five seconds, so that it notices a jump even while no call reads it. Returns
 * a function that stops the reading.
 */
export function readRegularly(clock: Clock, timer: Timer): () => void {
  let cancel: () => void = () => undefined;
  const read = (): void => {
    clock.nowMs();
    cancel = timer.after(readingIntervalMs, read);
  };
  read();
  return () => cancel();
}
