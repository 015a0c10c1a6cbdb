import type { Table } from "../../../core/ports/store.js";
import type { KeyRange } from "../format/keys.js";

/** A put or deleted record that is not on disk yet. */
export interface PendingRecord {
  readonly keyBytes: Buffer;
  /** The value to write, sealed with a checksum (`seal`). `undefined`: the record is deleted. */
  readonly sealed: Buffer | undefined;
  /** The value that `put` received. */
  readonly value: unknown;
  /** The table of the record; `undefined` for an entry of the change log. */
  readonly table: Table | undefined;
  /** Agent of the namespace; `undefined` for a record of the whole scope. */
  readonly agentId: string | undefined;
}

/**
 * The records that are not on disk yet, by range and key. Ranges are compared by identity: they are
 * the objects that `OwnerState.range` returns.
 */
export class PendingRecords {
  readonly #ranges = new Map<KeyRange, Map<string, PendingRecord>>();

  get(range: KeyRange, key: string): PendingRecord | undefined {
    return this.#ranges.get(range)?.get(key);
  }

  set(range: KeyRange, key: string, record: PendingRecord): void {
    const records = this.#ranges.get(range);
    if (records === undefined) this.#ranges.set(range, new Map([[key, record]]));
    else records.set(key, record);
  }

  /** Returns the records of one range. */
  of(range: KeyRange): ReadonlyMap<string, PendingRecord> {
    return this.#ranges.get(range) ?? new Map<string, PendingRecord>();
  }

  dropRange(range: KeyRange): void {
    this.#ranges.delete(range);
  }

  /** Calls `use` for each record. An iterator would cost more than most uses. */
  forEach(use: (range: KeyRange, key: string, record: PendingRecord) => void): void {
    for (const [range, records] of this.#ranges)
      for (const [key, record] of records) use(range, key, record);
  }

  /** Adds the records of a later transaction. They replace earlier records under the same keys. */
  merge(later: PendingRecords): void {
    later.forEach((range, key, record) => {
      this.set(range, key, record);
    });
  }

  /**
   * Removes the records of an earlier transaction. Keeps a record if a later transaction has
   * replaced it.
   */
  forget(earlier: PendingRecords): void {
    earlier.forEach((range, key, record) => {
      const records = this.#ranges.get(range);
      if (records?.get(key) !== record) return;
      records.delete(key);
      if (records.size === 0) this.#ranges.delete(range);
    });
  }
}
