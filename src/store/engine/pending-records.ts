import type { ScanRange } from "../../core/ports/scan-range.js";
import type { Table, ValueOf } from "../../core/ports/store.js";
import type { CommittedRecord } from "../recent-commits.js";
import { isUncounted, storedBytes } from "../usage.js";
import type { RecordSlot, StoredRecord } from "./base.js";

/** The records and the bytes that a write adds to a table. Negative: it removes them. */
export interface Growth {
  readonly records: number;
  /** Bytes that count towards `Usage.bytes`. */
  readonly bytes: number;
  /** All bytes, see `storedBytes`. */
  readonly storedBytes: number;
}

/** A record that was put or deleted and is not written yet. */
export interface PendingRecord<P> {
  readonly slot: RecordSlot<P>;
  /** Agent of the namespace; `undefined` for a record of the whole scope. */
  readonly agentId: string | undefined;
  /** The value that `put` received. */
  readonly value: unknown;
  /** The encoded value; `undefined`: the record is deleted. */
  readonly payload: Uint8Array | undefined;
  /** Upper bounds, because it may be unknown whether the key had a record before. */
  readonly growth: Growth;
  /** The account of the transaction that wrote the record last, see `Transaction.storeAs`. */
  readonly account: string;
}

/** Records that are not written yet, by place, table and key. */
export class PendingRecords<P> {
  readonly #places = new Map<P, Map<Table, Map<string, PendingRecord<P>>>>();

  get({ place, table, key }: Omit<RecordSlot<P>, "keyBytes">): PendingRecord<P> | undefined {
    return this.#places.get(place)?.get(table)?.get(key);
  }

  set(record: PendingRecord<P>): void {
    const { place, table, key } = record.slot;
    let tables = this.#places.get(place);
    if (tables === undefined) {
      tables = new Map();
      this.#places.set(place, tables);
    }
    const records = tables.get(table);
    if (records === undefined) tables.set(table, new Map([[key, record]]));
    else records.set(key, record);
  }

  /** Returns the records of one table of a place, by key. */
  of(place: P, table: Table): ReadonlyMap<string, PendingRecord<P>> {
    return this.#places.get(place)?.get(table) ?? new Map<string, PendingRecord<P>>();
  }

  /** Whether any record of a table, in any place, is pending. */
  holds(table: Table): boolean {
    return [...this.#places.values()].some((tables) => tables.has(table));
  }

  /** Removes a record, unless another one has replaced it. */
  forget(record: PendingRecord<P>): void {
    const { place, table, key } = record.slot;
    const tables = this.#places.get(place);
    const records = tables?.get(table);
    if (records?.get(key) !== record) return;
    records.delete(key);
    if (records.size > 0) return;
    tables?.delete(table);
    if (tables?.size === 0) this.#places.delete(place);
  }

  /** Removes all records of a place. */
  removePlace(place: P): void {
    this.#places.delete(place);
  }

  /** Iterates over the records of a place. */
  *ofPlace(place: P): Generator<PendingRecord<P>> {
    for (const records of this.#places.get(place)?.values() ?? []) yield* records.values();
  }

  /** Calls `use` for each record. An iterator would cost more than most uses. */
  forEach(use: (record: PendingRecord<P>) => void): void {
    for (const tables of this.#places.values())
      for (const records of tables.values()) records.forEach(use);
  }

  *[Symbol.iterator](): Generator<PendingRecord<P>> {
    for (const place of this.#places.keys()) yield* this.ofPlace(place);
  }
}

/**
 * Returns the records and bytes that a write adds to its table. `payload` is the new encoded value,
 * `undefined` for a deletion. `wasBytes` is the length of the replaced value, `undefined` if there
 * is none.
 */
export function growthOf<P>(
  { table, key }: RecordSlot<P>,
  payload: Uint8Array | undefined,
  wasBytes: number | undefined,
): Growth {
  const stored =
    (payload === undefined ? 0 : storedBytes(key, payload.length)) -
    (wasBytes === undefined ? 0 : storedBytes(key, wasBytes));
  return {
    records: Number(payload !== undefined) - Number(wasBytes !== undefined),
    bytes: isUncounted(table) ? 0 : stored,
    storedBytes: stored,
  };
}

/** Returns a written record for `RecentCommitLog`. */
export function committedRecord<P>(record: PendingRecord<P>): CommittedRecord {
  const { slot, agentId, payload, value } = record;
  const { table, key, keyBytes } = slot;
  const bytes = keyBytes.length + (payload?.length ?? 0);
  return { table, agentId, key, value, isDeleted: payload === undefined, bytes };
}

/**
 * Merges pending records of a table into the pages of its stored records.
 *
 * @param from the bytes of the key after which the scan starts
 */
export async function* mergePending<P, T extends Table>(
  pages: AsyncIterable<readonly StoredRecord<T>[]>,
  pending: ReadonlyMap<string, PendingRecord<P>>,
  { reverse = false }: ScanRange,
  from: Buffer | undefined,
): AsyncGenerator<readonly StoredRecord<T>[]> {
  if (pending.size === 0) {
    yield* pages;
    return;
  }
  const hidden = new Set(pending.keys());
  const direction = reverse ? -1 : 1;
  const ordered = [...pending.values()]
    .filter(({ slot }) => from === undefined || slot.keyBytes.compare(from) * direction > 0)
    .toSorted((a, b) => a.slot.keyBytes.compare(b.slot.keyBytes) * direction);
  let next = 0;

  function* pendingBefore(key: Buffer | undefined): Generator<StoredRecord<T>> {
    for (let record = ordered[next]; record !== undefined; record = ordered[++next]) {
      const { slot, value, payload } = record;
      if (key !== undefined && slot.keyBytes.compare(key) * direction >= 0) return;
      // `put` stored the value in this table with this type.
      if (payload !== undefined)
        yield { key: slot.key, keyBytes: slot.keyBytes, open: () => value as ValueOf<T> };
    }
  }

  for await (const page of pages) {
    const merged: StoredRecord<T>[] = [];
    for (const record of page) {
      merged.push(...pendingBefore(record.keyBytes));
      if (!hidden.has(record.key)) merged.push(record);
    }
    yield merged;
  }
  yield [...pendingBefore(undefined)];
}
