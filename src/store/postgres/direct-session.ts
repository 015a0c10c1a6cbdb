import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JobLock, SharedJob } from "../../core/ports/job-lock.js";
import type { Log } from "../../core/ports/log.js";
import { ConnectionLost } from "./errors.js";
import type { Connection, Session } from "./session/connection.js";
import { advisoryLocks } from "./tables/create-tables.js";

/** The second key of the advisory lock for pruning. */
const pruningLock = 1;
/** The second key of the advisory lock for the deliveries of webhooks. */
const deliveriesLock = 2;

/**
 * First key of the advisory locks of namespaces that are reindexed. The second key is a hash of the
 * namespace. Two namespaces with the same hash are never reindexed at the same time, which does no
 * harm.
 */
const reindexLocks = advisoryLocks + 1;

/** For so many hours after pruning, no server prunes again: less than a day. */
const prunedHours = 23;

const channel = "vm_proposals";

/** Payload of a notification about all scopes. */
const anyScope = "all";

/** The pause before another attempt to connect, in milliseconds. */
const reconnectMs = 1_000;

/** The time between two checks of the heads of all followed scopes, in milliseconds. */
const defaultRecheckMs = 30_000;

/** Parts of a direct session. */
export interface DirectSessionParts {
  /** Opens a connection that bypasses poolers. With Citus, it leads to the coordinator. */
  readonly open: () => Promise<Connection>;
  /** Returns a text that changes with each commit of a scope, and with each hold and move. */
  readonly stateOf: (scopeId: string) => Promise<string>;
  /** Whether pruning rests for most of a day, by PostgreSQL's clock, after it has ended. */
  readonly prunesDaily: boolean;
  readonly log: Log;
  /** Milliseconds between two checks of the heads. Default 30 s. */
  readonly recheckMs?: number;
}

interface Followed {
  readonly listeners: Set<() => void>;
  /** The state at the last check; `undefined` before the first check. */
  state: string | undefined;
}

/**
 * One session for notifications between servers and for locks of jobs, such as pruning. PostgreSQL
 * ties notifications and locks to a session, not to a transaction. The session connects at its
 * first use, and again whenever the connection is lost.
 *
 * A notification may get lost. So each reconnect calls all listeners, and every 30 seconds the
 * heads of the followed scopes are compared with their last known states.
 */
export class DirectSession {
  readonly #followed = new Map<string, Followed>();
  readonly #closing = new AbortController();
  #connection: Promise<Connection> | undefined;
  #recheck: NodeJS.Timeout | undefined;

  constructor(private readonly parts: DirectSessionParts) {}

  /**
   * Calls `onChange` when proposals of a scope may have changed; without a scope, proposals of any
   * scope. Returns a function that ends the calls.
   */
  follow(scope: string | undefined, onChange: () => void): () => void {
    const scopeId = scope ?? anyScope;
    const followed = this.#followed.get(scopeId) ?? { listeners: new Set(), state: undefined };
    // A new function for each call, so that two calls may pass the same `onChange`.
    const listener = (): void => onChange();
    followed.listeners.add(listener);
    this.#followed.set(scopeId, followed);
    this.#recheck ??= setInterval(
      () => void this.#compareHeads(),
      this.parts.recheckMs ?? defaultRecheckMs,
    ).unref();
    this.#connect().catch(() => undefined);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size === 0) this.#followed.delete(scopeId);
    };
  }

  /**
   * Notifies the other servers that proposals of a scope have changed. Default: proposals of any
   * scope. Never rejects.
   */
  async notify(scopeId: string = anyScope): Promise<void> {
    try {
      const connection = await this.#connect();
      await connection.run(`select pg_notify('${channel}', '${scopeId}')`);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.parts.log("warn", "cannot notify other servers; they look again within 30 seconds", {
        error,
      });
    }
  }

  /**
   * Like `Store.tryLock`, but rejects with errors of the driver. The lock is lost with the
   * connection.
   */
  async tryLock(job: SharedJob): Promise<JobLock | undefined> {
    const keys = lockKeysOf(job);
    const connection = await this.#connect();
    const { rows } = await connection.run<{ has: boolean }>(
      `select pg_try_advisory_lock(${keys}) as has`,
    );
    if (rows[0]?.has !== true) return undefined;
    // A connection that cannot unlock is closed, because the lock ends with the connection.
    const unlock = async (): Promise<void> => {
      await connection.run(`select pg_advisory_unlock(${keys})`).catch(() => connection.abandon());
    };
    if (job === "pruning" && this.parts.prunesDaily && (await hasPruned(connection))) {
      await unlock();
      return undefined;
    }
    return {
      get isHeld() {
        return connection.isUsable;
      },
      ...(job === "pruning" && { noteEnd: () => notePruning(connection) }),
      [Symbol.asyncDispose]: unlock,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#recheck);
    this.#followed.clear();
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.end();
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  async #open(): Promise<Connection> {
    let connection: Connection | undefined;
    try {
      this.#closing.signal.throwIfAborted();
      connection = await this.parts.open();
      connection.onNotification((scopeId) =>
        scopeId === anyScope ? this.#callAll() : this.#call(scopeId, anyScope),
      );
      await connection.run(`listen ${channel}`);
      if (!connection.isUsable) throw new ConnectionLost("the connection has ended");
      // Set only now: a connection that failed above must not disturb its successor when it ends.
      connection.onLost(() => void this.#reconnect());
      return connection;
    } catch (error) {
      void connection?.end();
      this.#connection = undefined;
      if (this.#followed.size > 0) void this.#reconnect();
      throw error;
    }
  }

  async #reconnect(): Promise<void> {
    this.#connection = undefined;
    const { signal } = this.#closing;
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || this.#followed.size === 0 || this.#connection !== undefined) return;
    // A failed attempt to connect starts the next attempt itself.
    const isBack = await this.#connect().then(
      () => true,
      () => false,
    );
    if (isBack) this.#callAll();
  }

  #callAll(): void {
    this.#call(...this.#followed.keys());
  }

  #call(...scopeIds: readonly string[]): void {
    for (const scopeId of scopeIds)
      for (const listener of this.#followed.get(scopeId)?.listeners ?? []) listener();
  }

  async #compareHeads(): Promise<void> {
    await Promise.all(
      [...this.#followed].map(async ([scopeId, followed]) => {
        // No head stands for all scopes.
        if (scopeId === anyScope) return this.#call(scopeId);
        const state = await this.parts.stateOf(scopeId).catch(() => undefined);
        if (state === undefined) return;
        const hasChanged = followed.state !== state;
        followed.state = state;
        if (hasChanged) this.#call(scopeId);
      }),
    );
  }
}

/** Whether pruning ended on any server a short time ago, so that a start need not prune again. */
async function hasPruned(session: Session): Promise<boolean> {
  const { rows } = await session.run<{ recent: boolean | null }>(
    `select pruned > clock_timestamp() - interval '${prunedHours} hours' as recent
      from vademecum.vm_meta`,
  );
  return rows[0]?.recent === true;
}

async function notePruning(session: Session): Promise<void> {
  // Two statements, because Citus allows no clock in an UPDATE.
  const { rows } = await session.run<{ now: string }>("select clock_timestamp()::text as now");
  await session.run(`update vademecum.vm_meta set pruned = '${rows[0]?.now ?? "now"}'`);
}

/** Returns both keys of a job's advisory lock. Servers of other versions use the same keys. */
function lockKeysOf(job: SharedJob): string {
  if (job === "pruning") return `${advisoryLocks}, ${pruningLock}`;
  if (job === "deliveries") return `${advisoryLocks}, ${deliveriesLock}`;
  const { tenant, userId, agentId } = job.reindex;
  const name = JSON.stringify([tenant ?? null, userId, agentId]);
  return `${reindexLocks}, ${createHash("sha256").update(name).digest().readInt32BE()}`;
}
