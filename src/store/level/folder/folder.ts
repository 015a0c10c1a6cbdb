import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { notAStore } from "../../errors.js";

/** Where everything lies in a data folder; docs/data-format.md says what each is for. */
export interface FolderPaths {
  readonly folder: string;
  /** A LevelDB that is only opened for its process lock. */
  readonly lock: string;
  /** The LevelDB of all records. */
  readonly records: string;
  /** Number of the last group that may have been acknowledged. */
  readonly highWaterMark: string;
  /** Present while the folder is being made: nothing in it was ever acknowledged. */
  readonly creating: string;
  /** Space that is given up to open when the disk is full. */
  readonly reserve: string;
  /** Copies from before opening, until all checks have passed. */
  readonly evidence: string;
  /** Present from when damage was found until it was accepted. */
  readonly damage: string;
  /** One line for each accepted loss. */
  readonly losses: string;
  /** What could be saved, until it takes the place of `records`. */
  readonly salvaged: string;
  /** A copy to read from while saving or verifying, so that what is there stays untouched. */
  readonly scratch: string;
}

export function folderPaths(folder: string): FolderPaths {
  return {
    folder,
    lock: join(folder, "lock"),
    records: join(folder, "records"),
    highWaterMark: join(folder, "high-water-mark"),
    creating: join(folder, "CREATING"),
    reserve: join(folder, "reserve"),
    evidence: join(folder, "evidence"),
    damage: join(folder, "DAMAGE.json"),
    losses: join(folder, "losses.jsonl"),
    salvaged: join(folder, "records.salvaged"),
    scratch: join(folder, "records.scratch"),
  };
}

/** What stands in an empty folder too: our own lock, what embedders and indexes keep, and what file systems put into the root of a disk. */
const emptyFolderNames = new Set(["lock", "embeddings", "graphs", "lost+found"]);

/** Whether a folder is to be filled (`new`) or holds a store (`existing`). Throws FAILED_PRECONDITION (NOT_A_DATA_FOLDER) for one that holds something else. */
export async function inspectFolder(paths: FolderPaths): Promise<"new" | "existing"> {
  const names = (await listFolder(paths.folder)).filter((name) => !emptyFolderNames.has(name));
  const [first] = names;
  if (first === undefined || names.includes("CREATING")) return "new";
  // One of these is enough: a store that has lost the others is damaged, not foreign.
  if (
    ["records", "high-water-mark", "DAMAGE.json", "records.salvaged"].some((name) =>
      names.includes(name),
    )
  )
    return "existing";
  throw notAStore(paths.folder, first);
}

/** Names in a folder, none if it does not exist. */
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

/** Whether an error says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Writes a file so that after a crash it is there whole or not at all. */
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

/** Removes a file or folder so that it stays removed after a crash. */
export async function removeDurably(folder: string, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await syncFolder(folder);
}

/** Makes a folder and those above it, unless they are there, so that they stay after a crash. */
export async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true });
  if (firstMade === undefined) return;
  const above = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== above; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Makes names that were added, changed or removed in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call, and opening a folder there fails.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
