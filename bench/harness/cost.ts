import { performance } from "node:perf_hooks";

/** Calls are measured for this time, and at least 10. */
const measuredMs = 1_000;
const warmUpCalls = 20;

/** How long something took, in microseconds. */
export interface Cost {
  readonly median: number;
  readonly best: number;
}

/** How long calls take after warming up. */
export function costOf(call: (i: number) => number): Cost {
  const figures: number[] = [];
  for (let i = 0; i < warmUpCalls; i++) call(i);
  const end = performance.now() + measuredMs;
  for (let i = 0; figures.length < 10 || performance.now() < end; i++) {
    const start = performance.now();
    call(i);
    figures.push((performance.now() - start) * 1000);
  }
  return summaryOf(figures);
}

export function summaryOf(figures: readonly number[]): Cost {
  return { median: percentile(figures, 50), best: percentile(figures, 0) };
}

/** The figure that so many percent of all stay below. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  );
}
