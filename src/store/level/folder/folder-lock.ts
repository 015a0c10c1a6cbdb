import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { folderInUse } from "../../errors.js";

/** Says that this process is the only one that works on the folder. The system ends it with the process, however that ends. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a data folder: a LevelDB that stays empty, because opening one takes a lock of the operating system.
 * The records' own LevelDB cannot be used for this: opening it changes files, which must not happen before they were checked.
 * `lockFolder` is made if it does not exist. Throws FAILED_PRECONDITION (FOLDER_IN_USE) if another process has it.
 */
export async function lockFolder(folder: string, lockFolder: string): Promise<FolderLock> {
  const lock = await openLock(folder, lockFolder).catch(async (error: unknown) => {
    if (levelErrorCode(error) !== "LEVEL_DATABASE_NOT_OPEN") throw error;
    // LevelDB locks before it reads, so nobody had the lock and its files are damaged. They hold nothing; LOCK itself stays, as another process may lock it now.
    const names = (await readdir(lockFolder)).filter((name) => name !== "LOCK");
    await Promise.all(
      names.map((name) => rm(join(lockFolder, name), { recursive: true, force: true })),
    );
    return openLock(folder, lockFolder);
  });
  return { release: () => lock.close() };
}

async function openLock(folder: string, lockFolder: string): Promise<Level> {
  const lock = new Level(lockFolder);
  try {
    await lock.open();
  } catch (error) {
    if (error instanceof Error && levelErrorCode(error.cause) === "LEVEL_LOCKED")
      throw folderInUse(folder, error);
    throw error;
  }
  return lock;
}

/** The code of an error of classic-level, such as `LEVEL_CORRUPTION`. */
export function levelErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
