import { setTimeout as delay } from "node:timers/promises";
import { storeUnavailable } from "../../errors.js";
import { type HeldRange, isMove } from "../../holds/held-ranges.js";
import type { ReadableScopes } from "../../holds/readable-scopes.js";
import type { HeldRanges, RangeChange } from "../../holds/tenant-holds.js";
import { errorForCallers, isConnectionLoss, isTransient } from "../errors.js";
import type { Connection } from "../session/connection.js";
import { sessionRole } from "../session/open-session.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
import { hasCitus } from "../tables/has-citus.js";
import { holdStatements } from "../tables/statements.js";
import type { HeldScopes } from "./held-scopes.js";

/** Longest wait for the end of earlier writes, in milliseconds. */
const idleMs = 15_000;

/** The pause between two checks of the writers, in milliseconds. */
const pauseMs = 10;

/** Parts of `PostgresRanges`. */
export interface PostgresRangesParts {
  readonly writers: Pool;
  readonly scopes: HeldScopes;
  /** For each address of the database, a function that opens a connection to it. */
  readonly openEntries: readonly (() => Promise<Connection>)[];
  /** Called after moves have changed. */
  readonly onMoved: () => void;
}

/** The holds and moves of all servers over one PostgreSQL. */
export class PostgresRanges implements HeldRanges {
  constructor(private readonly parts: PostgresRangesParts) {}

  get readable(): ReadableScopes {
    return this.parts.scopes.readable;
  }

  known(): readonly HeldRange[] {
    return this.parts.scopes.known;
  }

  async read(): Promise<readonly HeldRange[]> {
    const { writers, scopes } = this.parts;
    return mapped(
      retrying(isConnectionLoss, async () =>
        scopes.rangesOf(await writers.use((connection) => scopes.read(connection))),
      ),
    );
  }

  async change(change: RangeChange): Promise<void> {
    const { writers, onMoved } = this.parts;
    const hasMoved = await mapped(
      retrying(isTransient, () => writers.use((connection) => this.#changeOn(connection, change))),
    );
    if (hasMoved) onMoved();
  }

  /**
   * Waits for the writers that may not see the last change of the holds. A writer locks the table
   * of the heads before it reads the holds, and keeps the lock until it commits. So a writer that
   * does not see the last change is among the writers that have the table locked now.
   *
   * Over Citus, another server may write through a node that this server has no address of, so all
   * nodes are asked. A node that has crashed during the change shows the change only after the end
   * of a commit in two phases. Until then, writers begin there that do not see the change. So the
   * first step waits for the end of such commits, and the second step lists the writers anew.
   *
   * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the writers do not end in time, or a node of Citus
   *   does not answer
   */
  async idle(): Promise<void> {
    const { openEntries } = this.parts;
    const [first] = openEntries;
    if (first === undefined) return;
    const endMs = performance.now() + idleMs;
    await mapped(waitForWriters(first, writersOnNodes, endMs));
    await mapped(
      Promise.all([
        waitForWriters(first, writersOnNodes, endMs),
        ...openEntries.map((open) => waitForWriters(open, writersOn, endMs)),
      ]),
    );
  }

  async #changeOn(connection: Connection, change: RangeChange): Promise<boolean> {
    const { scopes } = this.parts;
    try {
      await connection.run("begin");
      const row = await scopes.lock(connection);
      const before = scopes.rangesOf(row);
      const after = change(before, row.now_ms);
      await scopes.put(connection, after);
      const { command } = await connection.run("commit");
      if (command !== "COMMIT") throw new Error(`COMMIT ended as ${command}`);
      return before.some(isMove) || after.some(isMove);
    } catch (error) {
      await connection.run("rollback").catch(() => connection.abandon());
      throw error;
    }
  }
}

type Writers = ReadonlySet<string>;

/**
 * Waits until the writers of now have ended.
 *
 * @param list Lists the writers.
 * @param endMs When to give up, by `performance.now()`.
 */
async function waitForWriters(
  open: () => Promise<Connection>,
  list: (connection: Connection) => Promise<Writers>,
  endMs: number,
): Promise<void> {
  await retrying(isConnectionLoss, async () => {
    const connection = await open();
    try {
      await connection.run(`set role ${sessionRole}`);
      let waiting = await list(connection);
      while (waiting.size > 0) {
        if (performance.now() > endMs)
          throw storeUnavailable("did not end the writes from before the hold in time");
        await delay(pauseMs);
        const running = await list(connection);
        waiting = new Set([...waiting].filter((writer) => running.has(writer)));
      }
    } finally {
      await connection.end();
    }
  });
}

/** Lists the writers of one PostgreSQL. */
async function writersOn(connection: Connection): Promise<Writers> {
  const { rows } = await connection.query<{ writer: string }>(holdStatements.listWriters);
  return new Set(rows.map(({ writer }) => writer));
}

/** The writers of one node of Citus. */
interface NodeWriters {
  readonly node: string;
  readonly writers: readonly string[] | null;
}

/** Lists the writers of all nodes of Citus. Returns an empty set without Citus. */
async function writersOnNodes(connection: Connection): Promise<Writers> {
  if (!(await hasCitus(connection))) return new Set();
  const { rows } = await connection.query<NodeWriters>(holdStatements.listNodeWriters);
  const writers = new Set<string>();
  for (const { node, writers: listed } of rows) {
    if (listed === null) throw storeUnavailable(`got no list of writers from the node ${node}`);
    for (const writer of listed) writers.add(`${node} ${writer}`);
  }
  return writers;
}

async function mapped<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw errorForCallers(error);
  }
}
