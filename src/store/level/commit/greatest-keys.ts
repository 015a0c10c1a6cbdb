import type { PendingRecords } from "../../engine/pending-records.js";
import { type Database, greatestKey } from "../folder/database.js";
import type { KeyRange } from "../format/keys.js";

/**
 * The greatest key of a range is read from disk after this many calls of `isAbove` for the range.
 */
const questionsMin = 4;

/**
 * Knows upper bounds of the keys of ranges. A key above the bound of its range has no record yet,
 * so a transaction need not look it up on disk. Ids and times ascend, so most new keys are above
 * the bound.
 *
 * Ranges are compared by identity, as in `PendingScope.pending`.
 */
export class GreatestKeys {
  readonly #bounds = new WeakMap<KeyRange, Buffer>();
  readonly #questions = new WeakMap<KeyRange, number>();
  /** Ranges whose bound `read` will read. */
  readonly #wanted = new Set<KeyRange>();

  /**
   * Whether the key is above all keys of the range. Returns false if that is unknown.
   *
   * @param isEmpty whether the range has no record, on disk or pending
   */
  isAbove(range: KeyRange, keyBytes: Buffer, isEmpty: boolean): boolean {
    const bound = this.#bounds.get(range);
    if (bound !== undefined) return keyBytes.compare(bound) > 0;
    if (isEmpty) {
      this.#bounds.set(range, range.prefix);
      return true;
    }
    const questions = (this.#questions.get(range) ?? 0) + 1;
    this.#questions.set(range, questions);
    if (questions === questionsMin) this.#wanted.add(range);
    return false;
  }

  /** Call it with each record that the next transaction is to see. */
  raise(range: KeyRange, keyBytes: Buffer): void {
    const bound = this.#bounds.get(range);
    if (bound !== undefined && keyBytes.compare(bound) > 0) this.#bounds.set(range, keyBytes);
  }

  /** Whether `read` has work. */
  get wantsRead(): boolean {
    return this.#wanted.size > 0;
  }

  /**
   * Reads the bounds of ranges that transactions have often asked for. If a range cannot be read,
   * its bound stays unknown, and the next attempt comes after another `questionsMin` calls of
   * `isAbove`. Requires: no transaction of the scope is running.
   */
  async read(database: Database, pending: PendingRecords<KeyRange>): Promise<void> {
    for (const range of [...this.#wanted]) {
      this.#wanted.delete(range);
      // Looks at the pending records first, and then at the disk. So a record that becomes durable
      // in between is not missed.
      let bound = range.prefix;
      for (const { slot } of pending.ofPlace(range))
        if (slot.keyBytes.compare(bound) > 0) bound = slot.keyBytes;
      try {
        const stored = (await greatestKey(database, range)) ?? bound;
        this.#bounds.set(range, stored.compare(bound) > 0 ? stored : bound);
      } catch {
        this.#questions.delete(range);
      }
    }
  }
}
