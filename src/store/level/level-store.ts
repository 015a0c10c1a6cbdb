import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Allowance } from "../../core/model/allowance.js";
import { VademecumError } from "../../core/model/errors.js";
import type { Namespace, Scope } from "../../core/model/namespace.js";
import type {
  RawRecords,
  RecordPage,
  RestoredScope,
  ScopeReader,
  ScopeState,
} from "../../core/ports/backup.js";
import type { Clock } from "../../core/ports/clock.js";
import type { DueScope } from "../../core/ports/due-scope.js";
import type { IdRange } from "../../core/ports/id-range.js";
import type { Log } from "../../core/ports/log.js";
import { type Meter, noMeter } from "../../core/ports/meter.js";
import type { Removal, RemovalState } from "../../core/ports/removal.js";
import type { Reservation } from "../../core/ports/reservation.js";
import type { CrossUserRange } from "../../core/ports/scan-range.js";
import type {
  Change,
  Committed,
  CrossUserTable,
  Head,
  RecentCommits,
  Snapshot,
  Store,
  Transaction,
} from "../../core/ports/store.js";
import type { TenantTotals } from "../../core/ports/usage.js";
import { makeFolder } from "../../disk/folders.js";
import { eraseScope } from "../erase-scope.js";
import { folderNotUsable, isSystemError, storeUnavailable } from "../errors.js";
import type { RestoredBackup } from "../restored-backup.js";
import { Engine } from "./commit/engine.js";
import { startHighWaterMarker } from "./commit/high-water-marker.js";
import { LevelSnapshot } from "./commit/level-snapshot.js";
import { createDiskSpace, type DiskSpace } from "./folder/disk-space.js";
import { type FolderPaths, folderPaths, inspectFolder } from "./folder/folder.js";
import { type FolderLock, lockFolder } from "./folder/folder-lock.js";
import { realPlatform, type StorePlatform } from "./folder/platform.js";
import { requireRestoreState } from "./folder/restoring-file.js";
import { currentManifest, watchManifest } from "./leveldb-files/manifest-file.js";
import { beginEpochRenewal } from "./recovery/epoch-renewal.js";
import { type OpeningOptions, openFolder } from "./recovery/open-folder.js";

/** Little space is left below this many times the space at which writes are refused: 1 GiB. */
const lowShare = 8;

/** Default of `LevelStoreOptions.minFreeBytes`. */
const defaultMinFreeBytes = 128 * 1024 * 1024;

/**
 * The waits between attempts to reopen the store after a failure. Each wait is twice as long as the
 * previous wait, up to the maximum.
 */
const firstRetryMs = 100;
const maxRetryMs = 30_000;

export interface LevelStoreOptions {
  /** The data folder. Created if it does not exist. Must be empty or hold a store. */
  readonly folder: string;
  readonly clock: Clock;
  /**
   * Syncs the high-water mark before each acknowledgement. Default false: syncs it within 100 ms
   * afterwards. docs/internals/data-format.md describes the difference.
   */
  readonly syncMarks?: boolean;
  /** Gives the data a new epoch. Set when an earlier copy has replaced the data. Default false. */
  readonly newEpoch?: boolean;
  /** The backup to restore into the folder. Absent: the folder is served. */
  readonly restoredBackup?: RestoredBackup;
  /** Minimum free bytes on the disk for writes that add data. Default `defaultMinFreeBytes`. */
  readonly minFreeBytes?: number;
  /** Called when writes that add data begin to fail for lack of space, and when they work again. */
  readonly onFull?: (isFull: boolean) => void;
  /** Called when a write has failed. Nothing is served until `onRecovered`. */
  readonly onFailure?: (error: unknown) => void;
  /** Called when the store has been reopened after a failure and has passed all checks. */
  readonly onRecovered?: () => void;
  /**
   * Called before commits are written that delete or replace records from which indexes are made.
   * The commits are written when it resolves. If it rejects, the write has failed.
   */
  readonly beforeRemovals?: ((removals: readonly Removal[]) => Promise<void>) | undefined;
  readonly log?: Log;
  /** Notes the groups that are written, and the free space. Default: nobody does. */
  readonly meter?: Meter;
}

/**
 * Opens the store in a folder, and locks the folder until the store is closed.
 *
 * @throws FAILED_PRECONDITION (FOLDER_IN_USE) when another process uses the folder
 * @throws FAILED_PRECONDITION (NOT_A_DATA_FOLDER) when the folder holds other files and no store
 * @throws FAILED_PRECONDITION (FOLDER_NOT_USABLE) when the folder cannot be created or read
 * @throws FAILED_PRECONDITION (RESTORE_UNFINISHED, FOLDER_NOT_EMPTY) as `requireRestoreState`
 * @throws DATA_LOSS (STORE_DAMAGED) when the store is damaged
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the disk fails during opening
 */
export async function openLevelStore(
  options: LevelStoreOptions,
  platform: StorePlatform = realPlatform,
): Promise<Store & RawRecords> {
  const paths = folderPaths(options.folder);
  const lock = await lockDataFolder(paths).catch((error: unknown) => {
    throw isSystemError(error) ? folderNotUsable(options.folder, error) : error;
  });
  try {
    await requireRestoreState(paths, options.restoredBackup);
    if (options.newEpoch === true) await beginEpochRenewal(paths, randomUUID());
    const store = new LevelStore(options, paths, platform, lock);
    await store.open({ mayCreate: true });
    return store;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockDataFolder(paths: FolderPaths): Promise<FolderLock> {
  // Checked before locking, so that a folder with foreign files gets no lock file.
  await inspectFolder(paths);
  await makeFolder(paths.folder);
  return lockFolder(paths.folder, paths.lock);
}

class LevelStore implements Store, RawRecords {
  readonly #space: DiskSpace;
  readonly #log: Log;
  /** The engine that serves calls. `undefined` after a failure and after closing. */
  #engine: Engine | undefined;
  /** Why nothing is served: the words after "the store" in an error. */
  #outage = "is being opened";
  #recovery: Promise<void> = Promise.resolve();
  #isLow = false;
  #openedAtMs = 0;
  #pageKey = "";
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly options: LevelStoreOptions,
    private readonly paths: FolderPaths,
    private readonly platform: StorePlatform,
    private readonly lock: FolderLock,
  ) {
    this.#log = options.log ?? (() => undefined);
    this.#space = createDiskSpace({
      reservePath: paths.reserve,
      reserveBytes: platform.reserveBytes,
      minFreeBytes: options.minFreeBytes ?? defaultMinFreeBytes,
      freeBytes: () => platform.freeBytes(paths.folder),
      onMeasured: (freeBytes) => this.#noteFree(freeBytes),
      onFull: (isFull, freeBytes) => this.#noteFull(isFull, freeBytes),
      onError: (error) => this.#log("warn", "cannot read the free space of the disk", { error }),
    });
  }

  /** Logs when little space is left, before writes are refused, and when there is more again. */
  #noteFree(freeBytes: number): void {
    this.options.meter?.("diskFreeBytes", freeBytes);
    const minFreeBytes = this.options.minFreeBytes ?? defaultMinFreeBytes;
    const facts = { folder: this.paths.folder, freeBytes, minFreeBytes };
    if (!this.#isLow && freeBytes < lowShare * minFreeBytes) {
      this.#isLow = true;
      this.#log("warn", "little disk space is left; below minFreeBytes, writes are refused", facts);
    } else if (this.#isLow && freeBytes > 1.1 * lowShare * minFreeBytes) {
      this.#isLow = false;
      this.#log("info", "enough disk space is left again", facts);
    }
  }

  #noteFull(isFull: boolean, freeBytes: number): void {
    const minFreeBytes = this.options.minFreeBytes ?? defaultMinFreeBytes;
    const facts = { folder: this.paths.folder, freeBytes, minFreeBytes };
    if (isFull) this.#log("error", "the disk is full; writes that add data are refused", facts);
    else this.#log("info", "the disk has space again; writes are accepted", facts);
    this.options.onFull?.(isFull);
  }

  async open({ mayCreate }: Pick<OpeningOptions, "mayCreate">): Promise<void> {
    const { paths, platform, options } = this;
    const opened = await openFolder({
      paths,
      platform,
      space: this.#space,
      clock: options.clock,
      mayCreate,
    });
    const { database, checked, highWaterMark } = opened;
    let engine: Engine | undefined;
    try {
      const manifest = await currentManifest(paths.records);
      if (manifest === undefined) throw new Error("an open LevelDB has no manifest");
      const firstMark = { ...highWaterMark, manifest: { number: manifest.number, bytes: 0 } };
      const marker = await startHighWaterMarker(
        await platform.openMarkFile(paths.highWaterMark),
        watchManifest(manifest),
        firstMark,
        {
          syncEach: options.syncMarks ?? false,
          onFailure: (error) => engine?.fail(error),
        },
      );
      await this.#space.watch();
      engine = new Engine(
        { database, checked, marker, space: this.#space, meter: options.meter ?? noMeter },
        {
          onFailure: (failed, error) => this.#fail(failed, error),
          beforeRemovals: options.beforeRemovals,
          onSweepError: (error) =>
            this.#log("warn", "removing cleared records failed; the next opening tries again", {
              error,
            }),
        },
      );
      this.#engine = engine;
      this.#openedAtMs = checked.latestTimeMs;
      this.#pageKey = checked.meta.pageKey;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    return this.#serving().update(scope, transact);
  }

  async erase(scope: Scope, nowMs: number): Promise<Head> {
    return eraseScope(this, scope, nowMs);
  }

  reserve(allowance: Allowance, tenant?: string): Reservation | undefined {
    return this.#serving().reserve(allowance, tenant);
  }

  async totals(tenant?: string): Promise<TenantTotals> {
    return this.#serving().totals(tenant);
  }

  async head(scope: Scope): Promise<Head> {
    return this.#serving().head(scope);
  }

  async removalState(namespace: Namespace): Promise<RemovalState> {
    return this.#serving().removalState(namespace);
  }

  recent(scope: Scope, afterSeq: number, head: Head): RecentCommits | undefined {
    return this.#engine?.recent(scope, afterSeq, head);
  }

  async snapshot(scope: Scope): Promise<Snapshot> {
    return this.#serving().snapshot(scope);
  }

  async changes(
    snapshot: Snapshot,
    afterSeq: number,
    untilSeq?: number,
  ): Promise<readonly Change[] | undefined> {
    if (!(snapshot instanceof LevelSnapshot))
      throw new Error("the snapshot belongs to another store");
    return snapshot.changes(afterSeq, untilSeq);
  }

  async *ids(range: IdRange): AsyncIterable<string> {
    yield* this.#serving().ids(range);
  }

  async *namespaces(): AsyncIterable<Namespace> {
    yield* this.#serving().namespaces();
  }

  async *scopes(): AsyncIterable<Scope> {
    yield* this.#serving().scopes();
  }

  async *dueScopes(nowMs: number): AsyncIterable<DueScope> {
    yield* this.#serving().dueScopes(nowMs);
  }

  async settleDue(scope: Scope, head: Head, dueMs: number | undefined): Promise<void> {
    await this.#serving().settleDue(scope, head, dueMs);
  }

  async *acrossUsers(
    table: CrossUserTable,
    range: CrossUserRange,
  ): AsyncIterable<readonly [key: string, userId: string]> {
    yield* this.#serving().acrossUsers(table, range);
  }

  async *undelivered(): AsyncIterable<Scope> {
    yield* this.#serving().undelivered();
  }

  async *scopeStates(): AsyncIterable<ScopeState> {
    yield* this.#serving().scopeStates();
  }

  async openScope(scope: Scope): Promise<ScopeReader> {
    return this.#serving().openScope(scope);
  }

  async restoreScope(
    restored: RestoredScope,
    replaced: Head,
    pages: AsyncIterable<RecordPage>,
  ): Promise<void> {
    await this.#serving().restoreScope(restored, replaced, pages);
  }

  async compact(): Promise<void> {
    await this.#serving().compact();
  }

  get pageKey(): string {
    return this.#pageKey;
  }

  get openedAtMs(): number {
    return this.#openedAtMs;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    try {
      // The recovery may end with a new engine, which has to be closed.
      await this.#recovery;
      await this.#engine?.close();
    } finally {
      this.#engine = undefined;
      this.#space.stop();
      await this.lock.release();
    }
  }

  #serving(): Engine {
    if (this.#closing.signal.aborted) throw storeUnavailable("is closed");
    if (this.#engine === undefined) throw storeUnavailable(this.#outage);
    return this.#engine;
  }

  #fail(engine: Engine, error: unknown): void {
    this.#log("error", "writing to disk failed; the store is being reopened", { error });
    if (this.#closing.signal.aborted) return;
    this.#engine = undefined;
    this.#outage = "has failed and is being reopened";
    this.options.onFailure?.(error);
    this.#recovery = this.#recover(engine);
  }

  /**
   * Tries to reopen the store until that succeeds, damage is found or the store is closed. Never
   * rejects.
   */
  async #recover(engine: Engine): Promise<void> {
    await engine.abandon();
    for (
      let retryMs = firstRetryMs;
      !this.#closing.signal.aborted;
      retryMs = Math.min(2 * retryMs, maxRetryMs)
    ) {
      try {
        // An empty folder may mean that the disk is gone, so no store is created in it.
        await this.open({ mayCreate: false });
        if (this.#closing.signal.aborted) return;
        this.#log("info", "the store was reopened and has passed all checks");
        this.options.onRecovered?.();
        return;
      } catch (error) {
        this.#log("error", "reopening the store failed", { error, retryMs });
        if (error instanceof VademecumError && error.code === "DATA_LOSS") {
          this.#outage = "is damaged";
          return;
        }
      }
      await delay(retryMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
