import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { folderInUse } from "../../errors.js";

/**
 * Proof that only this process uses the folder. The operating system releases the lock when the
 * process ends, even after a crash.
 */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a data folder. The lock is an empty LevelDB, because opening a LevelDB takes a lock of the
 * operating system. The LevelDB of the records cannot be the lock: opening it changes its files,
 * which must be checked first.
 *
 * @param lockFolder the folder of the empty LevelDB, created if it does not exist
 * @throws FAILED_PRECONDITION (FOLDER_IN_USE) when another process has the lock
 * @throws Error of the system when the lock cannot be created, such as on a read-only disk
 */
export async function lockFolder(folder: string, lockFolder: string): Promise<FolderLock> {
  // Creates the folder here, because LevelDB would not say why it cannot create it.
  await mkdir(lockFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const lock = await openLock(folder, lockFolder).catch(async (error: unknown) => {
    if (levelErrorCode(error) !== "LEVEL_DATABASE_NOT_OPEN") throw error;
    // LevelDB takes the lock before it reads files. So this error means damaged files, not a lock
    // of another process. The files hold no data. The file LOCK stays, because another process may
    // lock it now.
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

/** Returns the code of an error of classic-level, such as `LEVEL_CORRUPTION`. */
export function levelErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
