import type { Config } from "../config/server-settings.js";
import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";
import type { Tracer } from "../core/ports/tracer.js";
import { productVersion } from "../edge/version.js";

/** The tracer of a server. */
export interface TracerHandle {
  /** Absent: no call is traced. */
  readonly tracer?: Tracer;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Opens the tracer that the configuration asks for. Loads its modules only then.
 *
 * @param storeId returns the id of the data that the server has
 */
export async function openTracer(
  { otlpEndpoint, traceSample }: Config,
  parts: {
    readonly timer: Pick<Timer, "after">;
    readonly log: Log;
    readonly storeId: () => Promise<string>;
  },
): Promise<TracerHandle> {
  if (otlpEndpoint === undefined) return { close: async () => undefined };
  const { createOtlpExporter } = await import("../traces/otlp-exporter.js");
  const { createTracer } = await import("../traces/tracer.js");
  const { timer, log } = parts;
  const endpoint = otlpEndpoint;
  const exporter = createOtlpExporter({ endpoint, version: productVersion(), timer, log });
  const storeId = await parts.storeId();
  const options = { exporter, ratio: traceSample, storeId, random: Math.random };
  return { tracer: createTracer(options), close: () => exporter.close() };
}
