import { join } from "node:path";
import type { Call } from "../core/ports/call.js";
import type { Pruner } from "../core/pruning/pruner.js";
import { createSearchIndex } from "../index/search-index.js";
import { indexOfTenant } from "../index/tenant-index.js";
import type { Domain } from "../rpc/services/services.js";
import { storeOfTenant, tenantsIn } from "../store/tenant-store.js";
import { type DomainHandle, type DomainParts, openDomain } from "./open-domain.js";
import { partLog } from "./part-log.js";

/** The use cases of every tenant, over one store and one index. */
export interface DomainsHandle {
  /** Returns the use cases of a tenant; of the data without a tenant for an empty name. */
  domainOf(tenant: string): Domain;
  /** Prunes the data of all tenants, one after the other. */
  readonly pruner: Pick<Pruner, "prune">;
  /** Stops background work early on shutdown, so that calls in flight get the drain time. */
  stop(): void;
  /** Closes the index and the services. Requires: no call is running. */
  close(): Promise<void>;
}

/** Opens the index. The use cases of a tenant open with its first call. */
export function openDomains(parts: Omit<DomainParts, "index" | "skillIndex">): DomainsHandle {
  const { store, config, log } = parts;
  const { provider, dataFolder, indexMaxBytes, graphThreshold } = config;
  const folder = provider === "level" ? { folder: join(dataFolder, "graphs") } : {};
  const graphs = { ...folder, threshold: graphThreshold, log: partLog(log) };
  const index = createSearchIndex({ store, maxBytes: indexMaxBytes, graphs });
  const opened = new Map<string, DomainHandle>();
  const open = (tenant: string): DomainHandle => {
    const views =
      tenant === ""
        ? { store: storeOfTenant(store, undefined), index, skillIndex: index.skills }
        : {
            store: storeOfTenant(store, tenant),
            index: indexOfTenant(index, tenant),
            skillIndex: indexOfTenant(index.skills, tenant),
          };
    const handle = openDomain({ ...parts, ...views });
    opened.set(tenant, handle);
    return handle;
  };
  const domainOf = (tenant: string): Domain => (opened.get(tenant) ?? open(tenant)).domain;
  return {
    domainOf,
    pruner: {
      async prune(call: Call, dryRun: boolean) {
        const outcomes = [...(await domainOf("").pruner.prune(call, dryRun))];
        for (const tenant of await tenantsIn(store))
          outcomes.push(...(await domainOf(tenant).pruner.prune(call, dryRun)));
        return outcomes;
      },
    },
    stop: () => {
      for (const handle of opened.values()) handle.stop();
    },
    close: async () => {
      await Promise.all([...opened.values()].map((handle) => handle.close()));
      await index.close();
    },
  };
}
