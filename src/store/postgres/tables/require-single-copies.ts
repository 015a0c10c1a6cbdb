import { postgresNotUsable } from "../errors.js";
import type { Session } from "../session/connection.js";

/**
 * Checks that Citus will keep one copy of each shard. The functions that write a group write one
 * copy.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when there would be several copies
 */
export async function requireSingleCopies(session: Session): Promise<void> {
  const { rows } = await session.run<{ copies: number }>(
    "select current_setting('citus.shard_replication_factor')::int as copies",
  );
  if ((rows[0]?.copies ?? 1) === 1) return;
  throw postgresNotUsable("citus.shard_replication_factor must be 1");
}
