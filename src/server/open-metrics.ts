import type { Config } from "../config/server-settings.js";
import { parseAddress } from "../config/setting-values.js";
import type { CallObserver } from "../core/ports/ended-call.js";
import { type Meter, noMeter } from "../core/ports/meter.js";
import type { Address } from "../edge/address.js";
import { productVersion } from "../edge/version.js";
import type { TrafficLoad } from "../rpc/rpc-server.js";

/** How busy a server is. */
export interface ServerLoad extends TrafficLoad {
  /** Bytes of all indexes in RAM. */
  readonly indexBytes: number;
}

/** The metrics of a server, and their listener. */
export interface MetricsHandle {
  readonly meter: Meter;
  readonly observe: CallObserver;
  /** The address of the listener, with the real port. Absent: the server has no metrics. */
  readonly address?: Address;
  /** Shows how busy the server is. */
  showLoad(load: () => ServerLoad): void;
  close(): Promise<void>;
}

const noMetrics: MetricsHandle = {
  meter: noMeter,
  observe: () => undefined,
  showLoad: () => undefined,
  close: async () => undefined,
};

/**
 * Starts the metrics that the configuration asks for. Loads their modules only then.
 *
 * @throws Error of the system when the port cannot be opened
 */
export async function openMetrics({ metricsAddress }: Config): Promise<MetricsHandle> {
  if (metricsAddress === undefined) return noMetrics;
  const { createMetrics } = await import("../metrics/metrics.js");
  const { listenMetrics } = await import("../metrics/listen-metrics.js");
  const metrics = createMetrics(productVersion());
  const listener = await listenMetrics(metricsAddress, metrics);
  return {
    meter: metrics.meter,
    observe: metrics.observe,
    address: parseAddress(listener.address),
    showLoad(load) {
      metrics.gauge([
        {
          name: "calls_in_flight",
          help: "Calls whose replies are not completely sent.",
          read: () => load().openCalls,
        },
        {
          name: "calls_waiting",
          help: "Calls that wait for a slot.",
          read: () => load().waitingCalls,
        },
        {
          name: "message_buffer_bytes",
          help: "Bytes of the messages of calls, which --message-buffer limits.",
          read: () => load().messageBytes,
        },
        {
          name: "connections",
          help: "Open connections of clients.",
          read: () => load().connections,
        },
        {
          name: "index_bytes",
          help: "Bytes of all indexes in RAM, which --index-max-bytes limits.",
          read: () => load().indexBytes,
        },
      ]);
    },
    async close() {
      metrics.stop();
      await listener.stop();
    },
  };
}
