import { randomUUID } from "node:crypto";
import {
  type Namespace,
  namespaceIn,
  type Scope,
  scopeMapKey,
} from "../../core/model/namespace.js";
import type { RawRecords } from "../../core/ports/backup.js";
import type { DueScope } from "../../core/ports/due-scope.js";
import type { IdRange } from "../../core/ports/id-range.js";
import type { CrossUserRange } from "../../core/ports/scan-range.js";
import type {
  Committed,
  CrossUserTable,
  Head,
  Snapshot,
  Store,
  Transaction,
} from "../../core/ports/store.js";
import { GroupState } from "../engine/group-state.js";
import { StagedTransaction } from "../engine/staged-transaction.js";
import { Reservations, StorageTotals } from "../engine/storage-totals.js";
import { noStoredBytes } from "../engine/stored-bytes.js";
import { eraseScope } from "../erase-scope.js";
import { storeUnavailable } from "../errors.js";
import { randomPageKey } from "../page-key.js";
import { noUsage } from "../usage.js";
import { compareUtf8 } from "./compare-utf8.js";
import { createRawRecords, type ScopeEntry } from "./raw-records.js";
import {
  changesAfter,
  growthOfVersions,
  holdsSomething,
  type ScopeVersion,
  type Tables,
} from "./scope-version.js";
import { nextVersion, VersionBase } from "./version-base.js";

/**
 * Creates a store in the RAM of this process. No record survives the process, so a write counts as
 * durable when it is committed.
 *
 * @param epoch see `Head.epoch`
 */
export function createInMemoryStore(epoch: string = randomUUID()): Store & RawRecords {
  const entries = new Map<string, ScopeEntry>();
  const totals = new StorageTotals();
  const reservations = new Reservations(totals);
  const versionsOfSnapshots = new WeakMap<Snapshot, ScopeVersion>();
  let isClosed = false;

  function requireOpen(): void {
    if (isClosed) throw storeUnavailable("is closed");
  }

  function allEntries(): readonly ScopeEntry[] {
    requireOpen();
    return [...entries.values()];
  }

  function entryOf(scope: Scope): ScopeEntry {
    requireOpen();
    const mapKey = scopeMapKey(scope);
    const entry = entries.get(mapKey) ?? newEntry(scope, epoch);
    entries.set(mapKey, entry);
    return entry;
  }

  function versionOf(scope: Scope): ScopeVersion {
    requireOpen();
    return entries.get(scopeMapKey(scope))?.version ?? emptyVersion(epoch);
  }

  const records = createRawRecords(epoch, { entryOf, versionOf, entries: allEntries, totals });

  return {
    ...records,
    openedAtMs: 0,
    pageKey: randomPageKey(),
    compact: async () => requireOpen(),
    async update(scope, transact) {
      return commit(entryOf(scope), totals, transact);
    },
    reserve: (allowance, tenant) => reservations.begin(allowance, tenant),
    totals: async (tenant) => totals.tenant(tenant),
    erase: (scope, nowMs) => eraseScope(records, scope, nowMs),
    async snapshot(scope) {
      const version = versionOf(scope);
      const snapshot = snapshotOf(scope, version);
      versionsOfSnapshots.set(snapshot, version);
      return snapshot;
    },
    async changes(snapshot, afterSeq, untilSeq) {
      requireOpen();
      const version = versionsOfSnapshots.get(snapshot);
      if (version === undefined) throw new Error("the snapshot belongs to another store");
      return changesAfter(version, afterSeq, untilSeq);
    },
    ids: (range) => idsIn(allEntries(), range),
    async *namespaces() {
      for (const entry of allEntries()) yield* namespacesIn(entry);
    },
    scopes: () => scopesIn(allEntries()),
    dueScopes: (nowMs) => dueIn(allEntries(), nowMs),
    settleDue: (scope, head, dueMs = Infinity) => settle(entryOf(scope), head, dueMs),
    acrossUsers: (table, range) => keysAcrossUsers(allEntries(), table, range),
    undelivered: () => undeliveredIn(allEntries()),
    async close() {
      isClosed = true;
      await Promise.all([...entries.values()].map((entry) => entry.idle));
    },
  };
}

/** Runs a transaction after all earlier ones of its scope. */
function commit<T>(
  entry: ScopeEntry,
  totals: StorageTotals,
  transact: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const { scope } = entry;
  const committed = entry.idle.then(async () => {
    const before = entry.version;
    const transaction = transactionOn(scope, before);
    const result = await transact(transaction);
    entry.version = nextVersion(before, await transaction.end());
    totals.add(scope.tenant, growthOfVersions(scope, before, entry.version));
    return { result, head: entry.version.head };
  });
  entry.idle = committed.catch(() => undefined);
  return committed;
}

function newEntry(scope: Scope, epoch: string): ScopeEntry {
  return { scope, version: emptyVersion(epoch), idle: Promise.resolve() };
}

function snapshotOf(scope: Scope, version: ScopeVersion): Snapshot {
  const reader = transactionOn(scope, version);
  return {
    head: version.head,
    get: (table, owner, key) => reader.get(table, owner, key),
    scan: (table, owner, range) => reader.scan(table, owner, range),
    count: (table, owner) => reader.count(table, owner),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function transactionOn(scope: Scope, version: ScopeVersion): StagedTransaction<Tables> {
  return new StagedTransaction(scope, new GroupState(new VersionBase(version)));
}

function emptyVersion(epoch: string): ScopeVersion {
  return {
    head: { epoch, seq: 0 },
    lastTimeMs: 0,
    tablesByAgent: new Map(),
    usage: noUsage,
    stored: noStoredBytes,
    dueMs: Infinity,
    changes: [],
  };
}

/** Yields the scopes that hold a record of their own. */
async function* scopesIn(entries: readonly ScopeEntry[]): AsyncGenerator<Scope> {
  for (const { scope, version } of entries)
    if (holdsSomething(version.tablesByAgent.get(undefined))) yield scope;
}

/** Yields the namespaces of a scope that hold a record. */
function* namespacesIn({ scope, version }: ScopeEntry): Generator<Namespace> {
  if (scope.kind !== "user") return;
  for (const [agentId, tables] of version.tablesByAgent) {
    if (agentId !== undefined && holdsSomething(tables)) yield namespaceIn(scope, agentId);
  }
}

/** Returns ids in order, see `Store.ids`. */
async function* idsIn(entries: readonly ScopeEntry[], range: IdRange): AsyncGenerator<string> {
  const { prefix = "", after, tenant } = range;
  yield* entries
    .flatMap((entry) => (entry.scope.tenant === tenant ? idsOf(entry, range) : []))
    .filter((id) => id.startsWith(prefix))
    .filter((id) => after === undefined || compareUtf8(id, after) > 0)
    .sort(compareUtf8);
}

/** Returns the ids in a range that a scope has, in no order. */
function idsOf(entry: ScopeEntry, range: IdRange): readonly string[] {
  const { scope, version } = entry;
  if (range.of === "agents")
    return scope.kind === "user" && scope.userId === range.userId
      ? [...namespacesIn(entry)].map(({ agentId }) => agentId)
      : [];
  if (version.usage.bytes === 0 || scope.kind === "server") return [];
  if (scope.kind === "user") return range.of === "users" ? [scope.userId] : [];
  return range.of === "runs" ? [scope.runId] : [];
}

/** Yields the entries in which pruning may find something to do, see `Store.dueScopes`. */
async function* dueIn(entries: readonly ScopeEntry[], nowMs: number): AsyncGenerator<DueScope> {
  for (const entry of entries) {
    if (entry.version.dueMs > nowMs) continue;
    const agentIds = [...namespacesIn(entry)].map(({ agentId }) => agentId);
    yield { scope: entry.scope, agentIds };
  }
}

/** See `Store.settleDue`. */
async function settle(entry: ScopeEntry, { epoch, seq }: Head, dueMs: number): Promise<void> {
  await entry.idle;
  const { version } = entry;
  if (version.head.seq === seq && version.head.epoch === epoch)
    entry.version = { ...version, dueMs };
}

/** See `Store.undelivered`. */
async function* undeliveredIn(entries: readonly ScopeEntry[]): AsyncGenerator<Scope> {
  for (const { scope, version } of entries)
    if ((version.tablesByAgent.get(undefined)?.get("deliveries")?.size ?? 0) > 0) yield scope;
}

/** Returns the keys of a table of all users, see `Store.acrossUsers`. */
async function* keysAcrossUsers(
  entries: readonly ScopeEntry[],
  table: CrossUserTable,
  { after, reverse = false, tenant }: CrossUserRange,
): AsyncGenerator<readonly [key: string, userId: string]> {
  const direction = reverse ? -1 : 1;
  yield* entries
    .flatMap(({ scope, version }) =>
      scope.kind === "user" && scope.tenant === tenant
        ? [...(version.tablesByAgent.get(undefined)?.get(table)?.keys() ?? [])].map(
            (key) => [key, scope.userId] as const,
          )
        : [],
    )
    .filter(([key]) => after === undefined || direction * compareUtf8(key, after) > 0)
    .sort(
      ([key, userId], [otherKey, otherUserId]) =>
        direction * (compareUtf8(key, otherKey) || compareUtf8(userId, otherUserId)),
    );
}
