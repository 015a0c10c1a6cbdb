import { setTimeout as delay } from "node:timers/promises";
import { postgresNotUsable } from "../errors.js";
import type { Session } from "../session/connection.js";
import { hasCitus } from "./has-citus.js";

const othersHere = `select pid from pg_stat_activity where application_name = 'vademecum'
  and datname = current_database() and pid <> pg_backend_pid()`;

/** Servers may be connected to any node of Citus. */
const othersOnAllNodes = `select pid from citus_stat_activity where application_name = 'vademecum'
  and datname = current_database() and global_pid <> citus_backend_gpid()`;

/** Sessions of a server that has just stopped may take this long to end, in milliseconds. */
const endMs = 2_000;

const pauseMs = 50;

/**
 * Checks that no server uses the database. Waits for servers that have just stopped.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when sessions of servers do not end in time
 */
export async function requireNoServers(session: Session): Promise<void> {
  const others = (await hasCitus(session)) ? othersOnAllNodes : othersHere;
  for (const began = performance.now(); ; await delay(pauseMs)) {
    const { rows } = await session.run(others);
    if (rows.length === 0) return;
    if (performance.now() - began > endMs)
      throw postgresNotUsable("servers still use this database; stop all of them first");
  }
}
