import type { BackupTarget } from "../../core/ports/backup.js";
import type { Clock } from "../../core/ports/clock.js";
import type { RestoredBackup } from "../restored-backup.js";
import { targetOfTenant } from "../tenant-records.js";
import { folderPaths, inspectFolder, removeDurably } from "./folder/folder.js";
import { begunRestore, folderNotEmpty } from "./folder/restoring-file.js";
import { openLevelStore } from "./level-store.js";

/** A data folder into which a backup is being restored. */
export interface RestoreFolder {
  readonly target: BackupTarget;
  /** Ends the restore: from now on a server may serve the folder. Call `close` first. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** What to restore, and where. */
export interface FolderRestore extends RestoredBackup {
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Opens a folder to restore a backup into it, or to continue an interrupted restore of the same
 * backup into the same tenant. A new restore needs an empty folder. A new restore of a tenant needs
 * a folder without data of this tenant. No server opens the folder until `finish`.
 *
 * @throws FAILED_PRECONDITION (FOLDER_NOT_EMPTY, RESTORE_UNFINISHED) when the folder holds other
 *   data
 * @throws the errors of `openLevelStore`
 */
export async function openRestoreFolder(restore: FolderRestore): Promise<RestoreFolder> {
  const { folder, backupId, tenant, clock } = restore;
  if (tenant !== undefined) await requireNoDataOf(tenant, restore);
  const store = await openLevelStore({ folder, clock, restoredBackup: { backupId, tenant } });
  return {
    target: targetOfTenant(store, tenant),
    close: () => store.close(),
    finish: () => removeDurably(folder, folderPaths(folder).restoring),
  };
}

/**
 * Checks that a folder has no data of a tenant. Checks nothing once a restore has begun: the folder
 * then opens only for this restore, which has already made the check.
 */
async function requireNoDataOf(tenant: string, { folder, clock }: FolderRestore): Promise<void> {
  const paths = folderPaths(folder);
  if ((await begunRestore(paths)) !== undefined || (await inspectFolder(paths)) === "new") return;
  const store = await openLevelStore({ folder, clock });
  try {
    for await (const { scope } of store.scopeStates())
      if (scope.tenant === tenant) throw folderNotEmpty(folder, `data of the tenant ${tenant}`);
  } finally {
    await store.close();
  }
}
