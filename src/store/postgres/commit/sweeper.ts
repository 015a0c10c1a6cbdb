import type { Log } from "../../../core/ports/log.js";
import { SweepLoop } from "../../engine/sweep-loop.js";
import { allOf, type Connection } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { setScope } from "../tables/set-scope.js";
import { listingStatements, scopeStatements } from "../tables/statements.js";

/** Maximum number of records that one transaction removes: the limit in `sweepRecords`. */
const sweptRecords = 1_000;

/** A cleared place (see `TableAt`) whose records are still in the tables. */
interface SweepRow {
  readonly scope: string;
  readonly place: number;
}

/** Removes the records of cleared places in the background, in small transactions. */
export class Sweeper {
  readonly #loop: SweepLoop;

  constructor(
    private readonly writers: Pool,
    log: Log,
  ) {
    this.#loop = new SweepLoop(
      () => this.sweepAll(),
      (error) => {
        log("warn", "removing cleared records failed; the next clearing tries again", { error });
      },
    );
  }

  /** See `SweepLoop.wake`. */
  wake(): void {
    this.#loop.wake();
  }

  /** See `SweepLoop.stop`. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Removes the records of all cleared places. */
  async sweepAll(): Promise<void> {
    for (;;) {
      const { rows } = await this.writers.use((connection) =>
        connection.query<SweepRow>(listingStatements.listSweeps),
      );
      if (rows.length === 0) return;
      for (const row of rows) {
        if (this.#loop.isStopped) return;
        await this.#sweep(row);
      }
    }
  }

  async #sweep(row: SweepRow): Promise<void> {
    let removed: number;
    do removed = await this.writers.use((connection) => sweepChunk(connection, row));
    while (removed === sweptRecords && !this.#loop.isStopped);
  }
}

/**
 * Removes records of one place. Removes the place's row in `vm_sweep` too, once no record is left.
 * Returns the number of removed records.
 */
async function sweepChunk(connection: Connection, { scope, place }: SweepRow): Promise<number> {
  try {
    const [, , { count }] = await allOf([
      connection.run("begin"),
      setScope(connection, { uuid: scope }),
      connection.query(scopeStatements.sweepRecords, [scope, place]),
    ]);
    if (count < sweptRecords) await connection.query(scopeStatements.endSweep, [scope, place]);
    await connection.run("commit");
    return count;
  } catch (error) {
    await connection.run("rollback").catch(() => connection.abandon());
    throw error;
  }
}
