import type { Session } from "../session/connection.js";

/** Whether the database has Citus, which spreads the tables over several PostgreSQL servers. */
export async function hasCitus(session: Session): Promise<boolean> {
  const { rows } = await session.run("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/**
 * Whether Citus has distributed the tables. Citus may have been added to the database after the
 * tables.
 */
export async function hasDistributedTables(session: Session): Promise<boolean> {
  if (!(await hasCitus(session))) return false;
  const { rows } = await session.run(
    "select 1 from pg_dist_partition where logicalrelid = to_regclass('vademecum.vm_scope')",
  );
  return rows.length > 0;
}
