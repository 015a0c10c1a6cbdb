import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { createPause } from "../../../core/requests/pause.js";
import { unseal } from "../../codec/envelope.js";
import { damagedRecord, storeUnavailable } from "../../errors.js";
import type { KeyRange } from "../format/keys.js";
import { levelErrorCode } from "./folder-lock.js";

/** A LevelDB whose keys and values are bytes. */
export type Database = Level<Buffer, Buffer>;
export type DatabaseSnapshot = ReturnType<Database["snapshot"]>;
/** A put or a deletion. */
export type Operation =
  | { readonly type: "put"; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: "del"; readonly key: Buffer };
export type Entry = [key: Buffer, value: Buffer];

/**
 * Bytes that LevelDB keeps in RAM before it writes a table file. LevelDB's logs may hold twice as
 * much.
 */
export const writeBufferBytes = 4 * 1024 * 1024;
const cacheBytes = 32 * 1024 * 1024;
/**
 * Maximum size of a table file. Opening checks every table file, so there should not be too many.
 */
const tableBytes = 8 * 1024 * 1024;

/** Number of entries in the first read of a scan. Many callers need no more. */
const firstChunkEntries = 32;
/** Number of entries in each later read. */
const chunkEntries = 1000;
const chunkBytes = 256 * 1024;

/**
 * Opens the LevelDB in a folder.
 *
 * Requires: `createIfMissing` is false for an existing LevelDB. If the file `CURRENT` were missing,
 * LevelDB would start empty and delete all table files.
 */
export async function openDatabase(
  folder: string,
  options: { readonly createIfMissing: boolean },
): Promise<Database> {
  const database: Database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
  });
  await database.open({
    ...options,
    writeBufferSize: writeBufferBytes,
    cacheSize: cacheBytes,
    maxFileSize: tableBytes,
  });
  return database;
}

/**
 * A method that `level` has on Node, where `level` is the package classic-level. The types of
 * `level` lack it.
 */
interface Compactable {
  compactRange(first: Buffer, last: Buffer): Promise<void>;
}

/** Rewrites all table files without deleted records. LevelDB's log then starts anew, too. */
export async function compactAll(database: Database): Promise<void> {
  const afterEveryKey = Buffer.alloc(16, 0xff);
  await (database as Database & Compactable).compactRange(Buffer.alloc(0), afterEveryKey);
}

/** Removes the lines of LevelDB's own log, as far as the system allows. */
export async function emptyInfoLog({ location }: Database): Promise<void> {
  // LevelDB writes on at its own position, which leaves zeros before it.
  for (const name of ["LOG", "LOG.old"])
    await truncate(join(location, name)).catch(() => undefined);
}

/** Number of operations that are added to a batch before other work may run. */
export const operationsBetweenPauses = 256;

/** Writes operations in one atomic step. Resolves when they are on disk. */
export async function writeSynced(
  database: Database,
  operations: readonly Operation[],
): Promise<void> {
  // The chained form costs the event loop a twentieth of what an array of operations costs.
  const batch = database.batch();
  const pause = createPause();
  for (const [i, operation] of operations.entries()) {
    if (operation.type === "put") batch.put(operation.key, operation.value);
    else batch.del(operation.key);
    if (i % operationsBetweenPauses === operationsBetweenPauses - 1) await pause();
  }
  await batch.write({ sync: true });
}

/** A range to scan. */
export interface EntryRange extends KeyRange {
  /** Start after this key, in the direction of the scan. */
  readonly after?: Buffer;
  readonly reverse?: boolean;
  readonly snapshot?: DatabaseSnapshot;
}

/**
 * Takes a snapshot of a LevelDB. The caller closes it.
 *
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the LevelDB is closed
 */
export function takeSnapshot(database: Database): DatabaseSnapshot {
  try {
    return database.snapshot();
  } catch (error) {
    throw readFailure(database, error);
  }
}

/** Iterates over the entries of a range in chunks. Checksums of values are not checked. */
export async function* scanChunks(
  database: Database,
  range: EntryRange,
): AsyncGenerator<readonly Entry[]> {
  const iterator = openIterator(database, range);
  try {
    for (let size = firstChunkEntries; ; size = chunkEntries) {
      const entries = await iterator.nextv(size);
      if (entries.length === 0) return;
      yield entries;
    }
  } catch (error) {
    throw readFailure(database, error);
  } finally {
    await iterator.close();
  }
}

function openIterator(
  database: Database,
  { prefix, end, after, reverse = false, snapshot }: EntryRange,
) {
  const bounds =
    after === undefined
      ? { gte: prefix, lt: end }
      : reverse
        ? { gte: prefix, lt: after }
        : { gt: after, lt: end };
  try {
    return database.iterator({
      ...bounds,
      reverse,
      highWaterMarkBytes: chunkBytes,
      ...(snapshot === undefined ? {} : { snapshot }),
    });
  } catch (error) {
    throw readFailure(database, error);
  }
}

/**
 * Returns the sealed value of a key (see `seal`); `undefined` if there is none.
 *
 * Reads on the event loop. `getSync` takes 3.5 us and does not queue behind synced writes. `get`
 * takes 45 us, because it goes through the thread pool (docs/internals/decisions/0034).
 */
export function readSealed(
  database: Database,
  key: Buffer,
  snapshot?: DatabaseSnapshot,
): Buffer | undefined {
  try {
    return snapshot === undefined ? database.getSync(key) : database.getSync(key, { snapshot });
  } catch (error) {
    throw readFailure(database, error);
  }
}

/**
 * Returns the payload of a sealed value.
 *
 * @param what names the record in the error
 * @throws DATA_LOSS (DAMAGED_RECORD) when the value is damaged
 */
export function requirePayload(key: Buffer, value: Buffer, what: string): Buffer {
  const payload = unseal(key, value);
  if (payload === undefined) throw damagedRecord(`${what} is damaged: its checksum is wrong`);
  return payload;
}

/**
 * Returns the payload of a key, `undefined` if there is none.
 *
 * @param what names the record in the error
 * @throws DATA_LOSS (DAMAGED_RECORD) when the value is damaged
 */
export function readPayload(
  database: Database,
  key: Buffer,
  what: string,
  snapshot?: DatabaseSnapshot,
): Buffer | undefined {
  const value = readSealed(database, key, snapshot);
  return value === undefined ? undefined : requirePayload(key, value, what);
}

/** Returns the greatest key of a range; `undefined` if the range has none. */
export async function greatestKey(
  database: Database,
  { prefix, end }: KeyRange,
): Promise<Buffer | undefined> {
  const [key] = await database.keys({ gte: prefix, lt: end, reverse: true, limit: 1 }).all();
  return key;
}

/** Converts an error of a read of LevelDB to the error for the caller. */
export function readFailure(database: Database, error: unknown): unknown {
  if (database.status !== "open") return storeUnavailable("is no longer open", error);
  if (levelErrorCode(error) === "LEVEL_CORRUPTION")
    return damagedRecord("a table is damaged", error);
  // Errors of the disk have no code when they come from `getSync`.
  if (error instanceof Error && error.message.startsWith("IO error"))
    return storeUnavailable("cannot read from its disk", error);
  return error;
}

/**
 * Iterates over all readable entries of a range of a LevelDB that may be damaged.
 *
 * @param onDamage gets LevelDB's error if an entry cannot be read, because it is damaged or the
 *   disk has failed twice
 */
export async function* scanReadable(
  database: Database,
  { prefix, end }: KeyRange,
  onDamage: (error: Error) => void = () => undefined,
): AsyncGenerator<Entry> {
  let after: Buffer | undefined;
  // LevelDB skips a damaged block and reports it only at the end of the range. The entries of that
  // last call are then lost. So the rest of the range is read again, with one entry per call.
  for (const size of [chunkEntries, 1]) {
    const start = after === undefined ? { gte: prefix } : { gt: after };
    const iterator = database.iterator({ ...start, lt: end, highWaterMarkBytes: chunkBytes });
    try {
      for (;;) {
        const entries = await iterator.nextv(size);
        if (entries.length === 0) return;
        yield* entries;
        after = entries.at(-1)?.[0];
      }
    } catch (error) {
      const code = levelErrorCode(error);
      if (code !== "LEVEL_CORRUPTION" && code !== "LEVEL_IO_ERROR") throw error;
      if (code === "LEVEL_CORRUPTION" || size === 1) onDamage(error as Error);
    } finally {
      await iterator.close();
    }
  }
}
