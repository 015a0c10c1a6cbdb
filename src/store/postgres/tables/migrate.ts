import { VademecumError } from "../../../core/model/errors.js";
import type { Log } from "../../../core/ports/log.js";
import { postgresNotUsable, sqlStateOf } from "../errors.js";
import type { Session } from "../session/connection.js";
import { hasCitus, hasDistributedTables } from "./has-citus.js";
import { firstTables } from "./migrations/0001-first-tables.js";
import { restoring } from "./migrations/0002-restoring.js";
import { groupFunctions } from "./migrations/0003-group-functions.js";
import type { Migration } from "./migrations/migration.js";
import { requireShardNode } from "./require-shard-node.js";
import { requireSingleCopies } from "./require-single-copies.js";

/** All steps, in order. */
const migrations: readonly Migration[] = [firstTables, restoring, groupFunctions];

/** The format of the tables that this version reads and writes. */
export const tableFormat = migrations.length;

/**
 * First key of the advisory locks of this service. The locks for reindexing have the next number.
 */
export const advisoryLocks = 7263;

/** Second key of the lock that one migrating server holds. */
const migrationLock = 0;

/**
 * Creates the tables, or brings them to the format of this version. Servers that start at the same
 * time migrate one after another.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when the role may not create tables, or no node
 *   of Citus takes shards
 * @throws FAILED_PRECONDITION (NEWER_FORMAT) when a newer version has migrated the tables
 */
export async function migrate(session: Session, log: Log): Promise<void> {
  const format = await formatOf(session);
  if (format === tableFormat) return;
  requireKnownFormat(format);
  try {
    await session.run(`select pg_advisory_lock(${advisoryLocks}, ${migrationLock})`);
    try {
      await createBasis(session);
      await applyMissing(session, log);
    } finally {
      await session.run(`select pg_advisory_unlock(${advisoryLocks}, ${migrationLock})`);
    }
  } catch (error) {
    if (sqlStateOf(error) !== "42501") throw error;
    throw postgresNotUsable(
      `the role of the PostgreSQL URL may not create the tables (${(error as Error).message}); ` +
        "give this role the right, or name a role that may create them with --postgres-owner-url",
      error,
    );
  }
}

/**
 * Refuses tables in a newer format than this version's.
 *
 * @throws FAILED_PRECONDITION (NEWER_FORMAT) when a newer version has migrated the tables
 */
export function requireKnownFormat(format: number | undefined): void {
  if (format === undefined || format <= tableFormat) return;
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "NEWER_FORMAT",
    `the tables in PostgreSQL have format ${format}, and this version knows formats up to ` +
      `${tableFormat}; start the version that migrated them, or a newer one`,
  );
}

/** Returns the format of the tables; `undefined` if there are none. */
async function formatOf(session: Session): Promise<number | undefined> {
  const { rows } = await session.run<{ exists: boolean }>(
    "select to_regclass('vademecum.vm_meta') is not null as exists",
  );
  if (rows[0]?.exists !== true) return undefined;
  const found = await session.run<{ format: number }>("select format from vademecum.vm_meta");
  return found.rows[0]?.format;
}

/** Creates the schema, the table with the format, and the role of the sessions. */
async function createBasis(session: Session): Promise<void> {
  await session.run("create schema if not exists vademecum");
  await session.run(`create table if not exists vademecum.vm_meta (
    one boolean primary key default true check (one), format int not null,
    epoch text not null)`);
  await session.run(
    "insert into vademecum.vm_meta (format, epoch) values (0, gen_random_uuid()::text) on conflict do nothing",
  );
  await createRole(session);
}

async function createRole(session: Session): Promise<void> {
  const { rows } = await session.run("select 1 from pg_roles where rolname = 'vm_app'");
  if (rows.length === 0) {
    try {
      await session.run("create role vm_app login noinherit");
    } catch (error) {
      // The lock covers only this database. A server of another database may have created the role.
      if (!["42710", "23505"].includes(sqlStateOf(error) ?? "")) throw error;
    }
  }
  const knowsSet = (await serverVersion(session)) >= 160_000;
  const { rows: current } = await session.run<{ member: boolean }>(
    `select pg_has_role(current_user, 'vm_app', '${knowsSet ? "SET" : "MEMBER"}') as member`,
  );
  if (current[0]?.member === true) return;
  await session.run(`grant vm_app to current_user${knowsSet ? " with set true" : ""}`);
}

async function serverVersion(session: Session): Promise<number> {
  const { rows } = await session.run<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return rows[0]?.version ?? 0;
}

async function applyMissing(session: Session, log: Log): Promise<void> {
  // Another server may have migrated while this server waited for the lock.
  const format = (await formatOf(session)) ?? 0;
  requireKnownFormat(format);
  const missing = migrations.filter((known) => known.format > format);
  if (missing.length === 0) return;
  const isDistributed =
    format === 0 ? await hasCitus(session) : await hasDistributedTables(session);
  if (isDistributed && format === 0) await requireShardNode(session);
  if (isDistributed) await requireSingleCopies(session, format > 0);
  for (const migration of missing) {
    await session.run("begin");
    try {
      const statements = [...migration.statements, ...(isDistributed ? migration.onCitus : [])];
      for (const statement of statements) await session.run(statement);
      await session.run(`update vademecum.vm_meta set format = ${migration.format}`);
      await session.run("commit");
    } catch (error) {
      await session.run("rollback").catch(() => undefined);
      throw error;
    }
    log("info", "migrated the tables in PostgreSQL", {
      format: migration.format,
      citus: isDistributed,
    });
  }
}
