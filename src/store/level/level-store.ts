import { setTimeout as delay } from "node:timers/promises";
import { VademecumError } from "../../core/model/errors.js";
import type { Namespace, Scope } from "../../core/model/namespace.js";
import type { Clock } from "../../core/ports/clock.js";
import type { Log } from "../../core/ports/log.js";
import type { Change, Committed, Snapshot, Store, Transaction } from "../../core/ports/store.js";
import { folderNotUsable, isSystemError, storeUnavailable } from "../errors.js";
import { Engine } from "./commit/engine.js";
import { startHighWaterMarker } from "./commit/high-water-marker.js";
import { LevelSnapshot } from "./commit/level-snapshot.js";
import { createDiskSpace, type DiskSpace } from "./folder/disk-space.js";
import { type FolderPaths, folderPaths, inspectFolder, makeFolder } from "./folder/folder.js";
import { type FolderLock, lockFolder } from "./folder/folder-lock.js";
import { realPlatform, type StorePlatform } from "./folder/platform.js";
import { currentManifest, watchManifest } from "./leveldb-files/manifest-file.js";
import { type OpeningOptions, openFolder } from "./recovery/opening.js";

/** Growing writes are refused when less than this is free on the disk, unless another value is given. */
export const defaultMinFreeBytes = 128 * 1024 * 1024;

/** After a failure the store is opened again after this time, then after twice the time before as long as that fails. */
const firstRetryMs = 100;
const maxRetryMs = 30_000;

export interface LevelStoreOptions {
  /** The data folder. Made if it does not exist; must be empty or hold a store. */
  readonly folder: string;
  readonly clock: Clock;
  /** Look at every record, and go on with what can be saved if any is damaged. Default false: damage is refused. */
  readonly acceptDataLoss?: boolean;
  /** Sync the high-water mark before each reply. Default false: within 100 ms after it. docs/data-format.md says what that leaves open. */
  readonly syncMarks?: boolean;
  /** Growing writes are refused when less than this many bytes are free on the disk. Default `defaultMinFreeBytes`. */
  readonly minFreeBytes?: number;
  /** Called when a write has failed: nothing is served until `onRecovered`. */
  readonly onFailure?: (error: unknown) => void;
  /** Called when the store was opened again after a failure and has passed all checks. */
  readonly onRecovered?: () => void;
  readonly log?: Log;
}

/**
 * Opens the store in a folder and holds the folder until it is closed.
 *
 * Errors: FAILED_PRECONDITION (FOLDER_IN_USE) while another process has it, FAILED_PRECONDITION (NOT_A_DATA_FOLDER) for a folder with something else in it, FAILED_PRECONDITION (FOLDER_NOT_USABLE) for one that cannot be made or read, FAILED_PRECONDITION (FOLDER_NOT_USABLE) for one that cannot be made or read, DATA_LOSS (STORE_DAMAGED) for a damaged store until the loss is accepted, UNAVAILABLE (STORE_UNAVAILABLE) if the disk does not let it open now.
 */
export async function openLevelStore(
  options: LevelStoreOptions,
  platform: StorePlatform = realPlatform,
): Promise<Store> {
  const paths = folderPaths(options.folder);
  const lock = await takeFolder(paths).catch((error: unknown) => {
    throw isSystemError(error) ? folderNotUsable(options.folder, error) : error;
  });
  try {
    const store = new LevelStore(options, paths, platform, lock);
    await store.open({ mayCreate: true, acceptDataLoss: options.acceptDataLoss ?? false });
    return store;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function takeFolder(paths: FolderPaths): Promise<FolderLock> {
  // A folder that is not ours must not get as much as a lock.
  await inspectFolder(paths);
  await makeFolder(paths.folder);
  return lockFolder(paths.folder, paths.lock);
}

class LevelStore implements Store {
  readonly #space: DiskSpace;
  readonly #log: Log;
  /** Serves, unless it has failed. */
  #engine: Engine | undefined;
  /** Why nothing is served. */
  #outage = "is being opened";
  #recovery: Promise<void> = Promise.resolve();
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
      onError: (error) =>
        this.#log("warn", "cannot tell how much room is left on the disk", { error }),
    });
  }

  async open(allowed: Pick<OpeningOptions, "mayCreate" | "acceptDataLoss">): Promise<void> {
    const { paths, platform, options } = this;
    const opened = await openFolder({
      paths,
      platform,
      space: this.#space,
      clock: options.clock,
      log: this.#log,
      ...allowed,
    });
    const { database, checked, highWaterMark } = opened;
    let engine: Engine | undefined;
    try {
      const manifest = await currentManifest(paths.records);
      if (manifest === undefined) throw new Error("an open LevelDB has no manifest");
      const noted = { ...highWaterMark, manifest: { number: manifest.number, bytes: 0 } };
      const marker = await startHighWaterMarker(
        await platform.openMarkFile(paths.highWaterMark),
        watchManifest(manifest),
        noted,
        {
          syncEach: options.syncMarks ?? false,
          onFailure: (error) => engine?.fail(error),
        },
      );
      await this.#space.watch();
      engine = new Engine(
        { database, checked, marker, space: this.#space },
        {
          onFailure: (failed, error) => this.#fail(failed, error),
          onSweepError: (error) =>
            this.#log(
              "warn",
              "removing cleared records was put off until the store is opened again",
              { error },
            ),
        },
      );
      this.#engine = engine;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    return this.#serving().update(scope, transact);
  }

  async snapshot(scope: Scope): Promise<Snapshot> {
    return this.#serving().snapshot(scope);
  }

  async changes(snapshot: Snapshot, afterSeq: number): Promise<readonly Change[] | undefined> {
    if (!(snapshot instanceof LevelSnapshot))
      throw new Error("changes were asked for a snapshot of another store");
    return snapshot.changes(afterSeq);
  }

  async *namespaces(): AsyncIterable<Namespace> {
    yield* this.#serving().namespaces();
  }

  async *scopes(): AsyncIterable<Scope> {
    yield* this.#serving().scopes();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    try {
      // It may end with an engine that has to be closed.
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
    this.#log("error", "writing to disk failed; the store is closed and opened again", { error });
    if (this.#closing.signal.aborted) return;
    this.#engine = undefined;
    this.#outage = "has failed and is being opened again";
    this.options.onFailure?.(error);
    this.#recovery = this.#recover(engine);
  }

  /** Opens the store again, until that succeeds, damage is found or the store is closed. Never rejects. */
  async #recover(engine: Engine): Promise<void> {
    await engine.abandon();
    for (
      let retryMs = firstRetryMs;
      !this.#closing.signal.aborted;
      retryMs = Math.min(2 * retryMs, maxRetryMs)
    ) {
      try {
        // Whoever accepted a loss at the start has not accepted what is lost since; and a folder that is empty now may be a disk that went away.
        await this.open({ mayCreate: false, acceptDataLoss: false });
        if (this.#closing.signal.aborted) return;
        this.#log("info", "the store has passed all checks and serves again");
        this.options.onRecovered?.();
        return;
      } catch (error) {
        this.#log("error", "the store cannot be opened again", { error, retryMs });
        if (error instanceof VademecumError && error.code === "DATA_LOSS") {
          this.#outage = "is damaged";
          return;
        }
      }
      await delay(retryMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}
