import { closeSync, fsyncSync, openSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Creates a folder and its missing parents, for this user alone. They survive a crash. */
export async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 }).catch(
    async (error: unknown) => {
      // On a read-only disk, a recursive `mkdir` reports that the folder is missing. A plain
      // `mkdir` reports the true reason.
      await mkdir(folder);
      throw error;
    },
  );
  if (firstMade === undefined) return;
  const above = dirname(resolve(firstMade));
  for (let made = resolve(folder); made !== above; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Makes added, changed and removed names of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSync) return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does what `syncFolder` does, and blocks the thread meanwhile. */
export function syncFolderBlocking(folder: string): void {
  if (!canSync) return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Windows cannot sync a folder: opening a folder fails there. */
const canSync = process.platform !== "win32";
