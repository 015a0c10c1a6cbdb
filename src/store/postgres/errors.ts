import pg from "pg";
import { VademecumError } from "../../core/model/errors.js";
import { isSystemError, storeUnavailable } from "../errors.js";

/** The connection to PostgreSQL broke, or gave no answer in time. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";

  /** @param silentMs how long a statement had waited for an answer, in milliseconds */
  constructor(
    message: string,
    readonly silentMs = 0,
  ) {
    super(message);
  }
}

/**
 * Returns the FAILED_PRECONDITION (POSTGRES_NOT_USABLE) error for a PostgreSQL that an operator has
 * to set up first.
 */
export function postgresNotUsable(why: string, cause?: unknown): VademecumError {
  return new VademecumError("FAILED_PRECONDITION", "POSTGRES_NOT_USABLE", why, { cause });
}

/**
 * Returns the FAILED_PRECONDITION (RESTORE_UNFINISHED) error for a database with a restore that has
 * not ended.
 */
export function restoreUnfinished(database: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "RESTORE_UNFINISHED",
    `a backup was restored into the database '${database}' only in part; repeat ` +
      "`vademecum restore` with the same file, database and --tenant, or drop the database",
  );
}

/**
 * Returns the DATA_LOSS (DAMAGED_RECORD) error for a damaged record, or a table with missing
 * records.
 */
export function damagedInPostgres(what: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "DAMAGED_RECORD",
    `${what}; restore a backup of the database, or delete a damaged record`,
    { cause },
  );
}

/**
 * Returns the UNAVAILABLE (OUTCOME_UNKNOWN) error for a COMMIT that got an error or no answer, if a
 * later look-up cannot tell whether it succeeded.
 */
export function commitUnknown(cause: unknown): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "PostgreSQL did not confirm the commit: the write of this call may or may not be durable; " +
      "a retry with the same idempotency key is safe",
    { retryAfterMs: 1000, cause },
  );
}

/** Returns the RESOURCE_EXHAUSTED (DISK_FULL) error for a PostgreSQL whose disk is full. */
function postgresFull(): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "DISK_FULL",
    "the disk of PostgreSQL is full. Nothing was written. Free space on the disk of the database",
    { retryAfterMs: 10_000 },
  );
}

/** Returns the SQLSTATE of an error that PostgreSQL has sent; `undefined` for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * SQLSTATEs after which a new connection is needed: the server ended or refused a connection, or is
 * a standby, which refuses writes (25006).
 */
const endingStates = new Set(["25P03", "25P04", "57P01", "57P02", "57P03", "57P05", "25006"]);

/**
 * SQLSTATEs of a transaction that conflicts with another transaction, or that has already failed.
 */
const conflictStates = new Set(["40001", "40P01", "55P03", "25P02"]);

/**
 * SQLSTATEs of a server with too few resources, of a statement that was cancelled, or of an object
 * in use.
 */
const overloadStates = new Set(["53000", "53200", "53300", "53400", "57014", "57000", "55006"]);

/**
 * Whether an error says that the connection is lost, cannot be opened now, or leads to a standby.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ConnectionLost || isSystemError(error)) return true;
  const state = sqlStateOf(error);
  return state !== undefined && (state.startsWith("08") || endingStates.has(state));
}

/**
 * Whether a function ran on a node of Citus after the shard of its scope had moved to another node.
 * Citus reports this as an internal error, so only its text shows it.
 */
function hasMissedMove(error: unknown): boolean {
  return (
    sqlStateOf(error) === "XX000" &&
    /cannot execute a distributed query from a query on a shard/.test((error as Error).message)
  );
}

/**
 * Whether a failure may be temporary, so that running the work again can succeed. Requires: the
 * work is safe to repeat, because it was not committed or because it first looks for an earlier
 * commit. 23505 (unique violation) can only mean that another server has used the same sequence
 * number in the change log.
 */
export function isTransient(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (isConnectionLoss(error) || hasMissedMove(error)) return true;
  return state !== undefined && (conflictStates.has(state) || state === "23505");
}

/**
 * Turns an error of the driver into the error that callers get. Returns other errors unchanged.
 *
 * Leaves out the details of PostgreSQL's message, because they can contain ids.
 */
export function errorForCallers(error: unknown): unknown {
  if (error instanceof VademecumError) return error;
  const state = sqlStateOf(error);
  if (state === "53100") return postgresFull();
  if (state === "25006") return storeUnavailable("cannot write: PostgreSQL is read-only", error);
  if (isConnectionLoss(error)) return storeUnavailable("cannot reach PostgreSQL", error);
  if (state === undefined) return error;
  if (isTransient(error) || overloadStates.has(state))
    return storeUnavailable(`gave up after PostgreSQL reported ${state}`, statementFailure(error));
  if (state === "XX001" || state === "XX002")
    return damagedInPostgres("PostgreSQL found a damaged page", statementFailure(error));
  if (state.startsWith("28") || state === "3D000")
    return storeUnavailable("may not log in to PostgreSQL any more", statementFailure(error));
  return statementFailure(error);
}

/** Returns an error for the log: SQLSTATE and message of PostgreSQL, without details. */
function statementFailure(error: unknown): Error {
  if (!(error instanceof pg.DatabaseError)) return new Error("PostgreSQL refused a statement");
  return new Error(`PostgreSQL refused a statement: ${error.code ?? "no code"}: ${error.message}`);
}
