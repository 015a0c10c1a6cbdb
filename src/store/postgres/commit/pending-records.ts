import type { Table } from "../../../core/ports/store.js";
import { tableCodes } from "../../codec/table-codes.js";
import type { CommittedRecord } from "../../recent-commits.js";
import { keyBytes } from "../tables/record-codec.js";

/** The position of a record in the tables. `TableAt` explains `place`. */
export interface RecordSlot {
  readonly place: number;
  readonly table: Table;
  readonly key: string;
  readonly keyBytes: Buffer;
}

/** The records and the counted bytes that a write adds to a table. Negative: it removes them. */
export interface Growth {
  readonly records: number;
  readonly bytes: number;
}

/** A record that was put or deleted and is not written yet. */
export interface PendingRecord {
  readonly slot: RecordSlot;
  /** Agent of the namespace; `undefined` for a record of the whole scope. */
  readonly agentId: string | undefined;
  /** The value that `put` received. */
  readonly value: unknown;
  /** The encoded value; `undefined`: the record is deleted. */
  readonly payload: Uint8Array | undefined;
  /** Upper bounds, because it may be unknown whether the key had a record before. */
  readonly growth: Growth;
}

/**
 * Returns the slot of a record.
 *
 * @throws INVALID_ARGUMENT (INVALID_TEXT, ID_TOO_LONG) for keys that cannot be stored
 */
export function slotOf(place: number, table: Table, key: string): RecordSlot {
  return { place, table, key, keyBytes: keyBytes(key) };
}

/** Returns a unique string for each table of each place. */
export function rangeName(place: number, table: Table): string {
  return `${place} ${tableCodes[table]}`;
}

/** Records that are not written yet, by place, table and key. */
export class PendingRecords {
  readonly #ranges = new Map<string, Map<string, PendingRecord>>();

  get({ place, table, key }: RecordSlot): PendingRecord | undefined {
    return this.#ranges.get(rangeName(place, table))?.get(key);
  }

  set(record: PendingRecord): void {
    const { place, table, key } = record.slot;
    const name = rangeName(place, table);
    const records = this.#ranges.get(name) ?? new Map<string, PendingRecord>();
    this.#ranges.set(name, records.set(key, record));
  }

  /** Returns the records of one table of a place, by key. */
  of(place: number, table: Table): ReadonlyMap<string, PendingRecord> {
    return this.#ranges.get(rangeName(place, table)) ?? new Map<string, PendingRecord>();
  }

  /** Whether any record of a table, in any place, is pending. */
  holds(table: Table): boolean {
    const suffix = ` ${tableCodes[table]}`;
    return [...this.#ranges.keys()].some((name) => name.endsWith(suffix));
  }

  /** Removes all records of a place. */
  removePlace(place: number): void {
    for (const name of this.#ranges.keys())
      if (name.startsWith(`${place} `)) this.#ranges.delete(name);
  }

  *[Symbol.iterator](): Iterator<PendingRecord> {
    for (const records of this.#ranges.values()) yield* records.values();
  }
}

/** Yields the written records of a group, for `RecentCommitLog`. */
export function* committedRecords(pending: PendingRecords): Iterable<CommittedRecord> {
  for (const { slot, agentId, payload, value } of pending) {
    const { table, key, keyBytes } = slot;
    const bytes = keyBytes.length + (payload?.length ?? 0);
    yield { table, agentId, key, value, isDeleted: payload === undefined, bytes };
  }
}
