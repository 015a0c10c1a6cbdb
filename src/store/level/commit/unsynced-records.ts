import type { Table } from "../../../core/ports/store.js";
import type { KeyRange } from "../format/keys.js";

/** A put or deleted record that is not on disk yet. */
export interface UnsyncedRecord {
  readonly range: KeyRange;
  readonly table: Table;
  readonly key: string;
  readonly keyBytes: Buffer;
  /** The value to write, sealed with a checksum (`seal`). `undefined`: the record is deleted. */
  readonly sealed: Buffer | undefined;
  /** The value that `put` received. */
  readonly value: unknown;
}

/**
 * The records that are not on disk yet, by range and key. Ranges are compared by identity: they are
 * the objects that `OwnerState.range` returns.
 */
export class UnsyncedRecords {
  readonly #ranges = new Map<KeyRange, Map<string, UnsyncedRecord>>();

  get(range: KeyRange, key: string): UnsyncedRecord | undefined {
    return this.#ranges.get(range)?.get(key);
  }

  /** Adds a record. It replaces an earlier record under the same key. */
  set(record: UnsyncedRecord): void {
    const { range, key } = record;
    const records = this.#ranges.get(range);
    if (records === undefined) this.#ranges.set(range, new Map([[key, record]]));
    else records.set(key, record);
  }

  /** Returns the records of one range. */
  of(range: KeyRange): ReadonlyMap<string, UnsyncedRecord> {
    return this.#ranges.get(range) ?? new Map<string, UnsyncedRecord>();
  }

  /** Removes a record, unless a later transaction has replaced it. */
  forget(record: UnsyncedRecord): void {
    const { range, key } = record;
    const records = this.#ranges.get(range);
    if (records?.get(key) !== record) return;
    records.delete(key);
    if (records.size === 0) this.#ranges.delete(range);
  }
}
