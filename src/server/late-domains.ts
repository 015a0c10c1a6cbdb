import type { Embedders } from "../core/ports/embedder.js";
import { nextTurn } from "../core/requests/pause.js";
import type { Domain } from "../rpc/services/services.js";
import { type MaintenanceTasks, startMaintenanceTasks } from "./maintenance-tasks.js";
import type { DomainsHandle, DomainsParts } from "./open-domains.js";

/** The use cases of a server, and their maintenance. The server listens before they are loaded. */
export interface LateDomains {
  /**
   * Loads the use cases, the token counter and the embedders, then starts maintenance if pruning is
   * on. Resolves to a function that returns the use cases of a tenant.
   */
  load(): Promise<(tenant: string) => Domain>;
  /** Stops background work early on shutdown, so that calls in flight get the drain time. */
  stop(): void;
  /** Waits until `load` has ended, then closes the use cases. Requires: no call is running. */
  close(): Promise<void>;
}

/** The dependencies of the use cases that a server has before it listens. */
export type LateDomainsParts = Omit<DomainsParts, "embedders" | "tokens">;

/**
 * Creates the use cases of a server. Loading their modules and vocabularies takes longer than
 * loading everything that a health check needs, so the server listens first.
 *
 * @param embedding opens the embedders
 */
export function createLateDomains(
  embedding: { readonly open: () => Promise<Embedders> },
  parts: LateDomainsParts,
): LateDomains {
  const { config, timer, log } = parts;
  let domains: DomainsHandle | undefined;
  let maintenance: MaintenanceTasks | undefined;
  let loading: Promise<unknown> | undefined;
  let isStopping = false;
  const load = async (): Promise<(tenant: string) => Domain> => {
    const [{ openDomains }, { createTokenCounter }, embedders] = await Promise.all([
      import("./open-domains.js"),
      import("../tokens/o200k-token-counter.js"),
      embedding.open(),
    ]);
    const tokens = await createTokenCounter();
    await nextTurn();
    const handle = await openDomains({ ...parts, embedders, tokens });
    domains = handle;
    if (isStopping) handle.stop();
    else if (config.pruning)
      maintenance = startMaintenanceTasks({ pruner: handle.pruner, timer, log });
    return (tenant) => handle.domainOf(tenant);
  };
  return {
    load() {
      const promise = load();
      loading = promise;
      return promise;
    },
    stop() {
      isStopping = true;
      domains?.stop();
      maintenance?.stop();
    },
    async close() {
      // The caller of `load` handles its errors.
      await loading?.catch(() => undefined);
      await maintenance?.idle();
      await domains?.close();
    },
  };
}
