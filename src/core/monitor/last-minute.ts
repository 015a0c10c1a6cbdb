import type { EndedCall } from "../ports/ended-call.js";
import { DurationCounts, quantileMs } from "./call-durations.js";

/** The calls that ended in the last minute. */
export interface CallRates {
  /** On average over the minute, or over the time since the start. */
  readonly callsPerSecond: number;
  /** Calls that failed for a reason that an operator can do something about. */
  readonly failures: number;
  /** Absent: no call counts. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

const seconds = 60;

const failureCodes: ReadonlySet<string> = new Set([
  "INTERNAL",
  "UNKNOWN",
  "DATA_LOSS",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
]);

/** The calls that ended in one second. */
interface Second {
  number: number;
  calls: number;
  failures: number;
  readonly durations: DurationCounts;
}

/** Counts the calls of the last 60 seconds. */
export class LastMinute {
  readonly #slots: readonly Second[] = Array.from({ length: seconds }, () => ({
    number: -1,
    ...{ calls: 0, failures: 0, durations: new DurationCounts() },
  }));
  readonly #startMs: number;

  /** @param nowMs milliseconds of a clock that never jumps */
  constructor(private readonly nowMs: () => number) {
    this.#startMs = nowMs();
  }

  note({ code, durationMs, mayLast }: EndedCall): void {
    const number = Math.floor(this.nowMs() / 1000);
    const slot = this.#slots[number % seconds];
    if (slot === undefined) return;
    if (slot.number !== number) {
      slot.number = number;
      slot.calls = 0;
      slot.failures = 0;
      slot.durations.clear();
    }
    slot.calls += 1;
    if (failureCodes.has(code)) slot.failures += 1;
    if (!mayLast) slot.durations.add(durationMs);
  }

  rates(): CallRates {
    const nowMs = this.nowMs();
    const oldest = Math.floor(nowMs / 1000) - seconds;
    const recent = this.#slots.filter(({ number }) => number > oldest);
    const sum = (of: (slot: Second) => number): number =>
      recent.reduce((total, slot) => total + of(slot), 0);
    const counts = this.#slots[0]?.durations.counts.map((_, i) =>
      sum(({ durations }) => durations.counts[i] ?? 0),
    );
    const p50Ms = quantileMs(counts ?? [], 0.5);
    const p99Ms = quantileMs(counts ?? [], 0.99);
    const lived = Math.min(seconds, Math.max(1, (nowMs - this.#startMs) / 1000));
    return {
      callsPerSecond: sum(({ calls }) => calls) / lived,
      failures: sum(({ failures }) => failures),
      ...(p50Ms !== undefined && { p50Ms }),
      ...(p99Ms !== undefined && { p99Ms }),
    };
  }
}
