import { LRUCache } from "lru-cache";
import type { Allowance } from "../../core/model/allowance.js";
import { type Namespace, type Scope, scopeMapKey } from "../../core/model/namespace.js";
import type {
  RawRecords,
  RecordPage,
  RestoredScope,
  ScopeReader,
  ScopeState,
} from "../../core/ports/backup.js";
import type { DueScope } from "../../core/ports/due-scope.js";
import type { WriteHolds } from "../../core/ports/holds.js";
import type { IdRange } from "../../core/ports/id-range.js";
import type { JobLock, SharedJob } from "../../core/ports/job-lock.js";
import type { Log } from "../../core/ports/log.js";
import type { Meter } from "../../core/ports/meter.js";
import type { Reservation } from "../../core/ports/reservation.js";
import type {
  Committed,
  Head,
  RecentCommits,
  Snapshot,
  Store,
  Transaction,
} from "../../core/ports/store.js";
import type { TenantTotals } from "../../core/ports/usage.js";
import { committedRecord } from "../engine/pending-records.js";
import { growthOfTotals, Reservations } from "../engine/storage-totals.js";
import { eraseScope } from "../erase-scope.js";
import { storeUnavailable } from "../errors.js";
import { TenantHolds } from "../holds/tenant-holds.js";
import { RecentCommitLog } from "../recent-commits.js";
import { restoreScope } from "./commit/restore-scope.js";
import type { RunGroup } from "./commit/scope-group.js";
import { ScopeQueue } from "./commit/scope-queue.js";
import type { Sweeper } from "./commit/sweeper.js";
import { TotalsOfServers } from "./commit/totals-of-servers.js";
import { DirectSession } from "./direct-session.js";
import { errorForCallers } from "./errors.js";
import { HeldScopes } from "./holds/held-scopes.js";
import { PostgresRanges } from "./holds/postgres-ranges.js";
import { type CheckedHead, HeadChecks } from "./reads/head-checks.js";
import { openPostgresSnapshot, PostgresSnapshot } from "./reads/postgres-snapshot.js";
import { readTotals } from "./reads/read-totals.js";
import { ScopeListings } from "./reads/scope-listings.js";
import type { ClockDifference } from "./session/clock-difference.js";
import type { Connection } from "./session/connection.js";
import { type Pool, poolSize } from "./session/pool.js";
import type { Reachability } from "./session/reachability.js";
import type { WriteWatch } from "./session/write-watch.js";
import { type ScopeRow, scopeRow } from "./tables/scope-row.js";
import { countNamespaces } from "./tables/scope-state.js";
import { scopeStatements } from "./tables/statements.js";

/**
 * Pools of a store. A caller with a connection of a pool never waits for another connection of the
 * same pool, so callers cannot block each other forever.
 */
export interface StorePools {
  readonly writers: Pool;
  readonly snapshots: Pool;
  readonly heads: Pool;
}

/** Parts of a store. The store closes all of them. */
export interface PostgresStoreParts {
  readonly pools: StorePools;
  readonly sweeper: Sweeper;
  /** For each address of the database, a function that opens a connection to it. */
  readonly openEntries: readonly (() => Promise<Connection>)[];
  /** Opens the connection of the direct session. */
  readonly openDirect: () => Promise<Connection>;
  readonly reachability: Reachability;
  readonly writeWatch: WriteWatch;
  /** Called with each error of a statement or a connection. */
  readonly note: (error: unknown) => void;
  /** Compares the clocks. Absent: commits get the time of their callers. */
  readonly clock: ClockDifference | undefined;
  /** Stops the regular checks of the connection. */
  readonly stopChecks: () => void;
  /** The epoch of scopes without a commit. */
  readonly newEpoch: string;
  readonly openedAtMs: number;
  /** See `Store.pageKey`. */
  readonly pageKey: string;
  /** Frees the space of deleted records in the tables for new records (VACUUM). */
  readonly vacuum: () => Promise<void>;
  readonly log: Log;
  readonly meter: Meter;
}

/** Number of idle scopes whose state stays in RAM, so that their places need not be read again. */
const maxIdleScopes = 2_000;

/** Number of scopes whose row stays in RAM, because making a row needs a SHA-256 digest. */
const maxRows = 10_000;

/** Maximum bytes of the recent commits in RAM, over all scopes. */
const recentBytes = 32 * 1024 * 1024;

interface ActiveScope {
  readonly queue: ScopeQueue;
  /** Number of updates and restores that have not returned yet. */
  users: number;
}

/** The Store port over PostgreSQL. */
export class PostgresStore implements Store, RawRecords {
  readonly openedAtMs: number;
  readonly pageKey: string;
  readonly isRemote = true;
  /** All records, including those of scopes that have moved. */
  readonly records: RawRecords = {
    // Leaves connections to the writes of clients.
    restoresAtOnce: poolSize / 2,
    head: async (scope) => (await this.#checkedHead(scope)).head,
    scopeStates: () => this.scopeStates(),
    openScope: (scope) => this.openScope(scope),
    restoreScope: (restored, replaced, pages) => this.restoreScope(restored, replaced, pages),
  };
  readonly #held = new HeldScopes();
  readonly #ranges: PostgresRanges;
  readonly #heads: HeadChecks;
  readonly #direct: DirectSession;
  readonly #listings: ScopeListings;
  readonly #recent = new RecentCommitLog(recentBytes);
  readonly #totals = new TotalsOfServers((tenant) =>
    this.#mapped(readTotals(this.parts.pools.snapshots, tenant)),
  );
  readonly #reservations = new Reservations(this.#totals);
  readonly #active = new Map<string, ActiveScope>();
  readonly #idle = new LRUCache<string, ScopeQueue>({
    // Unlike `max`, `maxSize` reserves no memory for future entries.
    maxSize: maxIdleScopes,
    sizeCalculation: () => 1,
  });
  readonly #rows = new LRUCache<string, ScopeRow>({ maxSize: maxRows, sizeCalculation: () => 1 });
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(private readonly parts: PostgresStoreParts) {
    this.openedAtMs = parts.openedAtMs;
    this.pageKey = parts.pageKey;
    this.#heads = new HeadChecks(parts.pools.heads, parts.newEpoch, this.#held, parts.log);
    this.#direct = new DirectSession({
      open: parts.openDirect,
      prunesDaily: parts.clock !== undefined,
      stateOf: async (scopeId) => {
        const { head, holds } = await this.#heads.head(scopeId);
        return `${head.epoch} ${head.timeline ?? ""} ${head.seq} ${holds.moves}`;
      },
      log: parts.log,
    });
    this.#listings = new ScopeListings({
      pool: parts.pools.snapshots,
      held: this.#held,
      answer: async (read) => {
        this.#requireOpen();
        return this.#mapped(read());
      },
    });
    this.#ranges = new PostgresRanges({
      writers: parts.pools.writers,
      scopes: this.#held,
      openEntries: parts.openEntries,
      onMoved: () => void this.#direct.notify(),
    });
  }

  get clockAheadMs(): number {
    return this.parts.clock?.aheadMs ?? 0;
  }

  async update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    this.#requireOpen();
    return this.#withQueue(scope, this.#rowOf(scope), (queue) => queue.update(transact));
  }

  reserve(allowance: Allowance, tenant?: string): Reservation | undefined {
    return this.#reservations.begin(allowance, tenant);
  }

  totals(tenant?: string): Promise<TenantTotals> {
    this.#requireOpen();
    return this.#totals.tenant(tenant);
  }

  async head(scope: Scope): Promise<Head> {
    const { head, holds } = await this.#checkedHead(scope);
    this.#held.requirePresent(holds, scope);
    return head;
  }

  async snapshot(scope: Scope): Promise<PostgresSnapshot> {
    return this.#snapshot(scope, this.#held);
  }

  /** Returns the holds of one tenant; for `undefined`, the holds of the data without a tenant. */
  holdsOf(tenant: string | undefined): WriteHolds {
    return new TenantHolds(tenant, this.#ranges);
  }

  async #checkedHead(scope: Scope): Promise<CheckedHead> {
    this.#requireOpen();
    return this.#mapped(this.#heads.head(this.#rowOf(scope).uuid));
  }

  /** Takes a snapshot of a scope. Without `held`, the scope may have moved to another server. */
  async #snapshot(scope: Scope, held?: HeldScopes): Promise<PostgresSnapshot> {
    this.#requireOpen();
    const row = this.#rowOf(scope);
    return openPostgresSnapshot(scope, row, {
      pool: this.parts.pools.snapshots,
      newEpoch: this.parts.newEpoch,
      ...(held && { held }),
      known: (this.#active.get(row.uuid)?.queue ?? this.#idle.get(row.uuid))?.known,
      onError: this.parts.note,
    });
  }

  async changes(snapshot: Snapshot, afterSeq: number, untilSeq?: number) {
    if (!(snapshot instanceof PostgresSnapshot))
      throw new Error("the snapshot belongs to another store");
    return snapshot.changes(afterSeq, untilSeq);
  }

  recent(scope: Scope, afterSeq: number, head: Head): RecentCommits | undefined {
    return this.#recent.after(scope, this.#rowOf(scope).uuid, afterSeq, head);
  }

  acrossUsers(...of: Parameters<Store["acrossUsers"]>): ReturnType<Store["acrossUsers"]> {
    return this.#listings.acrossUsers(...of);
  }

  undelivered = (): AsyncIterable<Scope> => this.#listings.undelivered();
  dueScopes = (nowMs: number): AsyncIterable<DueScope> => this.#listings.due(nowMs);

  async settleDue(scope: Scope, { epoch, seq }: Head, dueMs: number | undefined): Promise<void> {
    this.#requireOpen();
    const { uuid } = this.#rowOf(scope);
    await this.#mapped(
      this.parts.pools.writers.use((connection) =>
        connection.query(scopeStatements.settleDue, [uuid, epoch, seq, dueMs ?? null]),
      ),
    );
  }

  followProposals(scope: Scope | undefined, onChange: () => void): () => void {
    return this.#direct.follow(scope && this.#rowOf(scope).uuid, onChange);
  }

  async tryLock(job: SharedJob): Promise<JobLock | undefined> {
    this.#requireOpen();
    return this.#mapped(this.#direct.tryLock(job));
  }

  ids(range: IdRange): AsyncIterable<string> {
    return this.#listings.ids(range);
  }

  namespaces(): AsyncIterable<Namespace> {
    return this.#listings.namespaces();
  }

  scopes(): AsyncIterable<Scope> {
    return this.#listings.scopes();
  }

  scopeStates(): AsyncIterable<ScopeState> {
    return this.#listings.states();
  }

  async openScope(scope: Scope): Promise<ScopeReader> {
    const snapshot = await this.#snapshot(scope);
    return {
      state: { scope, head: snapshot.head, lastTimeMs: snapshot.lastTimeMs },
      pages: () => snapshot.rawPages(),
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    };
  }

  async restoreScope(
    restored: RestoredScope,
    replaced: Head,
    pages: AsyncIterable<RecordPage>,
    held?: HeldScopes,
  ): Promise<void> {
    this.#requireOpen();
    const row = this.#rowOf(restored.scope);
    const path = { writers: this.parts.pools.writers, newEpoch: this.parts.newEpoch, held };
    await this.#withQueue(restored.scope, row, (queue) =>
      this.#mapped(queue.exclusively(() => restoreScope(row, path, restored, replaced, pages))),
    );
    this.#recent.forget(row.uuid);
    this.#heads.forget(row.uuid);
    this.parts.sweeper.wake();
  }

  async erase(scope: Scope, nowMs: number): Promise<Head> {
    const restoreScope: RawRecords["restoreScope"] = (...of) =>
      this.restoreScope(...of, this.#held);
    const head = await eraseScope({ ...this.records, restoreScope }, scope, nowMs);
    this.#totals.forget(scope.tenant);
    return this.#direct.notify(this.#rowOf(scope).uuid).then(() => head);
  }

  async compact(): Promise<void> {
    this.#requireOpen();
    await this.#mapped(this.parts.sweeper.sweepAll());
    await this.#mapped(this.parts.vacuum());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.parts.stopChecks();
    await Promise.allSettled(this.#running);
    await this.#direct.close();
    await Promise.all([this.parts.reachability.close(), this.parts.writeWatch.close()]);
    await this.parts.sweeper.stop();
    const { writers, snapshots, heads } = this.parts.pools;
    await Promise.all([writers.close(), snapshots.close(), heads.close()]);
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw storeUnavailable("is closed");
    this.parts.reachability.requireThere();
    this.parts.clock?.requireClose();
  }

  #rowOf(scope: Scope): ScopeRow {
    const key = scopeMapKey(scope);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = scopeRow(scope);
    this.#rows.set(key, row);
    return row;
  }

  /** Runs work in the queue of a scope. Meanwhile the scope gets no other queue. */
  async #withQueue<T>(
    scope: Scope,
    row: ScopeRow,
    work: (queue: ScopeQueue) => Promise<T>,
  ): Promise<T> {
    const active = this.#active.get(row.uuid) ?? {
      queue: this.#idle.get(row.uuid) ?? this.#createQueue(scope, row),
      users: 0,
    };
    this.#active.set(row.uuid, active);
    active.users++;
    const running = work(active.queue);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      if (--active.users === 0) {
        this.#active.delete(row.uuid);
        this.#idle.set(row.uuid, active.queue);
      }
    }
  }

  #createQueue(scope: Scope, row: ScopeRow): ScopeQueue {
    return new ScopeQueue(scope, row, {
      writers: this.parts.pools.writers,
      newEpoch: this.parts.newEpoch,
      held: this.#held,
      usesDatabaseTime: this.parts.clock !== undefined,
      onCommitted: (committed, row, group) => this.#noteCommit(committed, row, group),
      onError: this.parts.note,
      meter: this.parts.meter,
    });
  }

  #noteCommit(scope: Scope, { uuid }: ScopeRow, { state, writes, before }: RunGroup): void {
    if (writes === undefined) return;
    const { after } = writes;
    const namespaces = countNamespaces(after) - countNamespaces(before);
    this.#totals.add(scope.tenant, growthOfTotals(scope, before, after, namespaces));
    this.#heads.remember(uuid, state.head);
    this.#recent.add(uuid, state.head, writes.changes, [...state.pending].map(committedRecord));
    if (state.clearedPlaces.size > 0) this.parts.sweeper.wake();
    if (state.pending.holds("proposals")) void this.#direct.notify(uuid);
  }

  async #mapped<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.parts.note(error);
      throw errorForCallers(error);
    }
  }
}
