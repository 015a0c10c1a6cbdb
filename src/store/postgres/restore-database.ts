import { randomUUID } from "node:crypto";
import { VademecumError } from "../../core/model/errors.js";
import type { BackupTarget } from "../../core/ports/backup.js";
import { isMarkOf, markOf, type RestoredBackup } from "../restored-backup.js";
import { targetOfTenant } from "../tenant-records.js";
import { errorForCallers, restoreUnfinished } from "./errors.js";
import { openPostgresStore } from "./open-postgres-store.js";
import { Connection } from "./session/connection.js";
import type { PostgresTarget } from "./session/target.js";
import { createTables } from "./tables/create-tables.js";
import { requireNoServers } from "./tables/require-no-servers.js";
import { restoreStatements } from "./tables/statements.js";

/** A database into which a backup is being restored. */
export interface RestoreDatabase {
  readonly target: BackupTarget;
  /** Ends the restore: from now on servers may serve the database. Call `close` first. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** What to restore, and where. */
export interface DatabaseRestore extends RestoredBackup {
  /** As in `PostgresStoreOptions`. */
  readonly targets: readonly PostgresTarget[];
  /** A role that may create tables. */
  readonly owner: PostgresTarget;
}

const times = { connectMs: 5_000, answerMs: 3_600_000 };

/**
 * Opens a database to restore a backup into it, or to continue an interrupted restore of the same
 * backup into the same tenant. A new restore needs an empty database; for a tenant, the database
 * may contain data of other tenants. No server starts on it until `finish`.
 *
 * @throws FAILED_PRECONDITION (DATABASE_NOT_EMPTY, RESTORE_UNFINISHED) when the database holds
 *   other data
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) while servers use the database
 * @throws the errors of `openPostgresStore`
 */
export async function openRestoreDatabase(restore: DatabaseRestore): Promise<RestoreDatabase> {
  const { owner, targets, backupId, tenant } = restore;
  await asOwner(owner, (connection) => begin(connection, restore));
  const restoredBackup = { backupId, tenant };
  const store = await openPostgresStore({ targets, owner, restoredBackup });
  return {
    target: targetOfTenant(store.records, tenant),
    close: () => store.close(),
    finish: () =>
      asOwner(owner, async (connection) => {
        await connection.query(restoreStatements.finish);
      }),
  };
}

/** Marks the database, so that no server starts on it. */
async function begin(connection: Connection, restore: DatabaseRestore): Promise<void> {
  const { owner, tenant } = restore;
  await createTables(connection, () => undefined);
  const { rows } = await connection.query<{ restoring: string | null }>(restoreStatements.read);
  const begun = rows[0]?.restoring ?? undefined;
  if (begun !== undefined && !isMarkOf(begun, restore)) throw restoreUnfinished(owner.database);
  if (begun === undefined) {
    const { rows: found } = await connection.query(restoreStatements.findData, [
      tenant === undefined ? null : Buffer.from(tenant),
    ]);
    if (found.length > 0) throw databaseNotEmpty(owner.database, tenant);
    // Sets a new epoch, for the restored scopes and for scopes that are created later.
    await connection.query(restoreStatements.begin, [markOf(restore), randomUUID()]);
  }
  try {
    // Checked after the mark is written. So a server that starts now finds the mark, or this check
    // finds the server.
    await requireNoServers(connection);
  } catch (error) {
    if (begun === undefined) await connection.query(restoreStatements.finish);
    throw error;
  }
}

/** Runs work on a connection of the owner. Turns errors of the driver into errors for callers. */
async function asOwner<T>(
  owner: PostgresTarget,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(owner, times);
    return await work(connection);
  } catch (error) {
    throw errorForCallers(error);
  } finally {
    await connection?.end();
  }
}

/**
 * Returns the FAILED_PRECONDITION (DATABASE_NOT_EMPTY) error for a database that holds data
 * already.
 */
function databaseNotEmpty(database: string, tenant: string | undefined): VademecumError {
  const what = tenant === undefined ? "data" : `data of the tenant ${tenant}`;
  return new VademecumError(
    "FAILED_PRECONDITION",
    "DATABASE_NOT_EMPTY",
    `the database '${database}' holds ${what}; restore into an empty or new database`,
  );
}
