import { postgresNotUsable } from "../errors.js";
import type { Session } from "../session/connection.js";

/**
 * Checks that Citus has a node for the shards of the tables. Citus gives shards to workers, and
 * not to a registered coordinator. It gives them to a coordinator that is its only node and is not
 * registered yet.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when no node of Citus takes shards
 */
export async function requireShardNode(session: Session): Promise<void> {
  const { rows } = await session.run<{ missing: boolean }>(
    "select count(*) > 0 and not bool_or(shouldhaveshards) as missing from pg_dist_node",
  );
  if (rows[0]?.missing !== true) return;
  throw postgresNotUsable(
    "no node of Citus takes shards; add a worker with citus_add_node, or let the coordinator " +
      "take them with citus_set_node_property(HOST, PORT, 'shouldhaveshards', true)",
  );
}
