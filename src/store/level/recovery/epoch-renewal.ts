import { readFile, rename } from "node:fs/promises";
import { syncFolder } from "../../../disk/folders.js";
import { seal } from "../../codec/envelope.js";
import { emptyFolder } from "../../errors.js";
import { randomPageKey } from "../../page-key.js";
import { type Database, writeSynced } from "../folder/database.js";
import {
  type FolderPaths,
  inspectFolder,
  isMissing,
  removeDurably,
  writeFileDurably,
} from "../folder/folder.js";
import { createMarkFile, type HighWaterMark, readMarkFile } from "../folder/mark-file.js";
import { metaKey } from "../format/keys.js";
import { type EpochRenewal, encodeMeta } from "./opening-checks.js";

/**
 * Lets the next opening of a folder change its epoch. Requires: the folder is locked.
 *
 * @throws FAILED_PRECONDITION (NOT_A_DATA_FOLDER) when the folder holds no store
 */
export async function beginEpochRenewal(paths: FolderPaths, to: string): Promise<void> {
  if ((await inspectFolder(paths)) === "new") throw emptyFolder(paths.folder);
  if ((await readEpochRenewal(paths)) !== undefined) return;
  const mark = await readMarkFile(paths.highWaterMark);
  // Without a mark, opening reports the damage.
  if (mark === undefined) return;
  const renewal: EpochRenewal = { from: mark.epoch, to };
  await writeFileDurably(paths.folder, paths.newEpoch, `${JSON.stringify(renewal)}\n`);
}

/** Returns the unfinished change of the epoch; `undefined` if there is none. */
export async function readEpochRenewal({
  newEpoch,
}: FolderPaths): Promise<EpochRenewal | undefined> {
  try {
    return JSON.parse(await readFile(newEpoch, "utf8")) as EpochRenewal;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Changes the epoch of records that have passed all checks. Returns the high-water mark of the new
 * epoch.
 */
export async function renewEpoch(
  paths: FolderPaths,
  database: Database,
  mark: HighWaterMark,
  { to }: EpochRenewal,
): Promise<HighWaterMark> {
  const meta = { storeId: mark.storeId, epoch: to, pageKey: randomPageKey() };
  await writeSynced(database, [
    { type: "put", key: metaKey, value: seal(metaKey, encodeMeta(meta)) },
  ]);
  const renewed = { ...mark, epoch: to, clean: false };
  const temporary = `${paths.highWaterMark}.tmp`;
  await createMarkFile(temporary, renewed);
  await rename(temporary, paths.highWaterMark);
  await syncFolder(paths.folder);
  await removeDurably(paths.folder, paths.newEpoch);
  return renewed;
}
