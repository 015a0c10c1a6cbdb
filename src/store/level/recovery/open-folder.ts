import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import type { Clock } from "../../../core/ports/clock.js";
import { syncFolder } from "../../../disk/folders.js";
import { seal } from "../../codec/envelope.js";
import { storeDamaged, storeUnavailable } from "../../errors.js";
import { randomPageKey } from "../../page-key.js";
import { type Database, writeSynced } from "../folder/database.js";
import type { DiskSpace } from "../folder/disk-space.js";
import { type FolderPaths, inspectFolder, removeDurably } from "../folder/folder.js";
import { levelErrorCode } from "../folder/folder-lock.js";
import { createMarkFile, type HighWaterMark, readMarkFile } from "../folder/mark-file.js";
import type { StorePlatform } from "../folder/platform.js";
import { markKey, metaKey } from "../format/keys.js";
import { encodeMark } from "../format/marks.js";
import {
  describeFinding,
  type Finding,
  readDamage,
  refuseAsDamaged,
  restoreOrRescue,
} from "./damage.js";
import { readEpochRenewal, renewEpoch } from "./epoch-renewal.js";
import { dropEvidence, keepEvidence } from "./evidence.js";
import { checkFiles } from "./files-check.js";
import { type CheckedStore, checkOpened, encodeMeta } from "./opening-checks.js";

/** An open store that has passed all checks. */
export interface OpenedFolder {
  readonly database: Database;
  readonly checked: CheckedStore;
  /** The high-water mark before opening. After a change of the epoch, it has the new epoch. */
  readonly highWaterMark: HighWaterMark;
}

export interface OpeningOptions {
  readonly paths: FolderPaths;
  readonly platform: StorePlatform;
  readonly space: DiskSpace;
  readonly clock: Clock;
  /** Creates a store in an empty folder. */
  readonly mayCreate: boolean;
}

/**
 * Opens the store of a folder, or creates one if the folder is empty and `mayCreate` is true.
 * Refuses a damaged store, now and at every later opening.
 *
 * Requires: the folder is locked.
 *
 * @throws DATA_LOSS (STORE_DAMAGED) when the store is damaged
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the folder is empty and `mayCreate` is false, or
 *   when LevelDB cannot open the records
 */
export async function openFolder(options: OpeningOptions): Promise<OpenedFolder> {
  const { paths, platform, clock, mayCreate } = options;
  if ((await inspectFolder(paths)) === "new") {
    if (!mayCreate) throw storeUnavailable("finds its folder empty");
    await createStore(paths, platform);
  }
  const known = await readDamage(paths);
  if (known.length > 0) throw storeDamaged(known.map(describeFinding), paths);
  const opened = await openWithChecks(options);
  if ("database" in opened) return opened;
  throw await refuseAsDamaged(paths, opened.findings, clock.nowMs());
}

async function openWithChecks({
  paths,
  platform,
  space,
}: OpeningOptions): Promise<OpenedFolder | { readonly findings: readonly Finding[] }> {
  const highWaterMark = await readMarkFile(paths.highWaterMark);
  if (highWaterMark === undefined) {
    return {
      findings: [
        { where: paths.highWaterMark, what: "it is missing or damaged", remedy: restoreOrRescue },
      ],
    };
  }
  const depth = highWaterMark.clean ? "frame" : "all";
  const findings = await checkFiles(paths.records, highWaterMark.manifest, depth);
  if (findings.length > 0) return { findings };
  await space.makeRoomToOpen();
  await keepEvidence(paths.records, paths.evidence);
  // From opening on, LevelDB may abort the process when it merges a damaged table file. After such
  // an abort, the mark says "not closed". So the next start checks every block and refuses the
  // store.
  if (highWaterMark.clean) await noteOpening(paths, platform, highWaterMark);
  const opened = await openExisting(paths, platform);
  if ("findings" in opened) return opened;
  const { database } = opened;
  try {
    const renewal = await readEpochRenewal(paths);
    const result = await checkOpened(database, highWaterMark, renewal);
    if ("findings" in result) {
      await database.close();
      return result;
    }
    await dropEvidence(paths.evidence);
    if (renewal === undefined) return { database, checked: result.store, highWaterMark };
    const meta = { ...result.store.meta, epoch: renewal.to };
    const renewed = await renewEpoch(paths, database, highWaterMark, renewal);
    return { database, checked: { ...result.store, meta }, highWaterMark: renewed };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function noteOpening(
  { highWaterMark: path }: FolderPaths,
  platform: StorePlatform,
  mark: HighWaterMark,
): Promise<void> {
  const file = await platform.openMarkFile(path);
  try {
    await file.write({ ...mark, clean: false });
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openExisting(
  paths: FolderPaths,
  platform: StorePlatform,
): Promise<{ readonly database: Database } | { readonly findings: readonly Finding[] }> {
  try {
    return { database: await platform.openDatabase(paths.records, { createIfMissing: false }) };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (levelErrorCode(cause) !== "LEVEL_CORRUPTION")
      throw storeUnavailable("cannot open its records", error);
    const what = cause instanceof Error ? cause.message : "it cannot be opened";
    return { findings: [{ where: paths.records, what, remedy: restoreOrRescue }] };
  }
}

/**
 * Creates an empty store. While the file `CREATING` exists, nothing has been acknowledged. A
 * process that finds this file starts over.
 */
async function createStore(paths: FolderPaths, platform: StorePlatform): Promise<void> {
  await writeFile(paths.creating, "");
  await syncFolder(paths.folder);
  for (const leftover of [paths.records, paths.highWaterMark])
    await rm(leftover, { recursive: true, force: true });
  const meta = { storeId: randomUUID(), epoch: randomUUID(), pageKey: randomPageKey() };
  const mark = encodeMark({ floor: 0, bytes: 0, groupChecksum: 0, heads: { count: 0, digest: 0 } });
  const database = await platform.openDatabase(paths.records, { createIfMissing: true });
  try {
    await writeSynced(database, [
      { type: "put", key: metaKey, value: seal(metaKey, encodeMeta(meta)) },
      { type: "put", key: markKey(0), value: seal(markKey(0), mark) },
    ]);
  } finally {
    await database.close();
  }
  await createMarkFile(paths.highWaterMark, {
    ...meta,
    group: 0,
    groupChecksum: 0,
    manifest: { number: 0, bytes: 0 },
    clean: false,
  });
  await removeDurably(paths.folder, paths.creating);
}
