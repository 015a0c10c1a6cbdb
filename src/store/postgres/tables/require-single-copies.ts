import { postgresNotUsable } from "../errors.js";
import type { Session } from "../session/connection.js";

/**
 * Checks that Citus keeps one copy of each shard. The functions that write a group write one copy.
 *
 * @param hasTables Whether the tables exist. If not, the setting of Citus counts.
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when there are or would be several copies
 */
export async function requireSingleCopies(session: Session, hasTables: boolean): Promise<void> {
  const { rows } = await session.run<{ copies: number }>(
    hasTables
      ? `select count(*)::int as copies from pg_dist_shard s
          join pg_dist_placement p on p.shardid = s.shardid
          where s.logicalrelid = 'vademecum.vm_scope'::regclass
          group by s.shardid order by copies desc limit 1`
      : "select current_setting('citus.shard_replication_factor')::int as copies",
  );
  if ((rows[0]?.copies ?? 1) === 1) return;
  throw postgresNotUsable(
    hasTables
      ? "Citus keeps several copies of each shard; move the data into a new database whose " +
          "citus.shard_replication_factor is 1"
      : "citus.shard_replication_factor must be 1",
  );
}
