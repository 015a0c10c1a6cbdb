import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { MonitoredServer } from "./server-monitor.js";
import type { ServerService } from "./service.js";

/** The server, and the data of one tenant. */
export interface ServerServiceParts extends MonitoredServer {
  readonly store: Store;
  readonly clock: Clock;
}

/** Creates the view of a server for the operators of one tenant. */
export function createServerService(parts: ServerServiceParts): ServerService {
  const { facts, monitor, jobs, gauges, store, clock } = parts;
  const tenant = store.tenant ?? "";
  return {
    async status() {
      const { bytes: indexBytes, collections: hotCollections } = gauges.indexes();
      return {
        ...facts,
        nowMs: clock.nowMs(),
        writes: gauges.writes(),
        residentBytes: gauges.residentBytes(),
        dataBytes: await gauges.dataBytes(),
        freeBytes: monitor.freeBytes,
        ...{ indexBytes, hotCollections },
        lastMinute: monitor.lastMinute.rates(),
        jobs: jobs.running(tenant),
        pendingProposals: await countPending(store),
        lastBackupMs: jobs.lastDoneMs(tenant, "BACKUP"),
        lastPruneMs: jobs.lastDoneMs(tenant, "PRUNE"),
      };
    },
  };
}

async function countPending(store: Store): Promise<number> {
  let count = 0;
  for await (const _ of store.acrossUsers("pendingProposals", {})) count += 1;
  return count;
}
