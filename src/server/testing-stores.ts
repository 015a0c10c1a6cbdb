import { createHash } from "node:crypto";
import { anonymous, type Principal } from "../core/model/principal.js";
import type { Authenticator } from "../core/ports/authenticator.js";
import type { Domain } from "../rpc/services/services.js";
import { storeUnavailable } from "../store/errors.js";

/** The use cases over one store of its own. */
export interface TestingStore {
  readonly domain: Domain;
  close(): Promise<void>;
}

/** What `createTestingStores` needs. */
export interface TestingStoresParts {
  /** Opens an empty store for the records of a tenant. */
  readonly open: (tenant: string) => Promise<TestingStore>;
  /** Maximum number of stores. */
  readonly storesMax: number;
  /** Maximum bytes of the records of one store. */
  readonly storeBytes: number;
}

/** A store for each bearer token. */
export interface TestingStores extends Authenticator {
  /**
   * Returns the use cases of the store of a tenant.
   *
   * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the store was dropped since the call began
   */
  domainOf(tenant: string): Domain;
  close(): Promise<void>;
}

/**
 * Creates the stores of a server for tests. The first call with a token opens its store. One token
 * more than `storesMax` drops the store that was unused for longest; its calls in flight fail.
 */
export function createTestingStores({
  open,
  storesMax,
  storeBytes,
}: TestingStoresParts): TestingStores {
  // The store that was used last is the last entry.
  const opening = new Map<string, Promise<TestingStore>>();
  const opened = new Map<string, TestingStore>();
  const drop = async (tenant: string, pending: Promise<TestingStore>): Promise<void> => {
    opening.delete(tenant);
    const store = await pending;
    if (opened.get(tenant) === store) opened.delete(tenant);
    await store.close();
  };
  const openStore = async (tenant: string): Promise<TestingStore> => {
    const [oldest] = opening;
    if (opening.size === storesMax && oldest !== undefined) await drop(...oldest);
    const store = await open(tenant);
    opened.set(tenant, store);
    return store;
  };
  const use = (tenant: string): Promise<TestingStore> => {
    const store = opening.get(tenant) ?? openStore(tenant);
    opening.delete(tenant);
    opening.set(tenant, store);
    return store;
  };
  return {
    async authenticate({ authorization = "" }) {
      const [, token] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
      if (token === undefined) return undefined;
      const principal = principalOf(token, storeBytes);
      await use(principal.tenant);
      return principal;
    },
    // Tokens never expire.
    onReview: () => undefined,
    domainOf(tenant) {
      const store = opened.get(tenant);
      if (store === undefined)
        throw storeUnavailable("of this token was dropped for one that was used later");
      return store.domain;
    },
    async close() {
      await Promise.all([...opening].map(([tenant, store]) => drop(tenant, store)));
    },
  };
}

/** Returns a principal that may do everything in the store of its token. */
function principalOf(token: string, storeBytes: number): Principal {
  const tenant = createHash("sha256").update(token).digest("hex").slice(0, 32);
  return { ...anonymous, tenant, limits: { tenantBytes: storeBytes } };
}
