import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../command-io.js";
import { checkBackupFile } from "./backup-path.js";
import { partPath, syncParent } from "./part-file.js";

/** The size of a backup. */
export interface BackupSize {
  readonly scopes: number;
  readonly records: number;
  readonly bytes: number;
}

/** A new backup in a folder. */
export interface FolderBackup extends BackupSize {
  /** The path of the backup. */
  readonly file: string;
  /** Names of the older backups that were removed. */
  readonly removed: readonly string[];
}

/** How to make a backup in a folder. */
export interface FolderBackupOptions {
  /** The folder. It is made if it is missing. */
  readonly folder: string;
  /** How many backups to keep, the newest first. `undefined`: all. */
  readonly keep: number | undefined;
  /** The time of the backup, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Writes a backup to a path. */
  readonly write: (path: string) => Promise<BackupSize>;
}

const unverifiedEnding = ".unverified";
const backupName = /^vademecum-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup$/;
const leftoverName = /^vademecum-[\dTZ-]+\.backup\.unverified(?:\.part)?$/;

/** A file that no command has written to for this time belongs to a command that was killed. */
const abandonedMs = 60 * 60 * 1000;

/** Whether a path is that of a backup before its verification. No later command continues it. */
export function isUnverified(path: string): boolean {
  return path.endsWith(unverifiedEnding);
}

/**
 * Writes a backup into a folder, reads it again, and only then gives it the name of a backup.
 * Afterwards removes older backups. Whenever the process is killed, each file whose name ends in
 * `.backup` is a whole and verified backup.
 *
 * @throws CommandFailure when the written file is not sound. No older backup is removed then
 */
export async function backUpIntoFolder({
  folder,
  keep,
  nowMs,
  write,
}: FolderBackupOptions): Promise<FolderBackup> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder, nowMs);
  const name = `vademecum-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-")}.backup`;
  const file = join(folder, name);
  const unverified = `${file}${unverifiedEnding}`;
  try {
    const written = await write(unverified);
    const found = await checkBackupFile(unverified, () => undefined);
    if (found.scopes !== written.scopes || found.records !== written.records)
      throw new CommandFailure(
        `${unverified}: it has ${found.scopes} scopes and ${found.records} records, ` +
          `but ${written.scopes} and ${written.records} were written`,
      );
    await rename(unverified, file);
    await syncParent(file);
    return { ...written, file, removed: await removeOlder(folder, keep) };
  } catch (error) {
    for (const path of [unverified, partPath(unverified)]) await rm(path, { force: true });
    throw error;
  }
}

/** Removes the backups after the newest `keep`. Returns their names. */
async function removeOlder(folder: string, keep: number | undefined): Promise<readonly string[]> {
  if (keep === undefined) return [];
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).sort();
  const older = names.slice(0, Math.max(0, names.length - keep));
  for (const name of older) await rm(join(folder, name), { force: true });
  return older;
}

/** Removes the unfinished files of commands that were killed. */
async function removeAbandoned(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!leftoverName.test(name)) continue;
    const path = join(folder, name);
    if (nowMs - (await stat(path)).mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}
