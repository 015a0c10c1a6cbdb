import { postgresNotUsable } from "../errors.js";
import type { Session } from "./connection.js";

/** The settings that decide whether commits survive a power cut. */
export interface DurabilitySettings {
  readonly fsync: string;
  readonly synchronous_commit: string;
}

/**
 * Checks the settings of a session.
 *
 * @param where names PostgreSQL or one of its nodes in the error
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when a power cut can lose commits
 */
export function requireDurable(
  { fsync, synchronous_commit }: DurabilitySettings,
  where = "PostgreSQL",
): void {
  if (fsync === "on" && ["on", "remote_apply"].includes(synchronous_commit)) return;
  throw postgresNotUsable(
    `${where} has fsync = ${fsync} and synchronous_commit = ${synchronous_commit}, so it ` +
      "acknowledges commits that a power cut can lose; set both to on",
  );
}

/**
 * Checks every node of Citus that answers. The node of a shard makes the shard's commits durable,
 * and a session sees only the settings of its own node.
 *
 * @throws as `requireDurable`
 */
export async function requireDurableNodes(session: Session): Promise<void> {
  const { rows } = await session.run<DurabilitySettings & { readonly node: string }>(
    `select n.nodename || ':' || n.nodeport as node, split_part(r.result, ' ', 1) as fsync,
      split_part(r.result, ' ', 2) as synchronous_commit
    from run_command_on_all_nodes(
      $$select current_setting('fsync') || ' ' || current_setting('synchronous_commit')$$) r
    join pg_dist_node n on n.nodeid = r.nodeid where r.success`,
  );
  for (const { node, ...settings } of rows) requireDurable(settings, `the node ${node} of Citus`);
}
