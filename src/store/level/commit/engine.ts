import { LRUCache } from "lru-cache";
import type { Allowance } from "../../../core/model/allowance.js";
import {
  type Namespace,
  type Scope,
  scopeMapKey,
  scopeOf,
  userScope,
} from "../../../core/model/namespace.js";
import type {
  RecordPage,
  RestoredScope,
  ScopeReader,
  ScopeState,
} from "../../../core/ports/backup.js";
import type { DueScope } from "../../../core/ports/due-scope.js";
import type { IdRange } from "../../../core/ports/id-range.js";
import type { Meter } from "../../../core/ports/meter.js";
import type { Removal, RemovalState } from "../../../core/ports/removal.js";
import type { Reservation } from "../../../core/ports/reservation.js";
import type { CrossUserRange } from "../../../core/ports/scan-range.js";
import type {
  Committed,
  CrossUserTable,
  Head,
  RecentCommits,
  Transaction,
} from "../../../core/ports/store.js";
import type { TenantTotals } from "../../../core/ports/usage.js";

import { Reservations, type StorageTotals } from "../../engine/storage-totals.js";
import type { SweepLoop } from "../../engine/sweep-loop.js";
import { RecentCommitLog } from "../../recent-commits.js";
import {
  compactAll,
  type Database,
  emptyInfoLog,
  type Operation,
  requirePayload,
  scanChunks,
} from "../folder/database.js";
import type { DiskSpace } from "../folder/disk-space.js";
import { decodeNamespaceHead, decodeScopeHead, epochOf, holdsSomething } from "../format/heads.js";
import { crossUserRange, headRange, scopePart } from "../format/keys.js";
import { createMarkWindow } from "../format/marks.js";
import { type ParsedKey, parseKey } from "../format/parse-key.js";
import type { CheckedStore } from "../recovery/opening-checks.js";
import { GroupCommit } from "./group-commit.js";
import type { HighWaterMarker } from "./high-water-marker.js";
import { listIds } from "./id-listing.js";
import { openLevelScope } from "./level-scope-reader.js";
import { type LevelSnapshot, openLevelSnapshot, type SnapshotParts } from "./level-snapshot.js";
import { notedTenants } from "./noted-tenants.js";
import { readHead, readRemovalState } from "./owner-state.js";
import { PendingScope } from "./pending-scope.js";
import { type RestorePath, restoreScope } from "./restore-scope.js";
import { ScopeQueue } from "./scope-queue.js";
import { createSweeper } from "./sweeper.js";
import { createTableVerification, type TableVerification } from "./table-verification.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** Dependencies of an engine. The engine closes the database and the marker. */
export interface EngineParts {
  readonly database: Database;
  readonly checked: CheckedStore;
  readonly marker: HighWaterMarker;
  readonly space: DiskSpace;
  readonly meter: Meter;
}

/** Events of an engine. */
export interface EngineEvents {
  /** Called when a write has failed. The engine writes no more and must be abandoned. */
  readonly onFailure: (engine: Engine, error: unknown) => void;
  /** Called when removing cleared records failed. The next opening tries again. */
  readonly onSweepError: (error: unknown) => void;
  /** See `LevelStoreOptions.beforeRemovals`. */
  readonly beforeRemovals?: ((removals: readonly Removal[]) => Promise<void>) | undefined;
}

/**
 * Number of idle scopes whose state stays in RAM, so that their next update need not read their
 * heads.
 */
const maxIdleScopes = 2000;

/** Number of scopes whose heads stay in RAM. */
const maxHeads = 10_000;

/** Maximum bytes of the recent commits in RAM, over all scopes. */
const recentBytes = 8 * 1024 * 1024;

interface ActiveScope {
  readonly queue: ScopeQueue;
  /** Number of updates and restores that have not returned yet. */
  updates: number;
}

/** Serves one open LevelDB until it is closed or a write fails. */
export class Engine {
  readonly #database: Database;
  readonly #epoch: string;
  readonly #marker: HighWaterMarker;
  readonly #space: DiskSpace;
  readonly #verification: TableVerification;
  readonly #groups: GroupCommit;
  readonly #sweeper: SweepLoop;
  readonly #active = new Map<string, ActiveScope>();
  readonly #idle = new LRUCache<string, ScopeQueue>({
    // Unlike `max`, `maxSize` reserves no memory for future entries.
    maxSize: maxIdleScopes,
    sizeCalculation: () => 1,
  });
  /** The heads after the last durable commits. */
  readonly #durableHeads = new LRUCache<string, Head>({
    maxSize: maxHeads,
    sizeCalculation: () => 1,
  });
  readonly #recent = new RecentCommitLog(recentBytes);
  readonly #totals: StorageTotals;
  readonly #reservations: Reservations;
  readonly #running = new Set<Promise<unknown>>();
  readonly #restorePath: RestorePath;

  constructor(
    { database, checked, marker, space, meter }: EngineParts,
    { onFailure, onSweepError, beforeRemovals }: EngineEvents,
  ) {
    this.#database = database;
    this.#epoch = checked.meta.epoch;
    this.#marker = marker;
    this.#totals = checked.totals;
    this.#reservations = new Reservations(checked.totals);
    this.#space = space;
    this.#verification = createTableVerification(database);
    const { newest, newestMark, groupBytes } = checked.groups;
    const state = {
      newest,
      heads: newestMark.heads,
      window: createMarkWindow(newestMark.floor, groupBytes),
    };
    const fail = (error: unknown) => onFailure(this, error);
    this.#groups = new GroupCommit(database, marker, state, fail, meter, beforeRemovals);
    const staged = new Set<string>();
    this.#restorePath = { groups: this.#groups, space, staged };
    this.#sweeper = createSweeper(database, this.#groups, staged, onSweepError);
    this.#sweeper.wake();
  }

  update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    return this.#inQueue(scope, (queue) => queue.update(transact));
  }

  /** See `Store.reserve`. */
  reserve(allowance: Allowance, tenant: string | undefined): Reservation | undefined {
    return this.#reservations.begin(allowance, tenant);
  }

  /** See `Store.totals`. */
  totals(tenant: string | undefined): TenantTotals {
    return this.#totals.tenant(tenant);
  }

  /** See `BackupTarget.restoreScope`. */
  restoreScope(
    restored: RestoredScope,
    replaced: Head,
    pages: AsyncIterable<RecordPage>,
  ): Promise<void> {
    return this.#inQueue(restored.scope, (queue) =>
      queue.restore((current) =>
        restoreScope(current, this.#restorePath, restored, replaced, pages),
      ),
    );
  }

  /** See `Store.settleDue`. */
  settleDue(scope: Scope, head: Head, dueMs = Infinity): Promise<void> {
    return this.#inQueue(scope, (queue) => queue.settleDue(head, dueMs));
  }

  async #inQueue<T>(scope: Scope, run: (queue: ScopeQueue) => Promise<T>): Promise<T> {
    const mapKey = scopeMapKey(scope);
    const active = this.#active.get(mapKey) ?? {
      queue: this.#idle.get(mapKey) ?? this.#createQueue(scope),
      updates: 0,
    };
    this.#active.set(mapKey, active);
    active.updates++;
    const update = run(active.queue);
    this.#running.add(update);
    try {
      return await update;
    } finally {
      this.#running.delete(update);
      // When no update runs, all writes are durable, so the cache may drop the state at any time.
      if (--active.updates === 0) {
        this.#active.delete(mapKey);
        this.#idle.set(mapKey, active.queue);
      }
    }
  }

  /** See `Store.head`. */
  head(scope: Scope): Head {
    const mapKey = scopeMapKey(scope);
    const known = this.#durableHeads.get(mapKey);
    if (known !== undefined) return known;
    const head = readHead(this.#database, scopePart(scope), this.#epoch);
    this.#durableHeads.set(mapKey, head);
    return head;
  }

  /** See `Store.removalState`. */
  removalState(namespace: Namespace): RemovalState {
    const part = scopePart(scopeOf(namespace));
    return readRemovalState(this.#database, part, namespace.agentId, this.#epoch);
  }

  /** See `Store.recent`. */
  recent(scope: Scope, afterSeq: number, head: Head): RecentCommits | undefined {
    return this.#recent.after(scope, scopeMapKey(scope), afterSeq, head);
  }

  snapshot(scope: Scope): Promise<LevelSnapshot> {
    return openLevelSnapshot(scope, this.#snapshotParts());
  }

  /** See `BackupSource.openScope`. */
  openScope(scope: Scope): Promise<ScopeReader> {
    return openLevelScope(scope, this.#snapshotParts());
  }

  /** See `BackupSource.scopeStates`. */
  async *scopeStates(): AsyncIterable<ScopeState> {
    for await (const [parsed, payload] of this.#heads()) {
      if (parsed.kind !== "scopeHead") continue;
      const head = decodeScopeHead(payload);
      const { seq, lastTimeMs } = head;
      yield { scope: parsed.scope, head: { epoch: epochOf(head, this.#epoch), seq }, lastTimeMs };
    }
  }

  /** See `Store.ids`. */
  ids(range: IdRange): AsyncIterable<string> {
    return listIds(this.#database, range);
  }

  async *namespaces(): AsyncIterable<Namespace> {
    for await (const [parsed, payload] of this.#heads()) {
      if (parsed.kind === "namespaceHead" && holdsSomething(decodeNamespaceHead(payload).tables))
        yield parsed.namespace;
    }
  }

  async *scopes(): AsyncIterable<Scope> {
    for await (const [parsed, payload] of this.#heads()) {
      if (parsed.kind === "scopeHead" && holdsSomething(decodeScopeHead(payload).tables))
        yield parsed.scope;
    }
  }

  /** See `Store.dueScopes`. */
  async *dueScopes(nowMs: number): AsyncIterable<DueScope> {
    let due: { readonly scope: Scope; readonly agentIds: string[] } | undefined;
    // The heads of its namespaces follow the head of a scope.
    for await (const [parsed, payload] of this.#heads()) {
      if (parsed.kind === "namespaceHead") {
        if (due !== undefined && holdsSomething(decodeNamespaceHead(payload).tables))
          due.agentIds.push(parsed.namespace.agentId);
        continue;
      }
      if (due !== undefined) yield due;
      due = undefined;
      if (parsed.kind === "scopeHead" && decodeScopeHead(payload).dueMs <= nowMs)
        due = { scope: parsed.scope, agentIds: [] };
    }
    if (due !== undefined) yield due;
  }

  /** See `Store.acrossUsers`. */
  async *acrossUsers(
    table: CrossUserTable,
    range: CrossUserRange,
  ): AsyncIterable<readonly [key: string, userId: string]> {
    let last: readonly [key: string, userId: string] | undefined;
    for await (const entries of scanChunks(this.#database, crossUserRange(table, range))) {
      for (const [note, value] of entries) {
        const parsed = parseKey(requirePayload(note, value, `a note on a record of ${table}`));
        if (parsed?.kind !== "scopeRecord" || parsed.scope.kind !== "user") continue;
        const { key, scope } = parsed;
        // A replaced scope has a note for each of its places until the sweeper has run.
        if (last?.[0] === key && last[1] === scope.userId) continue;
        last = [key, scope.userId];
        yield last;
      }
    }
  }

  /** See `Store.undelivered`. */
  async *undelivered(): AsyncIterable<Scope> {
    for (const tenant of await notedTenants(this.#database))
      for await (const [, userId] of this.acrossUsers("deliveries", { tenant }))
        yield userScope(userId, tenant);
  }

  /**
   * Rewrites LevelDB's table files without deleted records and without the records of cleared
   * places. LevelDB's log then starts anew, too. Empties the file `LOG`, in which LevelDB writes
   * some of the keys that it merges.
   *
   * One compaction can leave deleted records behind, because it does not rewrite the table files of
   * the lowest level in use. LevelDB may write its buffer, which still has the deleted records,
   * directly to this level if no other file overlaps it. So this function then deletes two keys,
   * one before and one after all other keys, and compacts again. The file with these two deletions
   * overlaps all other files, so LevelDB merges them.
   */
  async compact(): Promise<void> {
    await this.#sweeper.settled();
    await compactAll(this.#database);
    const outermost = [Buffer.from([0]), Buffer.alloc(16, 0xff)];
    await this.#groups.commit({
      operations: outermost.map((key): Operation => ({ type: "del", key })),
      bytes: outermost.reduce((sum, key) => sum + key.length, 0),
      states: [],
    });
    await compactAll(this.#database);
    await emptyInfoLog(this.#database);
  }

  /** Stops all writes because of an error elsewhere. Nothing is acknowledged from now on. */
  fail(error: unknown): void {
    this.#groups.fail(error);
  }

  /**
   * Closes the store when all updates that have begun have ended. After a failure the high-water
   * mark does not record a clean close.
   */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    if (this.#groups.hasFailed) {
      await this.abandon();
      return;
    }
    await this.#sweeper.stop();
    await this.#groups.drain();
    await this.#database.close();
    await this.#marker.close();
  }

  /** Closes files after a failure, as far as possible. */
  async abandon(): Promise<void> {
    await this.#sweeper.stop();
    await this.#groups.drain();
    await Promise.allSettled([this.#marker.abandon(), this.#database.close()]);
  }

  async *#heads(): AsyncIterable<readonly [ParsedKey, Buffer]> {
    for await (const entries of scanChunks(this.#database, headRange)) {
      for (const [key, value] of entries) {
        const parsed = parseKey(key);
        if (parsed !== undefined) yield [parsed, requirePayload(key, value, "a head")];
      }
    }
  }

  #snapshotParts(): SnapshotParts {
    return {
      epoch: this.#epoch,
      database: this.#database,
      verification: this.#verification,
    };
  }

  #createQueue(scope: Scope): ScopeQueue {
    const state = new PendingScope(scope, this.#epoch, this.#database, this.#verification);
    return new ScopeQueue(scope, state, {
      groups: this.#groups,
      space: this.#space,
      onDurable: (durable, outcome) => this.#noteCommit(durable, outcome),
      onCleared: () => this.#sweeper.wake(),
    });
  }

  #noteCommit(scope: Scope, { totals, scopeState, commit }: TransactionOutcome): void {
    this.#totals.add(scope.tenant, totals);
    const mapKey = scopeMapKey(scope);
    const head = { epoch: epochOf(scopeState, this.#epoch), seq: scopeState.seq };
    this.#durableHeads.set(mapKey, head);
    if (commit === undefined) this.#recent.forget(mapKey);
    else this.#recent.add(mapKey, head, [commit.change], commit.records);
  }
}
