import { isConnectionLoss, postgresNotUsable } from "../errors.js";
import { Connection, type ConnectionTimes, type Session } from "./connection.js";
import type { PostgresTarget } from "./target.js";

/**
 * Checks that a connection keeps one session of PostgreSQL to itself. A pooler such as PgBouncer in
 * transaction mode hands the session to another connection as soon as a transaction ends. Settings,
 * prepared statements, notifications and locks of jobs would then be lost, or others' would hold.
 *
 * Costs one query if no pooler is in between. Requires: the connection has no open transaction.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when another connection gets the same session
 */
export async function requireOwnSession(
  connection: Connection,
  target: PostgresTarget,
  times: ConnectionTimes,
): Promise<void> {
  const own = await sessionOf(connection);
  // A pooler gives each client a process id of its own, which is not that of the session.
  if (own === connection.processId) return;
  const other = await Connection.open(target, times);
  try {
    await other.run("begin");
    if ((await sessionOf(other)) === own) throw sharedSession(target);
  } catch (error) {
    // A pooler that pools statements refuses to begin a transaction.
    throw isConnectionLoss(error) && /pooling mode/.test((error as Error).message)
      ? sharedSession(target)
      : error;
  } finally {
    await other.end();
  }
}

/** Returns the process id of the session in which a connection's statements run. */
async function sessionOf(session: Session): Promise<number | undefined> {
  const { rows } = await session.run<{ id: number }>("select pg_backend_pid() as id");
  return rows[0]?.id;
}

function sharedSession({ host, port }: PostgresTarget): Error {
  return postgresNotUsable(
    `${host}:${port} is a pooler that gives one session of PostgreSQL to several connections, ` +
      "such as PgBouncer in transaction mode; use its session mode, or the address of PostgreSQL",
  );
}
