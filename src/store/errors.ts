import { VademecumError } from "../core/model/errors.js";
import type { Head } from "../core/ports/store.js";

/**
 * Returns the UNAVAILABLE (STORE_UNAVAILABLE) error for a call that wrote nothing.
 *
 * @param why follows "the store" in the message
 */
export function storeUnavailable(why: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "STORE_UNAVAILABLE",
    `the store ${why}; nothing was written, try again later`,
    {
      retryAfterMs: 1000,
      cause,
    },
  );
}

/**
 * Returns the UNAVAILABLE (OUTCOME_UNKNOWN) error for a call whose write may or may not be durable.
 */
export function outcomeUnknown(cause: unknown): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "writing to disk failed: the write of this call may or may not be durable; " +
      "a retry with the same idempotency key is safe",
    { retryAfterMs: 1000, cause },
  );
}

/**
 * Returns the RESOURCE_EXHAUSTED (DISK_FULL) error for a write that adds data while the disk has
 * too little free space.
 */
export function diskFull(freeBytes: number, minFreeBytes: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "DISK_FULL",
    `the disk has ${freeBytes} bytes free; writes that add data need at least ${minFreeBytes}. ` +
      "Nothing was written. Delete memories or free space on the disk",
    { retryAfterMs: 10_000 },
  );
}

/**
 * Returns the DATA_LOSS (DAMAGED_RECORD) error for a damaged record, or for a table from which
 * records are missing or in which deleted records have come back.
 *
 * @param what names the damage in the message, without the content of a record
 */
export function damagedRecord(what: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "DAMAGED_RECORD",
    `${what}; stop the server and run \`vademecum verify\` on its data folder to see all damage, ` +
      "then restore a backup, or save the other records with `vademecum backup --readable-only`",
    { cause },
  );
}

/** Returns the FAILED_PRECONDITION (FOLDER_IN_USE) error for a folder that another process uses. */
export function folderInUse(folder: string, cause: unknown): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "FOLDER_IN_USE",
    `the data folder ${folder} is in use by another process; stop that process first or choose another folder`,
    { cause },
  );
}

/**
 * Returns the FAILED_PRECONDITION (NOT_A_DATA_FOLDER) error for a folder with other files and no
 * store.
 */
export function notAStore(folder: string, found: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_A_DATA_FOLDER",
    `${folder} holds '${found}' and no data of this service; ` +
      "choose an empty or new folder, or one that this service created",
  );
}

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/**
 * Returns the FAILED_PRECONDITION (FOLDER_NOT_USABLE) error for a folder that cannot be created or
 * read.
 */
export function folderNotUsable(folder: string, cause: NodeJS.ErrnoException): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "FOLDER_NOT_USABLE",
    `the data folder ${folder} cannot be used (${cause.message}); ` +
      "choose a folder that this process may create, read and write",
    { cause },
  );
}

/**
 * Returns the FAILED_PRECONDITION (NOT_A_DATA_FOLDER) error for a folder without a store: it does
 * not exist, is empty, or was created only in part.
 */
export function emptyFolder(folder: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_A_DATA_FOLDER",
    `there is no data in ${folder}; give the data folder of the server`,
  );
}

/**
 * Returns the DATA_LOSS (STORE_DAMAGED) error for a damaged store, which no server serves.
 *
 * @param folder the data folder
 * @param damage the damage file
 */
export function storeDamaged(
  findings: readonly string[],
  { folder, damage }: { readonly folder: string; readonly damage: string },
): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "STORE_DAMAGED",
    `the data is damaged and is not served: ${findings.join("; ")}. Restore a backup, or save the ` +
      `readable records with \`vademecum backup --readable-only --data ${folder} FILE\`, then ` +
      "`vademecum restore FILE --data NEW_FOLDER`. " +
      `Every start on this folder is refused, see ${damage}`,
  );
}

/**
 * Checks the head of a scope that is about to be restored. Two heads without a commit are equal,
 * whatever their epochs.
 *
 * @throws ABORTED (SCOPE_CHANGED) when `found` is another head than `expected`
 */
export function requireHead(found: Head, expected: Head): void {
  if (found.seq === expected.seq && (found.seq === 0 || found.epoch === expected.epoch)) return;
  throw new VademecumError(
    "ABORTED",
    "SCOPE_CHANGED",
    "the scope received a write during the restore, so the restore left it unchanged; " +
      "stop writes to this scope on this server, then restore again",
  );
}

/**
 * Returns the FAILED_PRECONDITION (UNSUPPORTED_FORMAT) error for data in a format that this version
 * cannot read.
 *
 * @param what names the data, as the subject of a sentence
 * @param found the format of the data
 * @param known the format that this version reads
 */
export function unsupportedFormat(what: string, found: number, known: number): VademecumError {
  const other = found < known ? "the older version" : "the newer version";
  return new VademecumError(
    "FAILED_PRECONDITION",
    "UNSUPPORTED_FORMAT",
    `${what} in format ${found}, and this version reads format ${known}; ` +
      `start ${other} that wrote the data, or choose another place for new data. Nothing was changed`,
  );
}
