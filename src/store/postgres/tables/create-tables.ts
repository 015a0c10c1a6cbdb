import type { Log } from "../../../core/ports/log.js";
import { unsupportedFormat } from "../../errors.js";
import { randomPageKey } from "../../page-key.js";
import { postgresNotUsable, sqlStateOf } from "../errors.js";
import type { Session } from "../session/connection.js";
import type { CreatingStatements } from "./creating-statements.js";
import { functionStatements } from "./group-functions.js";
import { hasCitus } from "./has-citus.js";
import { requireShardNode } from "./require-shard-node.js";
import { requireSingleCopies } from "./require-single-copies.js";
import { tableStatements } from "./table-statements.js";

/** The format of the tables that this version reads and writes. */
export const tableFormat = 3;

/** The format of a schema whose tables are not created yet. */
const noTables = 0;

/**
 * First key of the advisory locks of this service. The locks for reindexing have the next number.
 */
export const advisoryLocks = 7263;

/** Second key of the lock that one creating server holds. */
const creationLock = 0;

/**
 * Creates the tables if there are none. Servers that start at the same time create them once.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when the role may not create tables, or no node
 *   of Citus takes shards
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the tables have another format
 */
export async function createTables(session: Session, log: Log): Promise<void> {
  const format = (await formatOf(session)) ?? noTables;
  if (format !== noTables) return requireKnownFormat(format);
  try {
    await session.run(`select pg_advisory_lock(${advisoryLocks}, ${creationLock})`);
    try {
      await createBasis(session);
      // Another server may have created the tables while this server waited for the lock.
      if ((await formatOf(session)) === noTables) await createMissing(session, log);
    } finally {
      await session.run(`select pg_advisory_unlock(${advisoryLocks}, ${creationLock})`);
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
 * Refuses tables in a format that this version does not read.
 *
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the tables have another format
 */
export function requireKnownFormat(format: number | undefined): void {
  if (format === undefined || format === tableFormat) return;
  throw unsupportedFormat("the tables in PostgreSQL are", format, tableFormat);
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
    epoch text not null, page_key text not null, moves text, restoring text, pruned timestamptz)`);
  await session.run(
    `insert into vademecum.vm_meta (format, epoch, page_key)
      values (${noTables}, gen_random_uuid()::text, '${randomPageKey()}') on conflict do nothing`,
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

/**
 * Creates the tables, then the functions. After a crash between them, creates only the functions.
 * Citus cannot distribute tables and functions in the same transaction.
 */
async function createMissing(session: Session, log: Log): Promise<void> {
  const isDistributed = await hasCitus(session);
  if (!(await hasTables(session))) {
    if (isDistributed) {
      await requireShardNode(session);
      await requireSingleCopies(session);
    }
    await runTogether(session, statementsOf(tableStatements, isDistributed));
  }
  await runTogether(session, [
    ...statementsOf(functionStatements, isDistributed),
    `update vademecum.vm_meta set format = ${tableFormat}`,
  ]);
  log("info", "created the tables in PostgreSQL", { format: tableFormat, citus: isDistributed });
}

async function hasTables(session: Session): Promise<boolean> {
  const { rows } = await session.run<{ exists: boolean }>(
    "select to_regclass('vademecum.vm_scope') is not null as exists",
  );
  return rows[0]?.exists === true;
}

function statementsOf(
  { everywhere, onCitus }: CreatingStatements,
  isDistributed: boolean,
): readonly string[] {
  return isDistributed ? [...everywhere, ...onCitus] : everywhere;
}

/** Runs statements in one transaction. */
async function runTogether(session: Session, statements: readonly string[]): Promise<void> {
  await session.run("begin");
  try {
    for (const statement of statements) await session.run(statement);
    await session.run("commit");
  } catch (error) {
    await session.run("rollback").catch(() => undefined);
    throw error;
  }
}
