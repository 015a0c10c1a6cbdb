import { VademecumError } from "../core/model/errors.js";

/** UNAVAILABLE for a call of which nothing was written. */
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

/** UNAVAILABLE for a call whose write may or may not have been kept. */
export function outcomeUnknown(cause: unknown): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "writing to disk failed: what this call wrote may or may not have been kept; a retry with the same idempotency key is safe",
    { retryAfterMs: 1000, cause },
  );
}

/** RESOURCE_EXHAUSTED for a write that needs room when there is none to spare. */
export function diskFull(freeBytes: number, minFreeBytes: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "DISK_FULL",
    `the disk has ${freeBytes} bytes free, and the store takes writes down to ${minFreeBytes}; nothing was written; delete memories or make room on the disk`,
    { retryAfterMs: 10_000 },
  );
}

/** DATA_LOSS for a record, or for a table in which records are missing or have come back. `what` names it without its content. */
export function damagedRecord(what: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "DAMAGED_RECORD",
    `${what}; run \`vademecum verify\` on the stopped server's data folder to see all of the damage, then restore a backup or accept the loss`,
    { cause },
  );
}

/** FAILED_PRECONDITION for a folder that another process works on. */
export function folderInUse(folder: string, cause: unknown): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "FOLDER_IN_USE",
    `the data folder ${folder} is in use by another process; stop that one first or choose another folder`,
    { cause },
  );
}

/** FAILED_PRECONDITION for a folder that holds something, but no store. */
export function notAStore(folder: string, found: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_A_DATA_FOLDER",
    `${folder} holds '${found}', which is no data of this service; give an empty or new folder, or one that was made by it`,
  );
}

/** Whether an error is the operating system's answer. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** FAILED_PRECONDITION for a folder that cannot be made or read. */
export function folderNotUsable(folder: string, cause: NodeJS.ErrnoException): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "FOLDER_NOT_USABLE",
    `the data folder ${folder} cannot be used (${cause.message}); give a folder that this process may make, read and write`,
    { cause },
  );
}

/** FAILED_PRECONDITION for a folder in which nothing was ever stored. */
export function emptyFolder(folder: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_A_DATA_FOLDER",
    `there is no data in ${folder}; give the folder that the server was started with`,
  );
}

/** DATA_LOSS for a store that must not be served until somebody decides. */
export function storeDamaged(findings: readonly string[], damageFile: string): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "STORE_DAMAGED",
    `the data is damaged and is not served: ${findings.join("; ")}. Restore a backup, or start once with --accept-data-loss to go on with what can be saved. ${damageFile} keeps this refusal until then`,
  );
}
