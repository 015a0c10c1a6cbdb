import { VademecumError } from "../../../core/model/errors.js";
import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";

// The complete key layout; docs/data-format.md shows the bytes. Every constant is on disk: never
// change or reuse one.

/** The first byte of every key: the kind of the record. */
const kinds = {
  meta: 0x01,
  mark: 0x02,
  head: 0x03,
  sweep: 0x04,
  record: 0x10,
  change: 0x11,
} as const;

const scopeCodes = { user: 0x01, run: 0x02, server: 0x03 } as const satisfies Record<
  Scope["kind"],
  number
>;

/**
 * The byte after a scope: whether the records belong to the whole scope or to one agent's
 * namespace.
 */
const wholeScope = 0x00;
const agentNamespace = 0x01;

/** The byte of each table in keys and heads. */
export const tableCodes = {
  memories: 0x01,
  vectors: 0x02,
  timeline: 0x03,
  profiles: 0x04,
  skills: 0x05,
  skillVectors: 0x06,
  skillUses: 0x07,
  turnEntries: 0x08,
  turnsByRequest: 0x09,
  turnsByTask: 0x0a,
  alternateVectors: 0x0b,
  skillTimeline: 0x0c,
  alternateSkillVectors: 0x0d,
  replies: 0x40,
  replyExpiries: 0x41,
  blocks: 0x42,
  blockVersions: 0x43,
  proposals: 0x44,
  pendingProposals: 0x45,
  rejectedEdits: 0x46,
  keyValues: 0x47,
  keyPositions: 0x48,
  toolManifests: 0x49,
  proposalsByTarget: 0x4a,
} as const satisfies Record<Table, number>;

const tablesByCode = new Map<number, Table>(
  (Object.keys(tableCodes) as Table[]).map((table) => [tableCodes[table], table]),
);

/** Returns the table of a code, `undefined` if there is none. */
export function tableOfCode(code: number): Table | undefined {
  return tablesByCode.get(code);
}

/** Maximum length of the id of a user, run or agent, in bytes of UTF-8. */
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

/** All notes on cleared generations whose records are still to be removed. */
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
  return idPart(
    scopeCodes[scope.kind],
    scope.kind === "user" ? scope.userId : scope.kind === "run" ? scope.runId : "",
  );
}

/** Returns the key of a scope's head. */
export function scopeHeadKey(scope: Buffer): Buffer {
  return Buffer.concat([Buffer.of(kinds.head), scope, Buffer.of(wholeScope)]);
}

/** Returns the key of a namespace's head. */
export function namespaceHeadKey(scope: Buffer, agentId: string): Buffer {
  return Buffer.concat([Buffer.of(kinds.head), scope, idPart(agentNamespace, agentId)]);
}

/** Returns the key of the note that a generation of a namespace is to be removed. */
export function sweepKey(scope: Buffer, agentId: string, generation: number): Buffer {
  return Buffer.concat([
    Buffer.of(kinds.sweep),
    scope,
    idPart(agentNamespace, agentId),
    generationPart(generation),
  ]);
}

/** Returns the range of all records of one generation of a namespace. */
export function generationRange(scope: Buffer, agentId: string, generation: number): KeyRange {
  const begin = Buffer.concat([
    Buffer.of(kinds.record),
    scope,
    idPart(agentNamespace, agentId),
    generationPart(generation),
  ]);
  // Table codes are far below 0xff, so this end is after the last of them.
  return { prefix: begin, end: Buffer.concat([begin, Buffer.of(0xff)]) };
}

/** Returns the range of a table in one generation of a namespace. */
export function namespaceTableRange(
  scope: Buffer,
  agentId: string,
  generation: number,
  table: Table,
): KeyRange {
  const agent = idPart(agentNamespace, agentId);
  return rangeOf(
    Buffer.concat([
      Buffer.of(kinds.record),
      scope,
      agent,
      generationPart(generation),
      Buffer.of(tableCodes[table]),
    ]),
  );
}

/** Returns the range of a table that belongs to a whole scope. */
export function scopeTableRange(scope: Buffer, table: Table): KeyRange {
  return rangeOf(
    Buffer.concat([Buffer.of(kinds.record), scope, Buffer.of(wholeScope, tableCodes[table])]),
  );
}

/** Returns the key of a record in a range. */
export function recordKey({ prefix }: KeyRange, key: string): Buffer {
  requireWellFormed(key);
  const bytes = Buffer.allocUnsafe(prefix.length + Buffer.byteLength(key));
  prefix.copy(bytes);
  bytes.write(key, prefix.length);
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

function idPart(code: number, id: string): Buffer {
  requireWellFormed(id);
  const length = Buffer.byteLength(id);
  if (length > maxIdBytes) {
    throw new VademecumError(
      "INVALID_ARGUMENT",
      "ID_TOO_LONG",
      `an id of ${length} bytes is too long; the limit is ${maxIdBytes}`,
    );
  }
  const part = Buffer.allocUnsafe(3 + length);
  part.writeUInt8(code);
  part.writeUInt16BE(length, 1);
  part.write(id, 3);
  return part;
}

function generationPart(generation: number): Buffer {
  const part = Buffer.allocUnsafe(4);
  part.writeUInt32BE(generation);
  return part;
}

/**
 * Refuses text with half of a surrogate pair, which has no UTF-8 form. The encoder would replace
 * it, so two different ids would become one.
 */
function requireWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  throw new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_TEXT",
    "ids and keys must be valid Unicode; one contains half of a surrogate pair",
  );
}

/** The content of a key. */
export type ParsedKey =
  | { readonly kind: "meta" }
  | { readonly kind: "mark"; readonly group: number }
  | { readonly kind: "scopeHead"; readonly scope: Scope }
  | { readonly kind: "namespaceHead"; readonly namespace: Namespace }
  | { readonly kind: "sweep"; readonly namespace: Namespace; readonly generation: number }
  | {
      readonly kind: "scopeRecord";
      readonly scope: Scope;
      readonly table: Table;
      readonly key: string;
    }
  | {
      readonly kind: "namespaceRecord";
      readonly namespace: Namespace;
      readonly generation: number;
      readonly table: Table;
      readonly key: string;
    }
  | { readonly kind: "change"; readonly scope: Scope; readonly seq: number };

/** Parses a key; `undefined` if this layout does not make such a key. */
export function parseKey(key: Buffer): ParsedKey | undefined {
  try {
    return new KeyReader(key).parse();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads the parts of a key one after another. Throws RangeError when the key is cut short or
 * malformed.
 */
class KeyReader {
  #offset = 0;

  constructor(readonly key: Buffer) {}

  parse(): ParsedKey {
    const kind = this.#byte();
    switch (kind) {
      case kinds.meta:
        return this.#requireEnd({ kind: "meta" });
      case kinds.mark:
        return this.#requireEnd({ kind: "mark", group: this.#u64() });
      case kinds.head:
        return this.#head();
      case kinds.sweep:
        return this.#requireEnd({
          kind: "sweep",
          namespace: this.#namespace(this.#scope()),
          generation: this.#u32(),
        });
      case kinds.record:
        return this.#record();
      case kinds.change:
        return this.#requireEnd({ kind: "change", scope: this.#scope(), seq: this.#u64() });
      default:
        throw new RangeError("unknown kind");
    }
  }

  #head(): ParsedKey {
    const scope = this.#scope();
    if (this.key[this.#offset] !== wholeScope)
      return this.#requireEnd({ kind: "namespaceHead", namespace: this.#namespace(scope) });
    this.#offset++;
    return this.#requireEnd({ kind: "scopeHead", scope });
  }

  #record(): ParsedKey {
    const scope = this.#scope();
    if (this.key[this.#offset] !== wholeScope) {
      const namespace = this.#namespace(scope);
      return {
        kind: "namespaceRecord",
        namespace,
        generation: this.#u32(),
        table: this.#table(),
        key: this.#rest(),
      };
    }
    this.#offset++;
    return { kind: "scopeRecord", scope, table: this.#table(), key: this.#rest() };
  }

  #scope(): Scope {
    const code = this.#byte();
    const id = this.#text(this.#u16());
    switch (code) {
      case scopeCodes.user:
        return { kind: "user", userId: id };
      case scopeCodes.run:
        return { kind: "run", runId: id };
      case scopeCodes.server:
        return { kind: "server" };
      default:
        throw new RangeError("unknown scope");
    }
  }

  #namespace(scope: Scope): Namespace {
    if (this.#byte() !== agentNamespace || scope.kind !== "user")
      throw new RangeError("no namespace");
    return { userId: scope.userId, agentId: this.#text(this.#u16()) };
  }

  #table(): Table {
    const table = tableOfCode(this.#byte());
    if (table === undefined) throw new RangeError("unknown table");
    return table;
  }

  #text(length: number): string {
    const end = this.#offset + length;
    if (end > this.key.length) throw new RangeError("cut short");
    const text = this.key.toString("utf8", this.#offset, end);
    this.#offset = end;
    return text;
  }

  #rest(): string {
    return this.#text(this.key.length - this.#offset);
  }

  #byte(): number {
    return this.key.readUInt8(this.#offset++);
  }

  #u16(): number {
    this.#offset += 2;
    return this.key.readUInt16BE(this.#offset - 2);
  }

  #u32(): number {
    this.#offset += 4;
    return this.key.readUInt32BE(this.#offset - 4);
  }

  #u64(): number {
    this.#offset += 8;
    return Number(this.key.readBigUInt64BE(this.#offset - 8));
  }

  #requireEnd<T>(parsed: T): T {
    if (this.#offset !== this.key.length) throw new RangeError("too long");
    return parsed;
  }
}
