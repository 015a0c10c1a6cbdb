import { VademecumError } from "../../../core/model/errors.js";
import type { Scope } from "../../../core/model/namespace.js";
import { entryOf, type HeldRange } from "../../holds/held-ranges.js";
import { moved, writesHeld } from "../../holds/hold-errors.js";
import { parseRanges, rangesText } from "../../holds/ranges-text.js";
import { ReadableScopes } from "../../holds/readable-scopes.js";
import { allOf, type Session } from "../session/connection.js";
import { holdStatements } from "../tables/statements.js";

/** All holds and moves, see `HeldRange`. */
export interface Holds {
  /** The holds and moves as text. Null: there are none yet. */
  readonly moves: string | null;
}

/** The row with the holds and moves, and the time at which the row was read. */
export interface HoldsRow extends Holds {
  /**
   * The time by the clock of PostgreSQL, in milliseconds. This clock decides when the time of a
   * hold is over, because the clocks of servers differ.
   */
  readonly now_ms: number;
}

/**
 * Decides from the row of the holds which scopes may be read and written.
 *
 * A hold is in force while it is in the row, even when its time is over. A writer first removes
 * such an overdue hold, in its own transaction. So a hold either becomes a move or lets writes
 * through, and never both.
 */
export class HeldScopes {
  /** The scopes that calls may read although they are being handed over. */
  readonly readable = new ReadableScopes();
  #text: string | null = null;
  #ranges: readonly HeldRange[] = [];

  /** The holds and moves of the last row that was read. */
  get known(): readonly HeldRange[] {
    return this.#ranges;
  }

  /** Reads the row. */
  async read(session: Session): Promise<HoldsRow> {
    const { rows } = await session.query<HoldsRow>(holdStatements.readHolds);
    if (rows[0] === undefined) throw new Error("the table vm_meta is empty");
    return rows[0];
  }

  /** Locks the row until the end of the transaction, and reads it. */
  async lock(session: Session): Promise<HoldsRow> {
    // Two statements, because Citus allows no clock in an UPDATE.
    const [, row] = await allOf([session.query(holdStatements.lockHolds), this.read(session)]);
    return row;
  }

  /** Replaces the row. Requires: the transaction has locked it. */
  async put(session: Session, ranges: readonly HeldRange[]): Promise<void> {
    await session.query(holdStatements.putHolds, [rangesText(ranges)]);
  }

  /**
   * Returns the ranges of slots that are held or have moved.
   *
   * @throws DATA_LOSS (STORE_DAMAGED) when the text of the row is damaged
   */
  rangesOf({ moves }: Holds): readonly HeldRange[] {
    if (moves !== this.#text) {
      this.#ranges = moves === null ? [] : parseStored(moves);
      this.#text = moves;
    }
    return this.#ranges;
  }

  /** Whether a scope has moved to another server. */
  hasMoved(row: Holds, scope: Scope): boolean {
    return this.#entryOf(row, scope)?.movedTo !== undefined;
  }

  /**
   * Checks that a scope is still in this database.
   *
   * @throws FAILED_PRECONDITION (MOVED) when the scope has moved to another server
   */
  requirePresent(row: Holds, scope: Scope): void {
    const entry = this.#entryOf(row, scope);
    if (entry?.movedTo === undefined || this.#isReadable(entry, scope)) return;
    throw moved(entry.movedTo, scope);
  }

  /**
   * Lets a transaction write a scope. Removes holds whose time is over, in the same transaction.
   *
   * @throws FAILED_PRECONDITION (MOVED) when the scope has moved to another server
   * @throws UNAVAILABLE (WRITES_HELD) when its writes are held
   */
  async admitWrites(session: Session, row: HoldsRow, scope: Scope): Promise<void> {
    if (this.#mayWrite(row, scope)) return;
    const locked = await this.lock(session);
    if (this.#mayWrite(locked, scope)) return;
    const current = this.rangesOf(locked).filter(({ untilMs }) => untilMs > locked.now_ms);
    await this.put(session, current);
  }

  /** Returns false for a hold whose time is over. Throws as `admitWrites`. */
  #mayWrite(row: HoldsRow, scope: Scope): boolean {
    const entry = this.#entryOf(row, scope);
    if (entry === undefined) return true;
    if (this.#isReadable(entry, scope)) throw writesHeld(scope);
    if (entry.movedTo !== undefined) throw moved(entry.movedTo, scope);
    if (entry.untilMs > row.now_ms) throw writesHeld(scope);
    return false;
  }

  #isReadable({ isHandingOver }: HeldRange, scope: Scope): boolean {
    return isHandingOver === true && this.readable.has(scope);
  }

  #entryOf(row: Holds, scope: Scope): HeldRange | undefined {
    const ranges = this.rangesOf(row);
    return ranges.length === 0 ? undefined : entryOf(ranges, scope, -Infinity);
  }
}

function parseStored(text: string): readonly HeldRange[] {
  try {
    return parseRanges(text);
  } catch (cause) {
    throw new VademecumError(
      "DATA_LOSS",
      "STORE_DAMAGED",
      "the column 'moves' of the table vm_meta is damaged. It says which users have moved to " +
        "other servers. Set it to null only if no user has moved away. Otherwise the servers " +
        "would serve old data of those users",
      { cause },
    );
  }
}
