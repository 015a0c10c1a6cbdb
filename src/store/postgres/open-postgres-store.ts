import type { Clock } from "../../core/ports/clock.js";
import type { Log } from "../../core/ports/log.js";
import { type Meter, noMeter } from "../../core/ports/meter.js";
import type { WritesState } from "../../core/ports/writes-state.js";
import { storeUnavailable } from "../errors.js";
import { isMarkOf, type RestoredBackup } from "../restored-backup.js";
import { Sweeper } from "./commit/sweeper.js";
import {
  errorForCallers,
  isConnectionLoss,
  postgresNotUsable,
  restoreUnfinished,
  sqlStateOf,
} from "./errors.js";
import { PostgresStore, type PostgresStoreParts, type StorePools } from "./postgres-store.js";
import { ClockDifference } from "./session/clock-difference.js";
import { Connection } from "./session/connection.js";
import { SessionOpener, type SessionOptions } from "./session/open-session.js";
import { Pool, poolSize } from "./session/pool.js";
import { Reachability } from "./session/reachability.js";
import { requireDurableNodes } from "./session/require-durable.js";
import { requireOwnSession } from "./session/require-own-session.js";
import { retrying } from "./session/retry.js";
import type { PostgresTarget } from "./session/target.js";
import { WriteWatch } from "./session/write-watch.js";
import { createTables, requireKnownFormat } from "./tables/create-tables.js";
import { hasCitus } from "./tables/has-citus.js";
import { listingStatements } from "./tables/statements.js";
import { tryWrite } from "./tables/try-write.js";

/** Options of a store in PostgreSQL. */
export interface PostgresStoreOptions {
  /** Addresses of the same database, at least one. Connections are opened to them in turn. */
  readonly targets: readonly PostgresTarget[];
  /** A target whose role may create tables. Absent: the first of `targets`. */
  readonly owner?: PostgresTarget | undefined;
  /** The backup that is being restored. Absent: the store serves calls. */
  readonly restoredBackup?: RestoredBackup;
  /**
   * The machine's clock, which is compared with PostgreSQL's. Commits then get PostgreSQL's time.
   * Absent: commits get the time of their callers.
   */
  readonly machineClock?: Clock | undefined;
  /** Called when calls begin to be refused, because PostgreSQL is away or the clocks differ. */
  readonly onFailure?: () => void;
  /** Called when calls are no longer refused. */
  readonly onRecovered?: () => void;
  /** Called when writes begin to be refused, because the disk is full, and when they work again. */
  readonly onWrites?: (state: WritesState) => void;
  readonly log?: Log;
  /** Notes the groups that are written. Default: nobody does. */
  readonly meter?: Meter;
}

const connectMs = 3_000;

/** Longest wait for a connection of a pool. */
const waitMs = 10_000;

const writerSession: SessionOptions = { connectMs, answerMs: 20_000, idleInTransactionMs: 5_000 };
const snapshotSession: SessionOptions = {
  connectMs,
  answerMs: 60_000,
  idleInTransactionMs: 60_000,
};
const headSession: SessionOptions = { connectMs, answerMs: 5_000, idleInTransactionMs: 5_000 };
const probeSession: SessionOptions = { ...headSession, connectMs: 2_000, answerMs: 2_000 };

/** Creating the tables and VACUUM may take this long. */
const ownerTimes = { connectMs, answerMs: 3_600_000 };

/**
 * Times of the direct session. They limit the wait for each answer, not the length of the session:
 * a job may hold its lock for hours without a statement.
 */
const directTimes = { connectMs, answerMs: 10_000 };

/** Time between two checks of the connection and of the clocks, in milliseconds. */
const checkMs = 5_000;

/**
 * Opens a store in PostgreSQL, and creates its tables.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) when PostgreSQL refuses the login or the
 *   creation of the tables, or does not make commits durable
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the tables have another format
 * @throws FAILED_PRECONDITION (RESTORE_UNFINISHED) when a restore other than `restoredBackup` has
 *   not ended
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when PostgreSQL cannot be reached
 * @throws UNAVAILABLE (CLOCK_DIFFERS) as `ClockDifference.requireClose`
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const log = options.log ?? (() => undefined);
  const [first] = options.targets;
  if (first === undefined) throw new Error("a store in PostgreSQL needs a target");
  const owner = options.owner ?? first;
  const asOwner = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await Connection.open(owner, ownerTimes);
    try {
      return await work(connection);
    } finally {
      await connection.end();
    }
  };
  try {
    await retrying(isConnectionLoss, () =>
      asOwner(async (connection) => {
        await requireOwnSession(connection, owner, ownerTimes);
        await createTables(connection, log);
      }),
    );
  } catch (error) {
    throw openingError(error, owner);
  }
  return openStore(options, owner, asOwner, log);
}

async function openStore(
  options: PostgresStoreOptions,
  direct: PostgresTarget,
  asOwner: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>,
  log: Log,
): Promise<PostgresStore> {
  const { targets, restoredBackup, machineClock, onFailure, onRecovered, onWrites } = options;
  const report = (): void => {
    if (reachability.isAway || clock?.isTooGreat === true) onFailure?.();
    else onRecovered?.();
  };
  const clock = machineClock && new ClockDifference(machineClock, log, report);
  const opener = new SessionOpener(targets, log, clock);
  const reachability = new Reachability({
    probe: async () => {
      const connection = await opener.open(probeSession);
      await connection.end();
    },
    onFailure: (error) => {
      log("error", "PostgreSQL cannot be reached", { error: errorForCallers(error) });
      for (const pool of [pools.writers, pools.snapshots, pools.heads]) pool.abandonAll();
      report();
    },
    onRecovered: () => {
      log("info", "PostgreSQL can be reached again");
      report();
    },
  });
  const writeWatch = createWriteWatch(() => opener.open(probeSession), log, onWrites);
  const note = (error: unknown): void => {
    reachability.note(error);
    writeWatch.note(error);
  };
  let tried = direct;
  const openSession = async (session: SessionOptions): Promise<Connection> => {
    reachability.requireThere();
    try {
      const connection = await opener.open(session, (target) => (tried = target));
      connection.onLost(note);
      return connection;
    } catch (error) {
      note(error);
      throw error;
    }
  };
  const pools: StorePools = createPools(openSession);
  const starting = pools.heads.use((opened) => readChecked(opened, direct, restoredBackup));
  const start = await starting.catch(async (error: unknown) => {
    await Promise.all([reachability.close(), writeWatch.close(), pools.heads.close()]);
    throw openingError(error, tried);
  });
  const sweeper = new Sweeper(pools.writers, log);
  sweeper.wake();
  return new PostgresStore({
    pools,
    openEntries: targets.map((target) => () => Connection.open(target, directTimes)),
    openDirect: () => Connection.open(direct, directTimes),
    ...{ sweeper, reachability, writeWatch, note, clock },
    stopChecks: checkRegularly(pools.heads, clock, note, writeWatch),
    ...start,
    vacuum: () => asOwner(vacuum),
    ...{ log, meter: options.meter ?? noMeter },
  });
}

async function vacuum(connection: Connection): Promise<void> {
  await connection.run("vacuum vademecum.vm_record, vademecum.vm_change");
}

function createPools(open: (session: SessionOptions) => Promise<Connection>): StorePools {
  const poolOf = (size: number, session: SessionOptions): Pool =>
    new Pool({ size, waitMs, open: () => open(session) });
  return {
    writers: poolOf(poolSize, writerSession),
    snapshots: poolOf(poolSize, snapshotSession),
    heads: poolOf(1, headSession),
  };
}

function createWriteWatch(
  open: () => Promise<Connection>,
  log: Log,
  onWrites: PostgresStoreOptions["onWrites"],
): WriteWatch {
  return new WriteWatch({
    tryWrite: async () => {
      const connection = await open();
      try {
        await tryWrite(connection);
      } finally {
        await connection.end();
      }
    },
    onChange: (writes, error) => {
      if (writes === "ok") log("info", "PostgreSQL takes writes again");
      else log("error", "PostgreSQL takes no writes", { writes, error: errorForCallers(error) });
      onWrites?.(writes);
    },
  });
}

/** Checks the connection and the clocks regularly. Returns a function that ends the checks. */
function checkRegularly(
  heads: Pool,
  clock: ClockDifference | undefined,
  note: (error: unknown) => void,
  writeWatch: WriteWatch,
): () => void {
  const now = async (): Promise<TimeRow> => {
    const row = await heads.use(readTime);
    if (row.is_read_only) writeWatch.suspectReadOnly();
    return row;
  };
  const timer = setInterval(() => {
    (clock?.compare(now) ?? now()).catch(note);
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface TimeRow {
  readonly now_ms: number;
  readonly is_read_only: boolean;
}

async function readTime(connection: Connection): Promise<TimeRow> {
  const { rows } = await connection.query<TimeRow>(listingStatements.readTime);
  if (rows[0] === undefined) throw new Error("the table vm_meta is empty");
  return rows[0];
}

/** The parts of a store that are read from the database. */
type StoreStart = Pick<PostgresStoreParts, "newEpoch" | "openedAtMs" | "pageKey">;

/** Reads the start of a store. Refuses a database that a restore has not finished. */
async function readChecked(
  connection: Connection,
  { database }: PostgresTarget,
  restoredBackup: RestoredBackup | undefined,
): Promise<StoreStart> {
  if (await hasCitus(connection)) await requireDurableNodes(connection);
  const { restoring, ...start } = await readMeta(connection);
  if (restoring === null) return start;
  if (restoredBackup !== undefined && isMarkOf(restoring, restoredBackup)) return start;
  throw restoreUnfinished(database);
}

/** The row of `vm_meta`. */
interface MetaRow {
  readonly format: number;
  readonly epoch: string;
  readonly page_key: string;
  /** The mark of the restore that has not ended. Null: no restore is under way. */
  readonly restoring: string | null;
}

async function readMeta(connection: Connection): Promise<StoreStart & Pick<MetaRow, "restoring">> {
  const { rows: meta } = await connection.query<MetaRow>(listingStatements.readMeta);
  if (meta[0] === undefined) throw new Error("the table vm_meta is empty");
  requireKnownFormat(meta[0].format);
  const { rows: times } = await connection.query<{ latest: number }>(listingStatements.latestTime);
  const { epoch: newEpoch, page_key: pageKey, restoring } = meta[0];
  return { newEpoch, pageKey, restoring, openedAtMs: times[0]?.latest ?? 0 };
}

/**
 * Returns the error of a failed opening. It names the server, database and role, but no password.
 */
function openingError(error: unknown, { host, port, database, user }: PostgresTarget): unknown {
  const state = sqlStateOf(error) ?? "";
  const where = `database '${database}' on ${host}:${port} as '${user}'`;
  if (state.startsWith("28") || state === "3D000") {
    const message = error instanceof Error ? error.message : "";
    return postgresNotUsable(`PostgreSQL refused the login to ${where}: ${message}`, error);
  }
  if (isConnectionLoss(error)) {
    const message = error instanceof Error ? error.message : "";
    return storeUnavailable(`cannot reach PostgreSQL (${where}: ${message})`, error);
  }
  return errorForCallers(error);
}
