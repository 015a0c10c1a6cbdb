import { type Scope, userScope } from "../../../core/model/namespace.js";
import type { IdRange } from "../../../core/ports/id-range.js";
import type { CrossUserRange } from "../../../core/ports/scan-range.js";
import { type CrossUserTable, crossUserTables, type Table } from "../../../core/ports/store.js";
import { idTooLong, requireWellFormedKey } from "../../codec/key-text.js";
import { scopeCodes } from "../../codec/scope-codes.js";
import { tableCodes } from "../../codec/table-codes.js";

// The complete key layout; docs/internals/data-format.md shows the bytes. Every constant is on
// disk: never change or reuse one.
//
// A place is a number in the keys of the records of a scope or namespace. They get a higher place
// when these records are cleared or replaced as a whole.

/** The first byte of every key: the kind of the record. */
export const kinds = {
  /** The ids of the store. */
  meta: 0x01,
  /** The mark of a group of commits, see `Mark`. */
  mark: 0x02,
  /** The head of a scope or namespace, see `ScopeHead`. */
  head: 0x03,
  /** A note that names a place whose records are to be removed. */
  sweep: 0x04,
  /** A record of a table. */
  record: 0x10,
  /** An entry of the change log of a scope. */
  change: 0x11,
  /** A note on a record of a table that is listed over all users, see `crossUserKey`. */
  crossUser: 0x12,
} as const;

/**
 * The first byte of the part of a key that names a tenant. In the keys of a tenant's data, this
 * part stands before the scope.
 */
export const tenantCode = 0x04;

/**
 * The byte after a scope: whether the records belong to the whole scope or to one agent's
 * namespace.
 */
export const wholeScope = 0x00;
export const agentNamespace = 0x01;

/** Maximum length of the id of a user, run, agent or tenant, in bytes of UTF-8. */
const maxIdBytes = 0xffff;

/** A range of keys from `prefix` to `end`, without `end`. */
export interface KeyRange {
  readonly prefix: Buffer;
  readonly end: Buffer;
}

/** The key of the record with the ids of the store and its epoch. */
export const metaKey = Buffer.of(kinds.meta);

/** All marks, in the order of their groups. */
export const markRange = rangeOf(Buffer.of(kinds.mark));

/** All heads. The head of a scope comes before the heads of its namespaces. */
export const headRange = rangeOf(Buffer.of(kinds.head));

/** All notes. A note names a place whose records are still to be removed. */
export const sweepRange = rangeOf(Buffer.of(kinds.sweep));

/** All records of all scopes, scope by scope, namespace by namespace. */
export const recordRange = rangeOf(Buffer.of(kinds.record));

/** The change logs of all scopes. */
export const changeRange = rangeOf(Buffer.of(kinds.change));

/**
 * Returns the range of all keys with a prefix. Requires: the last byte of the prefix is not 0xff.
 */
export function rangeOf(prefix: Buffer): KeyRange {
  const end = Buffer.from(prefix);
  end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
  return { prefix, end };
}

/** Returns the key of a group's mark. */
export function markKey(group: number): Buffer {
  const key = Buffer.allocUnsafe(9);
  key.writeUInt8(kinds.mark);
  key.writeBigUInt64BE(BigInt(group), 1);
  return key;
}

/** Returns the part of a key that names a scope. */
export function scopePart(scope: Scope): Buffer {
  const own = idPart(
    scopeCodes[scope.kind],
    scope.kind === "user" ? scope.userId : scope.kind === "run" ? scope.runId : "",
  );
  return scope.tenant === undefined ? own : Buffer.concat([idPart(tenantCode, scope.tenant), own]);
}

/** Returns the key of a scope's head. */
export function scopeHeadKey(scope: Buffer): Buffer {
  return Buffer.concat([Buffer.of(kinds.head), scope, Buffer.of(wholeScope)]);
}

/** Returns the key of a namespace's head. */
export function namespaceHeadKey(scope: Buffer, agentId: string): Buffer {
  return Buffer.concat([Buffer.of(kinds.head), scope, idPart(agentNamespace, agentId)]);
}

/** Returns the range of the heads of all namespaces of a scope. */
export function namespaceHeadRange(scope: Buffer): KeyRange {
  return rangeOf(Buffer.concat([Buffer.of(kinds.head), scope, Buffer.of(agentNamespace)]));
}

/**
 * Returns the beginning of the keys of the heads whose ids a range lists. The length of the id
 * follows, in two bytes, then the id.
 */
export function idHeadsPrefix(range: IdRange): Buffer {
  const { tenant } = range;
  if (range.of === "agents")
    return Buffer.concat([
      Buffer.of(kinds.head),
      scopePart(userScope(range.userId, tenant)),
      Buffer.of(agentNamespace),
    ]);
  return Buffer.concat([
    Buffer.of(kinds.head),
    tenant === undefined ? Buffer.alloc(0) : idPart(tenantCode, tenant),
    Buffer.of(range.of === "users" ? scopeCodes.user : scopeCodes.run),
  ]);
}

/**
 * Returns the key of the note on a place whose records are to be removed.
 *
 * @param agentId the agent of a namespace; `undefined` for the records of the whole scope
 */
export function sweepKey(scope: Buffer, agentId: string | undefined, place: number): Buffer {
  return Buffer.concat([
    Buffer.of(kinds.sweep),
    scope,
    agentId === undefined ? Buffer.of(wholeScope) : idPart(agentNamespace, agentId),
    placePart(place),
  ]);
}

/**
 * Returns the range of all records of one place.
 *
 * @param agentId as in `sweepKey`
 */
export function placeRange(scope: Buffer, agentId: string | undefined, place: number): KeyRange {
  const owner =
    agentId === undefined
      ? Buffer.concat([Buffer.of(wholeScope), placePart(place)])
      : Buffer.concat([idPart(agentNamespace, agentId), placePart(place)]);
  const begin = Buffer.concat([Buffer.of(kinds.record), scope, owner]);
  // Table codes are far below 0xff, so this end is after the last of them.
  return { prefix: begin, end: Buffer.concat([begin, Buffer.of(0xff)]) };
}

/** Returns the range of a table in one place of a namespace. */
export function namespaceTableRange(
  scope: Buffer,
  agentId: string,
  place: number,
  table: Table,
): KeyRange {
  const agent = idPart(agentNamespace, agentId);
  return rangeOf(
    Buffer.concat([
      Buffer.of(kinds.record),
      scope,
      agent,
      placePart(place),
      Buffer.of(tableCodes[table]),
    ]),
  );
}

/** Returns the range of a table in one place of a whole scope. */
export function scopeTableRange(scope: Buffer, place: number, table: Table): KeyRange {
  return rangeOf(
    Buffer.concat([
      Buffer.of(kinds.record),
      scope,
      Buffer.of(wholeScope),
      placePart(place),
      Buffer.of(tableCodes[table]),
    ]),
  );
}

/** Returns the key of a record in a range. */
export function recordKey({ prefix }: KeyRange, key: string): Buffer {
  return asciiRecordKey(prefix, key) ?? textRecordKey(prefix, key);
}

function textRecordKey(prefix: Buffer, key: string): Buffer {
  requireWellFormedKey(key);
  const bytes = Buffer.allocUnsafe(prefix.length + Buffer.byteLength(key));
  prefix.copy(bytes);
  bytes.write(key, prefix.length);
  return bytes;
}

/**
 * Does the same as `textRecordKey` for a key of ASCII characters, such as an id or a time. Returns
 * `undefined` for other keys. This loop is faster than the three calls into native code of
 * `textRecordKey`.
 */
function asciiRecordKey(prefix: Buffer, key: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(prefix.length + key.length);
  bytes.set(prefix);
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit > 0x7f) return undefined;
    bytes[prefix.length + i] = unit;
  }
  return bytes;
}

/** Returns the text of a key that `recordKey` made. */
export function textOfRecordKey({ prefix }: KeyRange, bytes: Buffer): string {
  return bytes.toString("utf8", prefix.length);
}

/** Returns the range of a scope's change log. */
export function changeLogRange(scope: Buffer): KeyRange {
  return rangeOf(Buffer.concat([Buffer.of(kinds.change), scope]));
}

/** Returns the key of an entry in a scope's change log. */
export function changeKey(scope: Buffer, seq: number): Buffer {
  const key = Buffer.allocUnsafe(1 + scope.length + 8);
  key.writeUInt8(kinds.change);
  scope.copy(key, 1);
  key.writeBigUInt64BE(BigInt(seq), 1 + scope.length);
  return key;
}

const crossUserCodes: ReadonlySet<number> = new Set(
  crossUserTables.map((table) => tableCodes[table]),
);
/** The byte after the key of a record in `crossUserKey`. Other bytes of keys sort after it. */
const endOfKey = 0x00;

/**
 * Returns the key of the note on a record: the kind, the tenant, the table, the key of the record,
 * 0x00, the user and the place. So notes on the records of all users of a tenant are in the order
 * of their keys. The value of the note is the record's key in this layout.
 *
 * Returns `undefined` for a record of another table, and for a key that is not that of a record.
 */
export function crossUserKey(key: Buffer): Buffer | undefined {
  if (key[0] !== kinds.record) return undefined;
  const user = key[1] === tenantCode ? 4 + key.readUInt16BE(2) : 1;
  if (key[user] !== scopeCodes.user) return undefined;
  const owner = user + 3 + key.readUInt16BE(user + 1);
  const table = owner + 5;
  if (key[owner] !== wholeScope || !crossUserCodes.has(key[table] ?? 0)) return undefined;
  return Buffer.concat([
    Buffer.of(kinds.crossUser),
    key.subarray(1, user),
    key.subarray(table),
    Buffer.of(endOfKey),
    key.subarray(user, owner),
    key.subarray(owner + 1, table),
  ]);
}

/** Returns the range of the notes on a table's records of all users of a tenant. */
export function crossUserRange(
  table: CrossUserTable,
  { after, reverse = false, tenant }: CrossUserRange,
): KeyRange & { readonly after?: Buffer; readonly reverse: boolean } {
  const range = rangeOf(
    Buffer.concat([
      Buffer.of(kinds.crossUser),
      tenant === undefined ? Buffer.alloc(0) : idPart(tenantCode, tenant),
      Buffer.of(tableCodes[table]),
    ]),
  );
  if (after === undefined) return { ...range, reverse };
  const end = Buffer.of(reverse ? endOfKey : endOfKey + 1);
  return { ...range, reverse, after: Buffer.concat([recordKey(range, after), end]) };
}

function idPart(code: number, id: string): Buffer {
  requireWellFormedKey(id);
  const length = Buffer.byteLength(id);
  if (length > maxIdBytes) throw idTooLong(length, maxIdBytes);
  const part = Buffer.allocUnsafe(3 + length);
  part.writeUInt8(code);
  part.writeUInt16BE(length, 1);
  part.write(id, 3);
  return part;
}

function placePart(place: number): Buffer {
  const part = Buffer.allocUnsafe(4);
  part.writeUInt32BE(place);
  return part;
}
