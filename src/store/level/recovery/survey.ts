import {
  type Namespace,
  namespaceIn,
  namespaceMapKey,
  type Scope,
  scopeMapKey,
} from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import { checksumOf, payloadLength, unseal } from "../../codec/envelope.js";
import { recordBytes } from "../../usage.js";
import { type Database, scanReadable } from "../folder/database.js";
import {
  decodeNamespaceHead,
  decodeScopeHead,
  type NamespaceHead,
  noTotals,
  replaceInTotals,
  type ScopeHead,
  type Totals,
} from "../format/heads.js";
import { headRange, type KeyRange, recordRange, sweepRange } from "../format/keys.js";
import { type ParsedKey, parseKey } from "../format/parse-key.js";

// Reads everything readable of a LevelDB that may be damaged, to verify it or to back it up.

/** An entry whose key or checksum is wrong. */
export interface DamagedEntry {
  readonly kind: "damaged";
  /** The content of the key; `undefined` if it is not readable. */
  readonly parsed: ParsedKey | undefined;
}

/** The head of a scope or namespace. */
export type FoundHead =
  | { readonly kind: "scope"; readonly scope: Scope; readonly head: ScopeHead }
  | { readonly kind: "namespace"; readonly namespace: Namespace; readonly head: NamespaceHead };

/** The content of the key of a record. */
export type RecordKey = Extract<ParsedKey, { readonly kind: "scopeRecord" | "namespaceRecord" }>;

export interface FoundRecord {
  readonly kind: "record";
  readonly record: RecordKey;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** @param onDamage as for `scanReadable` */
export async function* surveyHeads(
  database: Database,
  onDamage?: (error: Error) => void,
): AsyncGenerator<FoundHead | DamagedEntry> {
  for await (const [key, value] of scanReadable(database, headRange, onDamage)) {
    const parsed = parseKey(key);
    const payload = unseal(key, value);
    if (payload !== undefined && parsed?.kind === "scopeHead") {
      yield { kind: "scope", scope: parsed.scope, head: decodeScopeHead(payload) };
    } else if (payload !== undefined && parsed?.kind === "namespaceHead") {
      yield { kind: "namespace", namespace: parsed.namespace, head: decodeNamespaceHead(payload) };
    } else {
      yield { kind: "damaged", parsed };
    }
  }
}

/**
 * @param onDamage as for `scanReadable`
 * @param range the keys to read; default: all records
 */
export async function* surveyRecords(
  database: Database,
  onDamage?: (error: Error) => void,
  range: KeyRange = recordRange,
): AsyncGenerator<FoundRecord | DamagedEntry> {
  for await (const [key, value] of scanReadable(database, range, onDamage)) {
    const parsed = parseKey(key);
    const isRecord = parsed?.kind === "scopeRecord" || parsed?.kind === "namespaceRecord";
    if (isRecord && unseal(key, value) !== undefined)
      yield { kind: "record", record: parsed, key, value };
    else yield { kind: "damaged", parsed };
  }
}

/** The owner of records: one place of a whole scope, or of a namespace. */
export type RecordOwner =
  | { readonly kind: "scope"; readonly scope: Scope; readonly place: number }
  | { readonly kind: "namespace"; readonly namespace: Namespace; readonly place: number };

/** An owner and the totals of its records. */
export interface OwnerTotals {
  readonly owner: RecordOwner;
  readonly tables: Map<Table, Totals>;
  /** Bytes of the owner's records, as `Usage` counts them. */
  bytes: number;
}

/** Sums up records by owner. */
export class FoundTotals {
  readonly #found = new Map<string, OwnerTotals>();

  add({ record, value }: FoundRecord): void {
    const owner = ownerOf(record);
    const id = ownerId(owner);
    const found = this.#found.get(id) ?? emptyTotals(owner);
    this.#found.set(id, found);
    found.tables.set(
      record.table,
      replaceInTotals(found.tables.get(record.table) ?? noTotals, undefined, checksumOf(value)),
    );
    found.bytes += recordBytes(record.table, record.key, payloadLength(value));
  }

  /** Returns the totals of an owner, and removes them from the sums. */
  take(owner: RecordOwner): Readonly<OwnerTotals> {
    const id = ownerId(owner);
    const found = this.#found.get(id) ?? emptyTotals(owner);
    this.#found.delete(id);
    return found;
  }

  /** Returns the totals that were not taken. */
  rest(): readonly OwnerTotals[] {
    return [...this.#found.values()];
  }
}

function emptyTotals(owner: RecordOwner): OwnerTotals {
  return { owner, tables: new Map(), bytes: 0 };
}

/** Returns the owner of a record. */
export function ownerOf(record: RecordKey): RecordOwner {
  const { place } = record;
  if (record.kind === "scopeRecord") return { kind: "scope", scope: record.scope, place };
  return { kind: "namespace", namespace: record.namespace, place };
}

/** Returns a unique string for each owner, for the keys of a `Map`. */
export function ownerId(owner: RecordOwner): string {
  return owner.kind === "scope"
    ? `scope ${owner.place} ${scopeMapKey(owner.scope)}`
    : `${owner.place} ${namespaceMapKey(owner.namespace)}`;
}

/**
 * Returns the ids of all owners whose records are to be removed.
 *
 * @param onDamage called for each damaged note. Such a note may name records that are in use, so it
 *   does not count
 */
export async function unusedOwners(
  database: Database,
  onDamage: (note: ParsedKey | undefined) => void = () => undefined,
): Promise<ReadonlySet<string>> {
  const unused = new Set<string>();
  for await (const [key, value] of scanReadable(database, sweepRange)) {
    const parsed = parseKey(key);
    if (parsed?.kind !== "sweep" || unseal(key, value) === undefined) {
      onDamage(parsed);
      continue;
    }
    const { scope, agentId, place } = parsed;
    if (agentId === undefined) unused.add(ownerId({ kind: "scope", scope, place }));
    else if (scope.kind === "user")
      unused.add(ownerId({ kind: "namespace", namespace: namespaceIn(scope, agentId), place }));
  }
  return unused;
}
