import { ClassicLevel, type Snapshot } from "classic-level";
import { createPause } from "../../../core/requests/pause.js";
import { damagedRecord, storeUnavailable } from "../../errors.js";
import { unseal } from "../format/envelope.js";
import type { KeyRange } from "../format/keys.js";
import { levelErrorCode } from "./folder-lock.js";

/** A LevelDB whose keys and values are bytes. */
export type Database = ClassicLevel<Buffer, Buffer>;
export type DatabaseSnapshot = Snapshot;
/** A key to put or to delete. */
export type Operation =
  | { readonly type: "put"; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: "del"; readonly key: Buffer };
export type Entry = [key: Buffer, value: Buffer];

/** How much LevelDB keeps in memory before it writes a table, in bytes. Twice as much may be in its logs. */
export const writeBufferBytes = 4 * 1024 * 1024;
const cacheBytes = 32 * 1024 * 1024;
/** Size of a table: opening looks at each, so there should not be too many. */
const tableBytes = 8 * 1024 * 1024;

/** The first read of a scan: most callers want a page. Later ones are larger. */
const firstChunkEntries = 32;
const chunkEntries = 1000;
const chunkBytes = 256 * 1024;

/** Opens the LevelDB in a folder. One that exists must be opened with `createIfMissing: false`: where a file is missing, LevelDB would begin anew and delete all tables. */
export async function openDatabase(
  folder: string,
  options: { readonly createIfMissing: boolean },
): Promise<Database> {
  const database: Database = new ClassicLevel<Buffer, Buffer>(folder, {
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

/** Operations of a large batch that are handed over before other work may get its turn. */
const operationsBetweenPauses = 256;

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

/** Where and how to scan. */
export interface EntryRange extends KeyRange {
  /** Begin behind this key, in the direction of the scan. */
  readonly after?: Buffer;
  readonly reverse?: boolean;
  readonly snapshot?: DatabaseSnapshot;
}

/** The entries of a range in chunks, as they are on disk: values are not checked. */
export async function* scanChunks(
  database: Database,
  range: EntryRange,
): AsyncGenerator<readonly Entry[]> {
  const { prefix, end, after, reverse = false, snapshot } = range;
  const bounds =
    after === undefined
      ? { gte: prefix, lt: end }
      : reverse
        ? { gte: prefix, lt: after }
        : { gt: after, lt: end };
  const iterator = database.iterator({
    ...bounds,
    reverse,
    highWaterMarkBytes: chunkBytes,
    ...(snapshot === undefined ? {} : { snapshot }),
  });
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

/** A value as it is on disk, `undefined` if there is none. */
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

/** The payload of a value. Throws DATA_LOSS if it is damaged. `what` names the record in the error. */
export function requirePayload(key: Buffer, value: Buffer, what: string): Buffer {
  const payload = unseal(key, value);
  if (payload === undefined) throw damagedRecord(`${what} is damaged: its checksum does not hold`);
  return payload;
}

/** The payload under a key, `undefined` if there is none. Throws DATA_LOSS if it is damaged. */
export function readPayload(
  database: Database,
  key: Buffer,
  what: string,
  snapshot?: DatabaseSnapshot,
): Buffer | undefined {
  const value = readSealed(database, key, snapshot);
  return value === undefined ? undefined : requirePayload(key, value, what);
}

/** What a failed read of LevelDB means to the caller. */
function readFailure(database: Database, error: unknown): unknown {
  if (database.status !== "open") return storeUnavailable("is not open any more", error);
  if (levelErrorCode(error) === "LEVEL_CORRUPTION")
    return damagedRecord("a table is damaged", error);
  // An error of the disk has no code of its own when it comes from `getSync`.
  if (error instanceof Error && error.message.startsWith("IO error"))
    return storeUnavailable("cannot read from its disk", error);
  return error;
}

/** The entries of a range of a LevelDB that may be damaged: whatever can be read of them, one by one. */
export async function* scanReadable(
  database: Database,
  { prefix, end }: KeyRange,
): AsyncGenerator<Entry> {
  let after: Buffer | undefined;
  // LevelDB skips a damaged block and tells of it at the end of the range only; the entries that were read in the same call are lost then. So the last ones are read again, each in a call of its own.
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
    } finally {
      await iterator.close();
    }
  }
}
