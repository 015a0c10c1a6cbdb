import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import type { Database } from "../folder/database.js";
import { exists, type FolderPaths, listFolder } from "../folder/folder.js";
import type { ManifestSize } from "../folder/mark-file.js";
import type { StorePlatform } from "../folder/platform.js";
import { checkTable } from "../leveldb-files/table-check.js";
import { rescueTable } from "../leveldb-files/table-rescue.js";
import type { Finding } from "./damage.js";
import { copyLevelFolder } from "./evidence.js";
import { checkFiles } from "./files-check.js";

/** A copy of the records, repaired if necessary. LevelDB can read its undamaged records. */
export interface ReadableCopy {
  /** `undefined` if there are no records, or if LevelDB cannot open even the repaired copy. */
  readonly database: Database | undefined;
  /** Damage of the original manifest and table files. */
  readonly findings: readonly Finding[];
  /** Closes and removes the copy. */
  discard(): Promise<void>;
}

/**
 * Copies the records and opens the copy. Repairs the copy if files are damaged, or if LevelDB
 * cannot open it. The original files do not change.
 */
export async function openReadableCopy(
  { records, scratch }: FolderPaths,
  lastKnown: ManifestSize | undefined,
  platform: Pick<StorePlatform, "openDatabase">,
): Promise<ReadableCopy> {
  await rm(scratch, { recursive: true, force: true });
  const findings = await checkFiles(records, lastKnown, "all");
  let database: Database | undefined;
  if (await exists(records)) {
    await copyLevelFolder(records, scratch);
    if (findings.length === 0) database = await openIfPossible(scratch, platform);
    if (database === undefined) {
      await rescueTables(scratch);
      await Level.repair(scratch).catch(() => undefined);
      database = await openIfPossible(scratch, platform);
    }
  }
  return {
    database,
    findings,
    async discard() {
      await database?.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

async function openIfPossible(
  folder: string,
  platform: Pick<StorePlatform, "openDatabase">,
): Promise<Database | undefined> {
  try {
    return await platform.openDatabase(folder, { createIfMissing: false });
  } catch {
    return undefined;
  }
}

async function rescueTables(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    if (
      /\.(?:ldb|sst)$/.test(name) &&
      (await checkTable(path, (await stat(path)).size, "all")) !== undefined
    )
      await rescueTable(path);
  }
}
