import { performance } from "node:perf_hooks";

/** The duration of a measurement, in milliseconds. At least 10 calls are measured. */
const measurementMs = 1_000;
const warmUpCalls = 20;

/** The cost of a call, in microseconds. */
export interface Cost {
  readonly median: number;
  readonly best: number;
}

/** Measures the duration of calls after warming up. */
export function costOf(call: (i: number) => number): Cost {
  const figures: number[] = [];
  for (let i = 0; i < warmUpCalls; i++) call(i);
  const end = performance.now() + measurementMs;
  for (let i = 0; figures.length < 10 || performance.now() < end; i++) {
    const start = performance.now();
    call(i);
    figures.push((performance.now() - start) * 1000);
  }
  return summaryOf(figures);
}

/** Returns the median and the shortest of some durations. */
export function summaryOf(figures: readonly number[]): Cost {
  return { median: percentile(figures, 50), best: percentile(figures, 0) };
}

/** Returns a percentile of figures; 0 is the least, 100 the greatest. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  );
}

/** Returns the median of one figure over several measurements. */
export function medianOf<T>(
  measurements: readonly T[],
  figure: (measurement: T) => number,
): number {
  return percentile(measurements.map(figure), 50);
}
