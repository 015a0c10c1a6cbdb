import type { Namespace, Scope } from "../core/model/namespace.js";
import type { SharedJob } from "../core/ports/job-lock.js";
import type {
  OwnerOf,
  Reader,
  RecentCommits,
  Snapshot,
  Store,
  Table,
  Transaction,
} from "../core/ports/store.js";

/**
 * Returns a view of a store with only the data of one tenant; for `undefined`, only the data
 * without a tenant. Callers of the view never name the tenant, so they cannot reach any other data.
 * Closing the view does nothing.
 *
 * @param onCommit called after each transaction and each erasure of a scope, also a failed one.
 *   Default: does nothing
 */
export function storeOfTenant(
  store: Store,
  tenant: string | undefined,
  onCommit: (scope: Scope) => void = () => undefined,
): Store {
  const within = createOwnership(tenant);
  const snapshots = new WeakMap<Snapshot, Snapshot>();
  async function* own(scopes: AsyncIterable<Scope>): AsyncGenerator<Scope> {
    for await (const { tenant: found, ...scope } of scopes) if (found === tenant) yield scope;
  }
  const tryLock = store.tryLock?.bind(store);
  return {
    ...(tenant !== undefined && { tenant }),
    get pageKey() {
      return store.pageKey;
    },
    openedAtMs: store.openedAtMs,
    ...writesOfTenant(store, within, onCommit),
    reserve: (allowance) => store.reserve(allowance, tenant),
    totals: () => store.totals(tenant),
    head: (scope) => store.head(within.scope(scope)),
    isRemote: store.isRemote ?? false,
    recent(scope, afterSeq, head) {
      const commits = store.recent?.(within.scope(scope), afterSeq, head);
      return commits && recentOfTenant(commits, within);
    },
    acrossUsers: (table, range) => store.acrossUsers(table, { ...range, tenant }),
    undelivered: () => own(store.undelivered()),
    followProposals: (scope, onChange) =>
      store.followProposals?.(scope && within.scope(scope), onChange) ?? (() => undefined),
    async *dueScopes(nowMs) {
      for await (const { scope, agentIds } of store.dueScopes(nowMs)) {
        const { tenant: found, ...own } = scope;
        if (found === tenant) yield { scope: own, agentIds };
      }
    },
    settleDue: (scope, head, dueMs) => store.settleDue(within.scope(scope), head, dueMs),
    ...(tryLock && {
      tryLock: (job: SharedJob) =>
        tryLock(typeof job === "string" ? job : { reindex: within.namespace(job.reindex) }),
    }),
    async snapshot(scope) {
      const snapshot = await store.snapshot(within.scope(scope));
      if (tenant === undefined) return snapshot;
      const view: Snapshot = {
        ...readerOfTenant(snapshot, within),
        head: snapshot.head,
        [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
      };
      snapshots.set(view, snapshot);
      return view;
    },
    changes: (snapshot, afterSeq, untilSeq) =>
      store.changes(snapshots.get(snapshot) ?? snapshot, afterSeq, untilSeq),
    ids: (range) => store.ids({ ...range, tenant }),
    async *namespaces() {
      for await (const { tenant: found, ...namespace } of store.namespaces())
        if (found === tenant) yield namespace;
    },
    scopes: () => own(store.scopes()),
    compact: () => store.compact(),
    close: async () => undefined,
  };
}

/** Returns the calls of a view that commit. */
function writesOfTenant(
  store: Store,
  within: Ownership,
  onCommit: (scope: Scope) => void,
): Pick<Store, "update" | "erase"> {
  const noted = async <T>(scope: Scope, committed: Promise<T>): Promise<T> => {
    try {
      return await committed;
    } finally {
      onCommit(scope);
    }
  };
  return {
    update: (scope, transact) =>
      noted(
        scope,
        store.update(within.scope(scope), (tx) => transact(transactionOfTenant(tx, within))),
      ),
    erase: (scope, nowMs) => noted(scope, store.erase(within.scope(scope), nowMs)),
  };
}

/** Returns the names of all tenants that have data; an empty one for the data without a tenant. */
export async function tenantsIn(store: Store): Promise<ReadonlySet<string>> {
  const tenants = new Set<string>();
  for await (const { tenant } of store.namespaces()) tenants.add(tenant ?? "");
  for await (const { tenant } of store.scopes()) tenants.add(tenant ?? "");
  return tenants;
}

/** Adds the tenant to a scope, a namespace or another owner of records. */
interface Ownership {
  readonly isNeeded: boolean;
  scope(scope: Scope): Scope;
  owner<T extends Table>(owner: OwnerOf<T>): OwnerOf<T>;
  namespace(namespace: Namespace): Namespace;
}

function createOwnership(tenant: string | undefined): Ownership {
  const put = <T extends object>(owner: T): T =>
    tenant === undefined ? owner : { ...owner, tenant };
  return { isNeeded: tenant !== undefined, scope: put, owner: put, namespace: put };
}

function readerOfTenant(reader: Reader, within: Ownership): Reader {
  return {
    get: (table, owner, key) => reader.get(table, within.owner(owner), key),
    scan: (table, owner, range) => reader.scan(table, within.owner(owner), range),
    count: (table, owner) => reader.count(table, within.owner(owner)),
  };
}

function recentOfTenant(commits: RecentCommits, within: Ownership): RecentCommits {
  return {
    changes: commits.changes,
    get: (table, owner, key) => commits.get(table, within.owner(owner), key),
  };
}

function transactionOfTenant(tx: Transaction, within: Ownership): Transaction {
  if (!within.isNeeded) return tx;
  return {
    ...readerOfTenant(tx, within),
    head: tx.head,
    changes: (afterSeq) => tx.changes(afterSeq),
    isUnused: (table, owner, key) => tx.isUnused(table, within.owner(owner), key),
    put: (table, owner, key, value) => tx.put(table, within.owner(owner), key, value),
    delete: (table, owner, key) => tx.delete(table, within.owner(owner), key),
    clear: (namespace) => tx.clear(within.namespace(namespace)),
    countAtMost: (table, owner) => tx.countAtMost(table, within.owner(owner)),
    usage: () => tx.usage(),
    usageBefore: () => tx.usageBefore(),
    usageAtMost: () => tx.usageAtMost(),
    storeAs: (account) => tx.storeAs(account),
    growth: () => tx.growth(),
    growthAtMost: () => tx.growthAtMost(),
    commitTimeMs: (clockMs) => tx.commitTimeMs(clockMs),
  };
}
