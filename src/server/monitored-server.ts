import type { Config } from "../config/server-settings.js";
import { Jobs } from "../core/jobs/jobs.js";
import type { MonitoredServer, ServerMonitor } from "../core/monitor/server-monitor.js";
import type { ServerGauges } from "../core/monitor/service.js";
import type { Clock } from "../core/ports/clock.js";
import type { Embedders } from "../core/ports/embedder.js";
import type { WebhookStatus } from "../core/webhooks/webhook.js";
import { productVersion } from "../edge/version.js";
import { folderBytes } from "../system/folder-bytes.js";
import { loopDelayMs } from "../system/loop-delay.js";

/** A monitored server whose indexes are not open yet. */
export type StartingServer = Omit<MonitoredServer, "gauges" | "history"> & {
  readonly gauges: Omit<ServerGauges, "indexes">;
};

/** What is known of a server before its indexes open. */
export interface StartingServerParts {
  readonly config: Config;
  readonly monitor: ServerMonitor;
  readonly clock: Clock;
  /** See `OpenStore.format`. */
  readonly format: number;
  readonly embedders: Embedders;
  readonly hasCredentials: boolean;
  readonly writes: ServerGauges["writes"];
  readonly openCalls: ServerGauges["openCalls"];
  /** Absent: there are no webhooks. */
  readonly webhooks: { status(): WebhookStatus } | undefined;
}

/** Begins to monitor a server. */
export function monitorServer(parts: StartingServerParts): StartingServer {
  const { config, monitor, clock, format, embedders, hasCredentials } = parts;
  const { writes, openCalls, webhooks } = parts;
  const { provider, dataFolder, indexMaxBytes } = config;
  return {
    facts: {
      version: productVersion(),
      startMs: clock.nowMs(),
      ...{ provider, format, hasCredentials, indexMaxBytes },
      model: embedders.configured,
    },
    ...{ monitor, jobs: new Jobs(clock) },
    gauges: {
      residentBytes: () => process.memoryUsage.rss(),
      dataBytes: async () => (provider === "level" ? folderBytes(dataFolder) : undefined),
      ...{ writes, openCalls, loopDelayMs },
      webhook: () => webhooks?.status(),
    },
  };
}
