import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { CallObserver } from "../core/ports/ended-call.js";
import type { Meter } from "../core/ports/meter.js";
import { createCallMetrics } from "./call-metrics.js";
import { createMeter } from "./instruments.js";

/** A value that is read whenever the metrics are read. */
export interface Gauged {
  /** Without the prefix `vademecum_`. */
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** The metrics of a server. */
export interface Metrics {
  readonly observe: CallObserver;
  readonly meter: Meter;
  /** Adds values that are read whenever the metrics are read. */
  gauge(values: readonly Gauged[]): void;
  /** The content type of `text`. */
  readonly contentType: string;
  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** Ends the measurement of the event loop. */
  stop(): void;
}

/** How often the delay of the event loop is measured. */
const loopResolutionMs = 10;

/** Starts to count, and to measure the process. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  new Gauge({
    name: "vademecum_event_loop_delay_seconds",
    help: "Delay of the event loop since the metrics were last read, beyond 10 ms.",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const quantile of [50, 99, 100])
        this.set({ quantile: quantile / 100 }, delaySeconds(loop.percentile(quantile)));
      loop.reset();
    },
  });
  new Gauge({
    name: "vademecum_build_info",
    help: "Always 1. The label is the version of the server.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
  return {
    observe: createCallMetrics(registry),
    meter: createMeter(registry),
    gauge: (values) => {
      for (const { name, help, read } of values)
        new Gauge({
          name: `vademecum_${name}`,
          help,
          registers: [registry],
          collect() {
            this.set(read());
          },
        });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    stop: () => loop.disable(),
  };
}

/** Converts a measured interval of the event loop, in nanoseconds, to its delay. */
function delaySeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - loopResolutionMs / 1000);
}
