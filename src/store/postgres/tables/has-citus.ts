import type { Session } from "../session/connection.js";

/** Whether the database has Citus, which spreads the tables over several PostgreSQL servers. */
export async function hasCitus(session: Session): Promise<boolean> {
  const { rows } = await session.run("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}
