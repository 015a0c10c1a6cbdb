import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 20;
const windowMs = 10_000;

let histogram: IntervalHistogram | undefined;
let windowStartMs = 0;
let lastMs = 0;

/**
 * Returns the delay of the event loop that 99 of 100 measurements did not exceed, of the last
 * complete window of at least ten seconds. The first call begins the measurement of this process.
 */
export function loopDelayMs(): number {
  if (histogram === undefined) {
    histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    histogram.enable();
    windowStartMs = performance.now();
  } else if (performance.now() - windowStartMs >= windowMs) {
    lastMs = Math.max(0, histogram.percentile(99) / 1e6 - resolutionMs);
    histogram.reset();
    windowStartMs = performance.now();
  }
  return lastMs;
}
