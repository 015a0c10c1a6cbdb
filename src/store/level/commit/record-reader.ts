import type { ScanRange, Table, ValueOf } from "../../../core/ports/store.js";
import { codecOf } from "../../codec/table-codecs.js";
import {
  type Database,
  type DatabaseSnapshot,
  type Entry,
  type EntryRange,
  readPayload,
  requirePayload,
  scanChunks,
} from "../folder/database.js";
import { type KeyRange, recordKey, textOfRecordKey } from "../format/keys.js";
import type { PendingRecord } from "./pending-records.js";

/** A record of a table with its key. */
export type TableRecord<T extends Table> = readonly [key: string, value: ValueOf<T>];

/**
 * Reads a record from disk.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the record is damaged
 */
export function readRecord<T extends Table>(
  database: Database,
  table: T,
  range: KeyRange,
  key: string,
  snapshot?: DatabaseSnapshot,
): ValueOf<T> | undefined {
  const payload = readPayload(database, recordKey(range, key), `a record of ${table}`, snapshot);
  return payload === undefined ? undefined : codecOf(table).decode(payload);
}

/** Returns the part of a range that a scan covers. */
export function entryRange(
  range: KeyRange,
  { after, reverse = false }: ScanRange,
  snapshot?: DatabaseSnapshot,
): EntryRange {
  return {
    ...range,
    reverse,
    ...(after === undefined ? {} : { after: recordKey(range, after) }),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

/**
 * Decodes an entry.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the record is damaged
 */
export function decodeEntry<T extends Table>(
  table: T,
  range: KeyRange,
  [key, sealed]: Entry,
): TableRecord<T> {
  return [
    textOfRecordKey(range, key),
    codecOf(table).decode(requirePayload(key, sealed, `a record of ${table}`)),
  ];
}

/**
 * Scans a table as if the pending records were on disk. `pending` holds the records that were
 * pending at the start of the scan.
 */
export async function* scanWithPending<T extends Table>(
  database: Database,
  table: T,
  range: EntryRange,
  pending: readonly (readonly [string, PendingRecord])[],
): AsyncGenerator<TableRecord<T>> {
  const direction = range.reverse === true ? -1 : 1;
  const inRange = ([, { keyBytes }]: readonly [string, PendingRecord]): boolean =>
    range.after === undefined || keyBytes.compare(range.after) * direction > 0;
  const ordered = pending
    .filter(inRange)
    .toSorted(([, a], [, b]) => a.keyBytes.compare(b.keyBytes) * direction);
  let next = 0;

  function* pendingBefore(key: Buffer | undefined): Generator<TableRecord<T>> {
    for (; next < ordered.length; next++) {
      const [text, { keyBytes, sealed, value }] = ordered[next] as readonly [string, PendingRecord];
      if (key !== undefined && keyBytes.compare(key) * direction >= 0) return;
      // `Transaction.put` stored the value in this table with this type.
      if (sealed !== undefined) yield [text, value as ValueOf<T>];
    }
  }

  for await (const entries of scanChunks(database, range)) {
    for (const entry of entries) {
      const [key] = entry;
      yield* pendingBefore(key);
      if (ordered[next]?.[1].keyBytes.equals(key) !== true) yield decodeEntry(table, range, entry);
    }
  }
  yield* pendingBefore(undefined);
}
