import type { Scope } from "../model/namespace.js";
import type { Head } from "./store.js";

/** A scope and its head. */
export interface ScopeState {
  readonly scope: Scope;
  readonly head: Head;
  /** The latest commit time of the scope, in milliseconds since 1970; 0 if it has none. */
  readonly lastTimeMs: number;
}

/** A record as stores keep it: its key in the table, and the bytes of its value. */
export type RawRecord = readonly [key: string, payload: Uint8Array];

/** Some records of one table. */
export interface RecordPage {
  /** The agent of a namespace; `undefined` for a table of the whole scope. */
  readonly agentId: string | undefined;
  /** Name of the table, as in `Table`. A page of a backup may name a table that does not exist. */
  readonly table: string;
  readonly records: readonly RawRecord[];
}

/** One scope in one consistent state. The caller disposes of it. */
export interface ScopeReader extends AsyncDisposable {
  readonly state: ScopeState;
  /**
   * Iterates over all records. Two stores with the same records yield them in the same order, but
   * the sizes of pages may differ. The order is:
   * 1. the tables of the whole scope, then the tables of each agent, with agents ordered by id
   * 2. within the scope or an agent, tables ordered by code
   * 3. within a table, records ordered by key
   *
   * Ids and keys are ordered by their UTF-8 bytes.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when records are damaged or missing, or when deleted records
   *   have come back
   */
  pages(): AsyncIterable<RecordPage>;
}

/** Reads all records of a store. */
export interface BackupSource {
  /** Iterates over all scopes that ever had a commit, in any order. */
  scopeStates(): AsyncIterable<ScopeState>;
  /** Opens a scope at its last durable commit. A scope without a commit has no records. */
  openScope(scope: Scope): Promise<ScopeReader>;
}

/** A scope to restore. */
export interface RestoredScope {
  readonly scope: Scope;
  readonly seq: number;
  readonly lastTimeMs: number;
  /** The epoch that the scope keeps; `undefined`: the epoch of the target. */
  readonly epoch: string | undefined;
}

/** Writes records into a store as they are. */
export interface BackupTarget {
  /** Number of scopes that should be restored at the same time. Default: 1. */
  readonly restoresAtOnce?: number;
  /** Returns the head of a scope, as `Store.head` does. `seq` is 0 if the scope has no commit. */
  head(scope: Scope): Promise<Head>;
  /**
   * Replaces a scope by the records of `pages`. Writes whole pages in batches, under keys that no
   * reader uses. Makes all records visible in one step after `pages` has ended. Resolves when this
   * step is durable. If `pages` throws, or the process ends, the scope stays as it was.
   *
   * Updates of the scope wait meanwhile. Requires: `pages` ends, yields each record once, and
   * yields all pages of a table of one owner before other pages.
   *
   * @param replaced the head that the scope must have
   * @throws ABORTED (SCOPE_CHANGED) when the scope has another head
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when a page names a table that does not exist, or a
   *   table that its owner cannot have
   * @throws RESOURCE_EXHAUSTED (DISK_FULL) when the disk has no space
   */
  restoreScope(
    restored: RestoredScope,
    replaced: Head,
    pages: AsyncIterable<RecordPage>,
  ): Promise<void>;
}

/** Checks the records of one scope before a restore shows them. */
export interface ScopeCheck {
  /** @throws INVALID_ARGUMENT (INVALID_BACKUP) when no call could read a record of the page */
  add(page: RecordPage): void;
  /**
   * Called after the last page.
   *
   * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the records do not fit each other
   */
  end(): void;
}

/** Reads and writes all records of a store, below its transactions. */
export interface RawRecords extends BackupSource, BackupTarget {}
