import type { Allowance } from "../model/allowance.js";
import type { Namespace, Scope } from "../model/namespace.js";
import type { CommitHistory } from "./commit-history.js";
import type { DueScope } from "./due-scope.js";
import type { IdRange } from "./id-range.js";
import type { JobLock, SharedJob } from "./job-lock.js";
import type { RemovalState } from "./removal.js";
import type { Reservation } from "./reservation.js";
import type { CrossUserRange, ScanRange } from "./scan-range.js";
import type { CrossUserTable, LoggedTable, OwnerOf, Table, ValueOf } from "./tables.js";
import type { TenantTotals, Usage } from "./usage.js";

export * from "./tables.js";

/** The head of a scope: its state after its last commit. */
export interface Head extends CommitHistory {
  /**
   * Commit sequence number of the scope's last commit; 0 if the scope has none. Never decreases
   * within an epoch, not even by a reset.
   */
  readonly seq: number;
}

/** One commit in the change log. */
export interface Change {
  readonly seq: number;
  /**
   * The records of logged tables that were put or deleted. Read their present state from the
   * snapshot.
   */
  readonly touched: readonly {
    readonly table: LoggedTable;
    readonly agentId: string;
    readonly key: string;
  }[];
  /**
   * Agents whose namespaces were cleared. The list has no order. All clearings came before the
   * changes in `touched`.
   */
  readonly cleared: readonly string[];
}

/**
 * Consecutive commits with the values that they wrote. A store remembers only commits that it made
 * itself.
 */
export interface RecentCommits {
  /** The commits, oldest first. */
  readonly changes: readonly Change[];
  /**
   * Returns the state of a record after the last of the commits: its value, or `deleted`. Returns
   * `unknown` if none of the commits wrote the record, or if no index is made from its table.
   */
  get<T extends Table>(table: T, owner: OwnerOf<T>, key: string): RecentRecord<ValueOf<T>>;
}

/** A record as `RecentCommits` knows it. */
export type RecentRecord<V> = { readonly value: V } | "deleted" | "unknown";

/**
 * Reads one consistent state.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when a record fails its checksum. A damaged record never reads
 *   as absent
 */
export interface Reader {
  get<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<ValueOf<T> | undefined>;
  /**
   * Iterates over records in key order. The caller may stop early.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when records are missing, or when deleted records have come
   *   back. In a snapshot, a scan of the whole table throws at its end at the latest. Other scans
   *   need not check for this. If they do, they throw before the first record, or when the caller
   *   stops the scan
   */
  scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    range?: ScanRange,
  ): AsyncIterable<readonly [key: string, value: ValueOf<T>]>;
  /**
   * Returns the number of records. The store keeps this number, so it does not scan the table. In a
   * transaction, it may have to look up whether the records that the transaction has put or deleted
   * existed before.
   */
  count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number>;
}

/**
 * A state that later commits do not change. Requires: the caller disposes of it; declare it with
 * `await using`.
 */
export interface Snapshot extends Reader, AsyncDisposable {
  readonly head: Head;
  /**
   * Does the same as `get`, but a missing record reads as absent, because the table need not be
   * checked. The caller compares `count`. Absent: `get` is as fast.
   */
  peek?: Reader["get"];
}

/**
 * A transaction of one scope. Its reads see its own writes and the writes of all earlier
 * transactions of the scope. The transaction ends with the function that received it. Later writes
 * throw.
 *
 * Requires: the caller does not change a value after handing it over.
 */
export interface Transaction extends Reader {
  /** The head before this transaction. */
  readonly head: Head;
  /**
   * Returns the commits after `afterSeq` up to `head`, oldest first; `undefined` if the change log
   * does not reach back that far.
   */
  changes(afterSeq: number): Promise<readonly Change[] | undefined>;
  /**
   * Whether no record has the key. Use it for keys that are nearly always new, because the store
   * may return true without a look-up. The store then looks the key up before the commit, and runs
   * the transaction again if the answer was wrong.
   */
  isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean>;
  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void;
  /** Deletes a record. Does nothing if there is none. */
  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void;
  /** Empties all tables of a namespace in one step, whatever its size. */
  clear(namespace: Namespace): void;
  /**
   * Returns an upper bound of `count`, in constant time and without a look-up. The bound is exact
   * if each uncommitted record was read before it was written.
   */
  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number;
  /** Returns what the scope holds after the writes so far. May look up records, as `count` may. */
  usage(): Promise<Usage>;
  /** Returns what the scope held before this transaction. May look up records, as `count` may. */
  usageBefore(): Promise<Usage>;
  /** Returns an upper bound of `usage`, without a look-up. See `countAtMost`. */
  usageAtMost(): Usage;
  /**
   * Sets the account under which the bytes that this transaction adds or removes count. Default:
   * the empty account, see `Allowance.account`. Requires: the transaction has written nothing.
   */
  storeAs(account: string): void;
  /**
   * Returns the bytes by which this transaction makes the records of the scope grow. Unlike
   * `Usage.bytes`, it counts stored replies. Negative: the records shrink. May look up records, as
   * `count` may.
   */
  growth(): Promise<number>;
  /** Returns an upper bound of `growth`, without a look-up. See `countAtMost`. */
  growthAtMost(): number;
  /**
   * Returns the time to write into records: the clock's time, or the scope's last commit time if
   * the clock went back by at most a day. Servers that share a database take the time from the
   * database, and each of their groups of commits has a later time than the group before.
   */
  commitTimeMs(clockMs: number): number;
}

/** The outcome of a transaction. */
export interface Committed<T> {
  readonly result: T;
  /** The head after the commit; unchanged if the transaction wrote nothing. */
  readonly head: Head;
}

/**
 * Stores records in scopes, with atomic and durable transactions.
 *
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) while the store has failed or is closed
 * @throws UNAVAILABLE (OUTCOME_UNKNOWN) when a write may or may not be durable
 * @throws RESOURCE_EXHAUSTED (DISK_FULL) when the disk has no space for a write that adds data
 * @throws DATA_LOSS (DAMAGED_RECORD) when a record fails its checksum
 */
export interface Store {
  /**
   * Name of the tenant whose data this store reaches. Absent: the store is not limited to a tenant.
   */
  readonly tenant?: string;
  /** Random secret that seals page tokens, the same on all servers. Backups do not have it. */
  readonly pageKey: string;
  /**
   * Runs `transact` and commits its writes in one atomic step. Resolves when they are durable. A
   * transaction without writes resolves when everything that it read is durable.
   *
   * Transactions of one scope run one after another. Transactions of different scopes do not wait
   * for each other. If `transact` throws, nothing is written and the error is rethrown.
   *
   * Requires: `transact` only reads and writes through the transaction, because it may run more
   * than once.
   */
  update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>>;
  /**
   * Removes everything of a scope in one step, whatever its size: records, namespaces, stored
   * replies and the change log. Does nothing if the scope has no commit. The commit sequence goes
   * on, so that no index and no page token takes later data for earlier data. The files of the
   * store lose the records with the next `compact`.
   *
   * @param nowMs the clock's time
   * @throws ABORTED (SCOPE_CHANGED) when many other commits in a row came first
   */
  erase(scope: Scope, nowMs: number): Promise<Head>;
  /**
   * Begins a reservation for a call. `undefined`: the allowance has no limits of totals.
   *
   * @param tenant the tenant of the caller; absent: no tenant. Use cases never set it
   */
  reserve(allowance: Allowance, tenant?: string): Reservation | undefined;
  /**
   * Returns what a tenant holds, without a read of its records. Includes scopes that have moved to
   * another server until they are erased here. Servers that share a database may learn of the
   * commits of others seconds later.
   *
   * @param tenant as in `reserve`
   */
  totals(tenant?: string): Promise<TenantTotals>;
  /**
   * Returns the head after the last durable commit. Costs less than a snapshot. Includes every
   * commit that was acknowledged before the call, by any server of the same data.
   */
  head(scope: Scope): Promise<Head>;
  /** Absent: the store does not know removals, so no file may have what it holds. */
  removalState?(namespace: Namespace): Promise<RemovalState>;
  /**
   * Whether `head` asks another process, such as a database. If so, concurrent callers share one
   * read.
   */
  readonly isRemote?: boolean;
  /** Takes a snapshot of the last durable commit. */
  snapshot(scope: Scope): Promise<Snapshot>;
  /**
   * Returns the commits after `afterSeq` up to `head`, if this store made all of them itself and
   * still remembers their records. Reads nothing from disk. Absent: this store remembers no
   * commits.
   */
  recent?(scope: Scope, afterSeq: number, head: Head): RecentCommits | undefined;
  /**
   * Returns the commits after `afterSeq` up to `untilSeq`, oldest first; `undefined` if the change
   * log does not reach back that far. Default of `untilSeq`: the snapshot's head, which is also the
   * greatest value that is allowed.
   */
  changes(
    snapshot: Snapshot,
    afterSeq: number,
    untilSeq?: number,
  ): Promise<readonly Change[] | undefined>;
  /**
   * Iterates over the scopes in which pruning may find something to do at a time, in milliseconds
   * since 1970.
   */
  dueScopes(nowMs: number): AsyncIterable<DueScope>;
  /**
   * Notes when pruning next finds something to do in a scope; `undefined` for never. Does nothing
   * if the scope has another head. Writes note it themselves if they make it earlier.
   */
  settleDue(scope: Scope, head: Head, dueMs: number | undefined): Promise<void>;
  /**
   * Iterates over the keys of a table of all users, in key order, each with the id of its user.
   * Reads an index, so the cost does not depend on the number of users.
   *
   * This is not a snapshot: includes all commits that were acknowledged before the call, and some
   * keys whose records are deleted meanwhile.
   */
  acrossUsers(
    table: CrossUserTable,
    range: CrossUserRange,
  ): AsyncIterable<readonly [key: string, userId: string]>;
  /**
   * Iterates over the users of all tenants that have a record in `deliveries`. Reads an index, as
   * `acrossUsers` does, and is no snapshot either.
   */
  undelivered(): AsyncIterable<Scope>;
  /**
   * Calls `onChange` when another server may have changed proposals of the scope; without a scope,
   * proposals of any user. Some calls come although nothing has changed. Returns a function that
   * ends the calls. Absent: no other server writes to the same data.
   */
  followProposals?(scope: Scope | undefined, onChange: () => void): () => void;
  /**
   * Locks a job against all other servers with the same data, until the lock is disposed of or
   * lost. Returns `undefined` if another server is doing this job, or if pruning ended less than 23
   * hours ago on any server. The same server can lock a job several times. Absent: no other server
   * works on the same data.
   */
  tryLock?(job: SharedJob): Promise<JobLock | undefined>;
  /**
   * Iterates over the ids of users, of runs, or of the agents of a user that hold a record, in the
   * order of the bytes of their UTF-8. Users and runs that hold only stored replies are left out.
   * Reads from the beginning of the range, so the cost does not depend on the ids before it.
   *
   * This is not a snapshot: includes all commits that were acknowledged before the call, and some
   * of the commits after it.
   */
  ids(range: IdRange): AsyncIterable<string>;
  /** Iterates over all namespaces that hold a record. */
  namespaces(): AsyncIterable<Namespace>;
  /** Iterates over all scopes that hold a record outside of namespaces. */
  scopes(): AsyncIterable<Scope>;
  /** Latest commit time of any scope when the store was opened; 0 if it had none. */
  readonly openedAtMs: number;
  /**
   * Milliseconds by which the machine's clock is ahead of the clock that all servers of the same
   * data share. Negative: it is behind. Absent: there is no shared clock.
   */
  readonly clockAheadMs?: number;
  /**
   * Removes deleted records from the disk, as far as the store can. Takes time in proportion to all
   * data, while other calls go on.
   */
  compact(): Promise<void>;
  /** Closes the store after all transactions that have begun are done. */
  close(): Promise<void>;
}
