import { quantileMs } from "./call-durations.js";
import type { CallTotals, CallTotalsAt } from "./call-totals.js";
import type { ServerSample } from "./server-history.js";

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

const minuteMs = 60_000;

const failureCodes: ReadonlySet<string> = new Set([
  "INTERNAL",
  "UNKNOWN",
  "DATA_LOSS",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
]);

/** Where a minute ends, and what came before it. */
interface Minute {
  readonly nowMs: number;
  readonly startMs: number;
  /** The samples of the server's history, the oldest first. */
  readonly samples: readonly ServerSample[];
}

/**
 * Returns the calls of the last minute: the totals, less those of the newest sample that is at
 * least a minute old.
 */
export function ratesOf(totals: CallTotals, { nowMs, startMs, samples }: Minute): CallRates {
  const before = samples.findLast(({ timeMs }) => timeMs <= nowMs - minuteMs);
  const now = totals.now();
  const since = (of: (at: CallTotalsAt) => Float64Array): readonly number[] =>
    Array.from(of(now), (count, i) => count - ((before && of(before)[i]) ?? 0));
  const calls = since((at) => at.calls);
  const durations = since((at) => at.durationCounts);
  const failures = totals
    .methodsOf(now)
    .reduce((sum, { code }, i) => sum + (failureCodes.has(code) ? (calls[i] ?? 0) : 0), 0);
  const [p50Ms, p99Ms] = [quantileMs(durations, 0.5), quantileMs(durations, 0.99)];
  const livedMs = Math.max(1000, nowMs - (before?.timeMs ?? startMs));
  return {
    callsPerSecond: (1000 * calls.reduce((sum, count) => sum + count, 0)) / livedMs,
    failures,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p99Ms !== undefined && { p99Ms }),
  };
}
