import type { Table, ValueOf } from "../../../core/ports/store.js";
import { seal, unseal } from "../../codec/envelope.js";
import { idTooLong, requireWellFormedKey } from "../../codec/key-text.js";
import { codecOf } from "../../codec/table-codecs.js";
import { tableCodes } from "../../codec/table-codes.js";
import { damagedInPostgres } from "../errors.js";
import type { ScopeRow } from "./scope-row.js";

/**
 * Longest key of a record and longest id of an agent, in bytes of UTF-8. PostgreSQL allows about
 * 2,700 bytes in an entry of an index.
 */
const keyMaxBytes = 2_000;

/**
 * One table of one place. A place is the number of a group of records: the records of one
 * namespace, or the records of a scope that belong to no namespace (docs/internals/data-format.md).
 */
export interface TableAt {
  readonly scope: ScopeRow;
  readonly place: number;
  readonly table: Table;
}

/** Returns the bytes of a key or of an agent's id. */
export function keyBytes(key: string): Buffer {
  requireWellFormedKey(key);
  const bytes = Buffer.from(key);
  if (bytes.length > keyMaxBytes) throw idTooLong(bytes.length, keyMaxBytes);
  return bytes;
}

/** Returns the value to write. Its checksum covers the scope, the place, the table and the key. */
export function sealRecord(at: TableAt, key: Buffer, payload: Uint8Array): Buffer {
  return seal(checkedKey(at, key), payload);
}

/**
 * Decodes a stored value.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when its checksum is wrong
 */
export function openRecord<T extends Table>(
  at: TableAt & { readonly table: T },
  key: Buffer,
  value: Buffer,
): ValueOf<T> {
  return codecOf(at.table).decode(payloadOf(at, key, value));
}

/**
 * Returns the payload of a stored value: the encoded record without its checksum.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when its checksum is wrong
 */
export function payloadOf(at: TableAt, key: Buffer, value: Buffer): Buffer {
  const payload = unseal(checkedKey(at, key), value);
  if (payload === undefined)
    throw damagedInPostgres(`a record of ${at.table} is damaged: its checksum is wrong`);
  return payload;
}

/** Returns the value to write for a commit in the change log. */
export function sealChange(scope: ScopeRow, seq: number, payload: Uint8Array): Buffer {
  return seal(changeKey(scope, seq), payload);
}

/**
 * Returns the payload of a commit in the change log.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when its checksum is wrong
 */
export function openChange(scope: ScopeRow, seq: number, value: Buffer): Buffer {
  const payload = unseal(changeKey(scope, seq), value);
  if (payload === undefined) throw damagedInPostgres("an entry of a change log is damaged");
  return payload;
}

function checkedKey({ scope, place, table }: TableAt, key: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(scope.bytes.length + 9 + key.length);
  scope.bytes.copy(bytes);
  bytes.writeBigUInt64BE(BigInt(place), scope.bytes.length);
  bytes.writeUInt8(tableCodes[table], scope.bytes.length + 8);
  key.copy(bytes, scope.bytes.length + 9);
  return bytes;
}

function changeKey({ bytes }: ScopeRow, seq: number): Buffer {
  const key = Buffer.allocUnsafe(bytes.length + 8);
  bytes.copy(key);
  key.writeBigUInt64BE(BigInt(seq), bytes.length);
  return key;
}
