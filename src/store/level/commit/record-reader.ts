import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Table, ValueOf } from "../../../core/ports/store.js";
import { codecOf } from "../../codec/table-codecs.js";
import {
  type Database,
  type DatabaseSnapshot,
  type Entry,
  type EntryRange,
  readPayload,
  requirePayload,
} from "../folder/database.js";
import { type KeyRange, recordKey, textOfRecordKey } from "../format/keys.js";

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
