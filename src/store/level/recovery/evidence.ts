import { constants } from "node:fs";
import { copyFile, link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { listFolder } from "../folder/folder.js";

/**
 * Copies a LevelDB folder. Table files never change, so the copy uses hard links for them where the
 * file system supports hard links.
 */
export async function copyLevelFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await listFolder(from)) {
    if (name === "LOCK") continue;
    const source = join(from, name);
    const target = join(to, name);
    if (!/\.(?:ldb|sst)$/.test(name)) await copyFile(source, target);
    else
      await link(source, target).catch(() => copyFile(source, target, constants.COPYFILE_FICLONE));
  }
}

/**
 * Keeps a copy of the records before LevelDB opens them, because opening drops what LevelDB cannot
 * read.
 *
 * An older copy comes from an opening that did not finish, and may be the only complete copy. So
 * older copies are kept too.
 */
export async function keepEvidence(recordsFolder: string, evidenceFolder: string): Promise<void> {
  const attempts = (await listFolder(evidenceFolder)).length;
  await copyLevelFolder(recordsFolder, join(evidenceFolder, String(attempts + 1)));
}

/** Removes all copies once the records have passed every check. */
export async function dropEvidence(evidenceFolder: string): Promise<void> {
  await rm(evidenceFolder, { recursive: true, force: true });
}
