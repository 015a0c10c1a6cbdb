import { LRUCache } from "lru-cache";
import {
  type Namespace,
  namespaceIn,
  type Scope,
  scopeMapKey,
  userScope,
} from "../../core/model/namespace.js";
import type {
  RawRecords,
  RecordPage,
  RestoredScope,
  ScopeReader,
  ScopeState,
} from "../../core/ports/backup.js";
import type { WriteHolds } from "../../core/ports/holds.js";
import type { Log } from "../../core/ports/log.js";
import type {
  Change,
  Committed,
  CrossUserRange,
  CrossUserTable,
  Head,
  JobLock,
  RecentCommits,
  SharedJob,
  Snapshot,
  Store,
  Transaction,
} from "../../core/ports/store.js";
import { committedRecord } from "../engine/pending-records.js";
import { storeUnavailable } from "../errors.js";
import { TenantHolds } from "../holds/tenant-holds.js";
import { RecentCommitLog } from "../recent-commits.js";
import { restoreScope } from "./commit/restore-scope.js";
import type { RunGroup } from "./commit/scope-group.js";
import { ScopeQueue } from "./commit/scope-queue.js";
import type { Sweeper } from "./commit/sweeper.js";
import { DirectSession } from "./direct-session.js";
import { errorForCallers, isConnectionLoss } from "./errors.js";
import { HeldScopes, type HoldsRow } from "./holds/held-scopes.js";
import { PostgresRanges } from "./holds/postgres-ranges.js";
import { crossUserKeys } from "./reads/cross-user-keys.js";
import { type CheckedHead, HeadChecks } from "./reads/head-checks.js";
import { openPostgresSnapshot, PostgresSnapshot } from "./reads/postgres-snapshot.js";
import type { Connection } from "./session/connection.js";
import type { Pool } from "./session/pool.js";
import type { Reachability } from "./session/reachability.js";
import { retrying } from "./session/retry.js";
import type { Statement } from "./session/statement.js";
import { type ScopeRow, scopeOfRow, scopeRow } from "./tables/scope-row.js";
import { type Counts, type HeadRow, holdsRecords } from "./tables/scope-state.js";
import { listingStatements } from "./tables/statements.js";

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
  /** The epoch of scopes without a commit. */
  readonly newEpoch: string;
  readonly openedAtMs: number;
  /** Frees the space of deleted records in the tables for new records (VACUUM). */
  readonly vacuum: () => Promise<void>;
  readonly log: Log;
}

/** Number of idle scopes whose state stays in RAM, so that their places need not be read again. */
const maxIdleScopes = 2_000;

/** Number of scopes whose row stays in RAM, because making a row needs a SHA-256 digest. */
const maxRows = 10_000;

/** Maximum bytes of the recent commits in RAM, over all scopes. */
const recentBytes = 32 * 1024 * 1024;

/** A scope id that sorts before all others. */
const firstScopeId = "00000000-0000-0000-0000-000000000000";

interface ActiveScope {
  readonly queue: ScopeQueue;
  /** Number of updates and restores that have not returned yet. */
  users: number;
}

interface ScopeListing {
  readonly scope: string;
  readonly tenant: Buffer;
  readonly kind: number;
  readonly id: Buffer;
  readonly counts: Counts;
}

type StateListing = Omit<ScopeListing, "counts"> & Pick<HeadRow, "epoch" | "seq" | "last_time_ms">;

interface PlaceListing extends ScopeListing {
  readonly agent: Buffer;
}

/** The Store port over PostgreSQL. */
export class PostgresStore implements Store, RawRecords {
  readonly openedAtMs: number;
  readonly isRemote = true;
  /** All records, including those of scopes that have moved. */
  readonly records: RawRecords = {
    head: async (scope) => (await this.#checkedHead(scope)).head,
    scopeStates: () => this.scopeStates(),
    openScope: (scope) => this.openScope(scope),
    restoreScope: (restored, replaced, pages) => this.restoreScope(restored, replaced, pages),
  };
  readonly #held = new HeldScopes();
  readonly #ranges: PostgresRanges;
  readonly #heads: HeadChecks;
  readonly #direct: DirectSession;
  readonly #recent = new RecentCommitLog(recentBytes);
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
    this.#heads = new HeadChecks(parts.pools.heads, parts.newEpoch, this.#held, parts.log);
    this.#direct = new DirectSession({
      open: parts.openDirect,
      stateOf: async (scopeId) => {
        const { head, holds } = await this.#heads.head(scopeId);
        return `${head.epoch} ${head.timeline ?? ""} ${head.seq} ${holds.moves}`;
      },
      log: parts.log,
    });
    this.#ranges = new PostgresRanges({
      writers: parts.pools.writers,
      scopes: this.#held,
      openEntries: parts.openEntries,
      onMoved: () => void this.#direct.notify(),
    });
  }

  async update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    this.#requireOpen();
    return this.#withQueue(scope, this.#rowOf(scope), (queue) => queue.update(transact));
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
    const queue = this.#active.get(row.uuid)?.queue ?? this.#idle.get(row.uuid);
    return openPostgresSnapshot(scope, row, {
      pool: this.parts.pools.snapshots,
      newEpoch: this.parts.newEpoch,
      ...(held && { held }),
      known: queue?.known,
      onError: (error) => this.parts.reachability.note(error),
    });
  }

  async changes(snapshot: Snapshot, afterSeq: number): Promise<readonly Change[] | undefined> {
    if (!(snapshot instanceof PostgresSnapshot))
      throw new Error("the snapshot belongs to another store");
    return snapshot.changes(afterSeq);
  }

  recent(scope: Scope, afterSeq: number, head: Head): RecentCommits | undefined {
    return this.#recent.after(scope, this.#rowOf(scope).uuid, afterSeq, head);
  }

  async *acrossUsers(
    table: CrossUserTable,
    range: CrossUserRange,
  ): AsyncIterable<readonly [key: string, userId: string]> {
    const holds = await this.#holds();
    const pages = crossUserKeys(table, range, (list) => this.#listWith(list));
    for await (const [key, userId] of pages)
      if (!this.#held.hasMoved(holds, userScope(userId, range.tenant))) yield [key, userId];
  }

  followProposals(scope: Scope | undefined, onChange: () => void): () => void {
    return this.#direct.follow(scope && this.#rowOf(scope).uuid, onChange);
  }

  async tryLock(job: SharedJob): Promise<JobLock | undefined> {
    this.#requireOpen();
    return this.#mapped(this.#direct.tryLock(job));
  }

  async *namespaces(): AsyncIterable<Namespace> {
    const holds = await this.#holds();
    let last: readonly [string, Buffer] = [firstScopeId, Buffer.alloc(0)];
    for (;;) {
      const rows = await this.#list<PlaceListing>(listingStatements.listPlaces, last);
      for (const row of rows) {
        last = [row.scope, row.agent];
        const scope = scopeOfRow(row);
        if (scope.kind !== "user" || this.#held.hasMoved(holds, scope)) continue;
        if (holdsRecords(row.counts)) yield namespaceIn(scope, row.agent.toString());
      }
      if (rows.length === 0) return;
    }
  }

  async *scopes(): AsyncIterable<Scope> {
    const holds = await this.#holds();
    let last = firstScopeId;
    for (;;) {
      const rows = await this.#list<ScopeListing>(listingStatements.listScopes, [last]);
      for (const row of rows) {
        last = row.scope;
        const scope = scopeOfRow(row);
        if (holdsRecords(row.counts) && !this.#held.hasMoved(holds, scope)) yield scope;
      }
      if (rows.length === 0) return;
    }
  }

  async *scopeStates(): AsyncIterable<ScopeState> {
    let last = firstScopeId;
    for (;;) {
      const rows = await this.#list<StateListing>(listingStatements.listHeads, [last]);
      for (const row of rows) {
        last = row.scope;
        const head = { epoch: row.epoch, seq: row.seq };
        if (row.seq > 0) yield { scope: scopeOfRow(row), head, lastTimeMs: row.last_time_ms };
      }
      if (rows.length === 0) return;
    }
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
  ): Promise<void> {
    this.#requireOpen();
    const row = this.#rowOf(restored.scope);
    const path = { writers: this.parts.pools.writers, newEpoch: this.parts.newEpoch };
    await this.#withQueue(restored.scope, row, (queue) =>
      this.#mapped(queue.exclusively(() => restoreScope(row, path, restored, replaced, pages))),
    );
    this.#recent.forget(row.uuid);
    this.#heads.forget(row.uuid);
    this.parts.sweeper.wake();
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
    await Promise.allSettled(this.#running);
    await this.#direct.close();
    await this.parts.reachability.close();
    await this.parts.sweeper.stop();
    const { writers, snapshots, heads } = this.parts.pools;
    await Promise.all([writers.close(), snapshots.close(), heads.close()]);
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw storeUnavailable("is closed");
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
      onCommitted: (_, committed, group) => this.#noteCommit(committed, group),
      onError: (error) => this.parts.reachability.note(error),
    });
  }

  #noteCommit({ uuid }: ScopeRow, { state, writes }: RunGroup): void {
    if (writes === undefined) return;
    this.#heads.remember(uuid, state.head);
    this.#recent.add(uuid, state.head, writes.changes, [...state.pending].map(committedRecord));
    if (state.clearedPlaces.size > 0) this.parts.sweeper.wake();
    if (state.pending.holds("proposals")) void this.#direct.notify(uuid);
  }

  #holds(): Promise<HoldsRow> {
    this.#requireOpen();
    const { snapshots } = this.parts.pools;
    return this.#mapped(
      retrying(isConnectionLoss, () => snapshots.use((session) => this.#held.read(session))),
    );
  }

  #list<Row>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#listWith(async (connection) => {
      const { rows } = await connection.query<Row>(statement, values);
      return rows;
    });
  }

  #listWith<Row>(list: (connection: Connection) => Promise<readonly Row[]>) {
    this.#requireOpen();
    return this.#mapped(retrying(isConnectionLoss, () => this.parts.pools.snapshots.use(list)));
  }

  async #mapped<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.parts.reachability.note(error);
      throw errorForCallers(error);
    }
  }
}
