import { readFile } from "node:fs/promises";
import { VademecumError } from "../../../core/model/errors.js";
import { isMarkOf, markOf, type RestoredBackup } from "../../restored-backup.js";
import { type FolderPaths, inspectFolder, isMissing, writeFileDurably } from "./folder.js";

/**
 * Checks whether a folder may be opened. While a backup is being restored into it, only the restore
 * of the same backup into the same tenant may open it.
 *
 * @param restored the backup to restore; `undefined` to serve the folder
 * @throws FAILED_PRECONDITION (RESTORE_UNFINISHED) when another restore has begun
 * @throws FAILED_PRECONDITION (FOLDER_NOT_EMPTY) when a folder to restore into holds data, unless
 *   the backup is restored into a tenant
 */
export async function requireRestoreState(
  paths: FolderPaths,
  restored: RestoredBackup | undefined,
): Promise<void> {
  const mark = await begunRestore(paths);
  if (mark !== undefined) {
    if (restored === undefined || !isMarkOf(mark, restored)) throw restoreUnfinished(paths.folder);
  } else if (restored !== undefined) {
    const isEmpty = (await inspectFolder(paths)) === "new";
    if (!isEmpty && restored.tenant === undefined) throw folderNotEmpty(paths.folder, "data");
    await writeFileDurably(paths.folder, paths.restoring, `${markOf(restored)}\n`);
  }
}

/** Returns the mark of an unfinished restore; `undefined` if there is none. */
export async function begunRestore({ restoring }: FolderPaths): Promise<string | undefined> {
  try {
    return (await readFile(restoring, "utf8")).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function restoreUnfinished(folder: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "RESTORE_UNFINISHED",
    `a backup was restored into ${folder} only in part; repeat \`vademecum restore\` with the same ` +
      "file, folder and --tenant, or remove the folder",
  );
}

/**
 * Returns the FAILED_PRECONDITION (FOLDER_NOT_EMPTY) error for a folder that holds data already. A
 * restore would mix that data with the data of the backup.
 *
 * @param what how the message calls the data
 */
export function folderNotEmpty(folder: string, what: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "FOLDER_NOT_EMPTY",
    `the folder ${folder} holds ${what}; restore into an empty or new folder`,
  );
}
