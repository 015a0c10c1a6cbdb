import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServerSample } from "#gen/vademecum/v1/server_pb.js";
import { msOf } from "./units.js";

/** What happened between two samples of a server. */
export interface Interval {
  /** When it ended, in milliseconds since 1970 of the server's clock. */
  readonly endMs: number;
  readonly callsPerSecond: number;
  /** Latencies in milliseconds, estimated from buckets. `undefined` without calls. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Mean time to write and sync a transaction, in milliseconds. `undefined` without any. */
  readonly syncMs: number | undefined;
  /** How late the event loop was, 99 of 100 times at most, in milliseconds. */
  readonly loopDelayMs: number;
  readonly residentBytes: number;
  readonly indexBytes: number;
}

/** The calls of one method in a time. */
export interface MethodRate {
  /** The name without its package, such as `MemoryProvider/Search`. */
  readonly method: string;
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Mean duration of a call, in milliseconds. */
  readonly meanMs: number;
  /** Numbers of calls that failed, by code, most first. */
  readonly failures: readonly (readonly [code: string, calls: number])[];
}

/** The longest duration in the first bucket of `duration_counts`, in milliseconds. */
const firstBucketMs = 0.125;

/** Returns what happened between each sample and the next one. Requires: samples of one process. */
export function intervalsOf(samples: readonly ServerSample[]): readonly Interval[] {
  return samples.slice(1).flatMap((sample, index) => {
    const before = samples[index];
    return before === undefined ? [] : [intervalOf(before, sample)];
  });
}

function intervalOf(before: ServerSample, after: ServerSample): Interval {
  const counts = after.durationCounts.map((count, index) =>
    Number(count - (before.durationCounts[index] ?? 0n)),
  );
  const commits = Number(after.commits - before.commits);
  return {
    endMs: timeMs(after),
    callsPerSecond: (callsOf(after) - callsOf(before)) / secondsBetween(before, after),
    p50Ms: quantileMs(counts, 0.5),
    p99Ms: quantileMs(counts, 0.99),
    syncMs: commits === 0 ? undefined : (msOf(after.syncTime) - msOf(before.syncTime)) / commits,
    loopDelayMs: msOf(after.loopDelayP99),
    residentBytes: Number(after.residentBytes),
    indexBytes: Number(after.indexBytes),
  };
}

/** Returns the calls of each method between two samples, most calls first. */
export function methodRates(before: ServerSample, after: ServerSample): readonly MethodRate[] {
  const key = (method: string, code: string) => `${method} ${code}`;
  const earlier = new Map(before.methods.map((it) => [key(it.method, it.code), it]));
  const found = new Map<string, { calls: number; ms: number; failures: [string, number][] }>();
  for (const { method, code, calls, durationSum } of after.methods) {
    const base = earlier.get(key(method, code));
    const added = Number(calls - (base?.calls ?? 0n));
    if (added <= 0) continue;
    const rate = found.get(method) ?? { calls: 0, ms: 0, failures: [] };
    rate.calls += added;
    rate.ms += msOf(durationSum) - msOf(base?.durationSum);
    if (code !== "OK") rate.failures.push([code, added]);
    found.set(method, rate);
  }
  const seconds = secondsBetween(before, after);
  return [...found]
    .map(([method, { calls, ms, failures }]) => ({
      method: shortMethod(method),
      calls,
      callsPerSecond: calls / seconds,
      meanMs: ms / calls,
      failures: failures.toSorted(([, one], [, other]) => other - one),
    }))
    .toSorted((one, other) => other.calls - one.calls);
}

/** Returns the name of a method without its package. */
export function shortMethod(method: string): string {
  return method.replace(/^.*\.(?=[^./]+\/)/, "");
}

/** Returns the longest duration of the bucket that contains a share of all calls. */
function quantileMs(counts: readonly number[], share: number): number | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let passed = 0;
  const bucket = counts.findIndex((count) => {
    passed += count;
    return passed >= share * all;
  });
  return firstBucketMs * Math.SQRT2 ** bucket;
}

function callsOf({ methods }: ServerSample): number {
  return methods.reduce((sum, { calls }) => sum + Number(calls), 0);
}

function secondsBetween(before: ServerSample, after: ServerSample): number {
  return Math.max(0.001, (timeMs(after) - timeMs(before)) / 1000);
}

function timeMs({ time }: ServerSample): number {
  return time === undefined ? 0 : timestampMs(time);
}
