import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/folders.js";
import { notAStore } from "../../errors.js";

/** Paths in a data folder; docs/internals/data-format.md describes the files. */
export interface FolderPaths {
  readonly folder: string;
  /** A LevelDB that is opened for its process lock only. */
  readonly lock: string;
  /** The LevelDB of all records. */
  readonly records: string;
  /**
   * The file with the high-water mark: the last group of commits that may have been acknowledged.
   */
  readonly highWaterMark: string;
  /** Present while the folder is being created: nothing in it has been acknowledged. */
  readonly creating: string;
  /** Present while a backup is being restored into the folder; holds the mark of the restore. */
  readonly restoring: string;
  /** Present while the epoch is being changed. */
  readonly newEpoch: string;
  /** Reserved space, freed to open the store on a full disk. */
  readonly reserve: string;
  /** Copies of the records from before opening, until all checks have passed. */
  readonly evidence: string;
  /** Present from the discovery of damage on. */
  readonly damage: string;
  /**
   * A copy of the records to read from while a folder is verified or its readable records are
   * backed up, so that the originals stay untouched.
   */
  readonly scratch: string;
}

export function folderPaths(folder: string): FolderPaths {
  return {
    folder,
    lock: join(folder, "lock"),
    records: join(folder, "records"),
    highWaterMark: join(folder, "high-water-mark"),
    creating: join(folder, "CREATING"),
    restoring: join(folder, "RESTORING"),
    newEpoch: join(folder, "NEW_EPOCH"),
    reserve: join(folder, "reserve"),
    evidence: join(folder, "evidence"),
    damage: join(folder, "DAMAGE.json"),
    scratch: join(folder, "records.scratch"),
  };
}

/**
 * The names that an empty data folder may have: the lock, the audit trail, the files of embedders
 * and indexes, the mark of an unfinished restore, a half-written copy of this mark from before a
 * crash, and a folder that file systems create in the root of a disk.
 */
const emptyFolderNames = new Set([
  "lock",
  "audit",
  "embeddings",
  "graphs",
  "images",
  "clock-jump",
  "lost+found",
  "RESTORING",
  "RESTORING.tmp",
]);

/**
 * Returns `existing` for a folder that holds a store. Returns `new` for a folder that does not
 * exist or is empty, or in which the creation of a store was interrupted.
 *
 * @throws FAILED_PRECONDITION (NOT_A_DATA_FOLDER) when it holds other files and no store
 */
export async function inspectFolder(paths: FolderPaths): Promise<"new" | "existing"> {
  const names = (await listFolder(paths.folder)).filter((name) => !emptyFolderNames.has(name));
  const [first] = names;
  if (first === undefined || names.includes("CREATING")) return "new";
  // One of these names is enough: a folder without the other names holds a damaged store.
  if (["records", "high-water-mark", "DAMAGE.json"].some((name) => names.includes(name)))
    return "existing";
  throw notAStore(paths.folder, first);
}

/** Returns the names in a folder; none if it does not exist. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether an error means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Writes a file. After a crash, the file has either its whole new content or its earlier state. */
export async function writeFileDurably(
  folder: string,
  path: string,
  content: string,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(folder);
}

/** Removes a file or folder. It stays removed after a crash. */
export async function removeDurably(folder: string, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await syncFolder(folder);
}
