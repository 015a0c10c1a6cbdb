import { setTimeout as delay } from "node:timers/promises";
import { storeUnavailable } from "../../errors.js";
import { type HeldRange, isMove } from "../../holds/held-ranges.js";
import type { HeldRanges, RangeChange } from "../../holds/tenant-holds.js";
import { errorForCallers, isConnectionLoss, isTransient } from "../errors.js";
import type { Connection } from "../session/connection.js";
import { sessionRole } from "../session/open-session.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
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
   */
  async idle(): Promise<void> {
    await mapped(
      Promise.all(
        this.parts.openEntries.map((open) =>
          retrying(isConnectionLoss, async () => {
            const connection = await open();
            try {
              await connection.run(`set role ${sessionRole}`);
              await waitForWriters(connection);
            } finally {
              await connection.end();
            }
          }),
        ),
      ),
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

async function waitForWriters(connection: Connection): Promise<void> {
  let waiting = await writersOn(connection);
  for (const began = performance.now(); waiting.size > 0; ) {
    if (performance.now() - began > idleMs)
      throw storeUnavailable("did not end the writes from before the hold in time");
    await delay(pauseMs);
    const running = await writersOn(connection);
    waiting = new Set([...waiting].filter((writer) => running.has(writer)));
  }
}

async function writersOn(connection: Connection): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ writer: string }>(holdStatements.listWriters);
  return new Set(rows.map(({ writer }) => writer));
}

async function mapped<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw errorForCallers(error);
  }
}
