import { isConnectionLoss, sqlStateOf } from "../errors.js";
import type { Session } from "./connection.js";

/** The name of a file of the write-ahead log begins with the timeline. */
const timelineQuery = `select case
    when exists (select 1 from pg_extension where extname = 'citus') then null
    else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
  end as timeline`;

/**
 * Reads the timeline of the server that a session leads to, see `Head.timeline`. Returns
 * `undefined` if the server does not tell its timeline, as with some managed services. Also returns
 * `undefined` over Citus, whose nodes have different timelines and may fail over during a session.
 *
 * Requires: the server is no standby, and the session has no open transaction. A session ends
 * before its server becomes a standby again, so the timeline of a session never changes.
 */
export async function readTimeline(session: Session): Promise<string | undefined> {
  try {
    const { rows } = await session.run<{ readonly timeline: string | null }>(timelineQuery);
    return rows[0]?.timeline ?? undefined;
  } catch (error) {
    if (isConnectionLoss(error) || sqlStateOf(error) === undefined) throw error;
    return undefined;
  }
}
