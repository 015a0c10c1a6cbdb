import type { Log } from "../../../core/ports/log.js";
import { ConnectionLost, isConnectionLoss, postgresNotUsable, sqlStateOf } from "../errors.js";
import type { ClockDifference } from "./clock-difference.js";
import { allOf, Connection, type ConnectionTimes } from "./connection.js";
import { readTimeline } from "./read-timeline.js";
import { type DurabilitySettings, requireDurable } from "./require-durable.js";
import { requireOwnSession } from "./require-own-session.js";
import type { PostgresTarget } from "./target.js";

/** The role of a session that serves calls. The role owns no table, so row policies apply to it. */
export const sessionRole = "vm_app";

/** Settings of a session. */
export interface SessionOptions extends ConnectionTimes {
  /** After this many milliseconds PostgreSQL ends a transaction that waits for this server. */
  readonly idleInTransactionMs: number;
}

/** What PostgreSQL says about itself. */
interface Settings extends DurabilitySettings {
  readonly now_ms: number;
  readonly in_recovery: boolean;
  readonly checksums: string;
  readonly standbys: string;
}

const settingsQuery = `select current_setting('synchronous_commit') as synchronous_commit,
  current_setting('fsync') as fsync, pg_is_in_recovery() as in_recovery,
  current_setting('data_checksums') as checksums,
  current_setting('synchronous_standby_names') as standbys,
  (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;

/**
 * With a kept plan, a node of Citus does not forward a call of a function to the node of the shard.
 * Citus 14.0 also adds another plan to the kept plan of a prepared statement at each execution, and
 * frees none of them before the session ends.
 */
const keepNoPlansOnCitus = `select set_config('plan_cache_mode', 'force_custom_plan', false)
  from pg_extension where extname = 'citus'`;

/**
 * Opens sessions on several servers of the same database in turn. Skips a server that cannot be
 * reached.
 */
export class SessionOpener {
  #next = 0;
  #hasWarned = false;
  /** The targets that give each connection its own session. */
  readonly #checked = new Set<PostgresTarget>();
  /** The timeline of the last session whose timeline is known. */
  #timeline: string | undefined;

  /**
   * Requires: at least one target.
   *
   * @param clock compares the clocks at the start of each session. Absent: they may differ
   */
  constructor(
    private readonly targets: readonly PostgresTarget[],
    private readonly log: Log,
    private readonly clock?: ClockDifference,
  ) {}

  /**
   * Opens a session with the role `sessionRole`. Logs a change of the timeline.
   *
   * @param onTry called with each target before the attempt to open a session on it
   * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when commits of the server are not durable,
   *   when the session may not take its role, or as `requireOwnSession`
   * @throws UNAVAILABLE (CLOCK_DIFFERS) as `ClockDifference.requireClose`
   */
  async open(
    options: SessionOptions,
    onTry: (target: PostgresTarget) => void = () => undefined,
  ): Promise<Connection> {
    const first = this.#next++;
    let failure: unknown;
    for (let i = 0; i < this.targets.length; i++) {
      const target = this.targets[(first + i) % this.targets.length];
      if (target === undefined) break;
      onTry(target);
      try {
        return await this.#openOn(target, options);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #openOn(target: PostgresTarget, options: SessionOptions): Promise<Connection> {
    const connection = await Connection.open(target, options);
    try {
      if (!this.#checked.has(target)) await requireOwnSession(connection, target, options);
      this.#checked.add(target);
      await prepare(connection, options);
      const readSettings = (): Promise<Settings> => settingsOf(connection);
      this.#check(await (this.clock?.compare(readSettings) ?? readSettings()));
      this.clock?.requireClose();
      connection.timeline = await readTimeline(connection);
      this.#compare(connection.timeline);
      return connection;
    } catch (error) {
      void connection.end();
      throw error;
    }
  }

  #check({ synchronous_commit, fsync, in_recovery, checksums, standbys }: Settings): void {
    if (in_recovery) throw new ConnectionLost("the server is a standby, which takes no writes");
    requireDurable({ fsync, synchronous_commit });
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    if (checksums !== "on")
      this.log("warn", "PostgreSQL runs without data checksums, which find damaged pages");
    if (standbys === "")
      this.log("warn", "PostgreSQL has no synchronous standby: a failover can lose writes");
  }

  #compare(timeline: string | undefined): void {
    if (timeline === undefined || timeline === this.#timeline) return;
    if (this.#timeline !== undefined)
      this.log("warn", "PostgreSQL has failed over, so all indexes load again", {
        from: this.#timeline,
        to: timeline,
      });
    this.#timeline = timeline;
  }
}

async function settingsOf(connection: Connection): Promise<Settings> {
  const { rows } = await connection.run<Settings>(settingsQuery);
  if (rows[0] === undefined) throw new Error("PostgreSQL returned no settings");
  return rows[0];
}

async function prepare(
  connection: Connection,
  { idleInTransactionMs }: SessionOptions,
): Promise<void> {
  try {
    await allOf([
      connection.run(`set role ${sessionRole}`),
      connection.run("set lock_timeout = '10s'"),
      connection.run(`set idle_in_transaction_session_timeout = ${idleInTransactionMs}`),
      connection.run("set tcp_user_timeout = '10s'"),
      // With Citus, the scope of row policies must reach the node of the shard. PostgreSQL without
      // Citus accepts the setting and ignores it.
      connection.run("set citus.propagate_set_commands = 'local'"),
      // The statements are few and fixed: each has one good plan, a loop over an index.
      connection.run("set jit = off"),
      connection.run("set enable_seqscan = off"),
      connection.run("set enable_hashjoin = off"),
      connection.run("set enable_mergejoin = off"),
      connection.run(keepNoPlansOnCitus),
    ]);
  } catch (error) {
    if (!["42501", "22023"].includes(sqlStateOf(error) ?? "")) throw error;
    throw postgresNotUsable(
      `the role of the PostgreSQL URL cannot act as ${sessionRole} (${(error as Error).message}); ` +
        `grant ${sessionRole} to it, or log in as ${sessionRole} and give --postgres-owner-url`,
      error,
    );
  }
}
