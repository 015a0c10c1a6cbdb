import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import { type Database, scanReadable } from "../folder/database.js";
import { checksumOf, unseal } from "../format/envelope.js";
import {
  decodeNamespaceHead,
  decodeScopeHead,
  type NamespaceHead,
  noTotals,
  replaceInTotals,
  type ScopeHead,
  type Totals,
} from "../format/heads.js";
import { headRange, type ParsedKey, parseKey, recordRange } from "../format/keys.js";

// Reads everything that can be read of a LevelDB that may be damaged: to verify it, and to save what is there.

/** An entry that is not as it was written: its key or its checksum is wrong. */
export interface DamagedEntry {
  readonly kind: "damaged";
  /** What the key says; `undefined` if that cannot be told. */
  readonly parsed: ParsedKey | undefined;
}

/** The state of a scope or namespace. */
export type FoundHead =
  | { readonly kind: "scope"; readonly scope: Scope; readonly head: ScopeHead }
  | { readonly kind: "namespace"; readonly namespace: Namespace; readonly head: NamespaceHead };

/** What the key of a record says. */
export type RecordKey = Extract<ParsedKey, { readonly kind: "scopeRecord" | "namespaceRecord" }>;

export interface FoundRecord {
  readonly kind: "record";
  readonly record: RecordKey;
  readonly key: Buffer;
  readonly value: Buffer;
}

export async function* surveyHeads(database: Database): AsyncGenerator<FoundHead | DamagedEntry> {
  for await (const [key, value] of scanReadable(database, headRange)) {
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

export async function* surveyRecords(
  database: Database,
): AsyncGenerator<FoundRecord | DamagedEntry> {
  for await (const [key, value] of scanReadable(database, recordRange)) {
    const parsed = parseKey(key);
    const isRecord = parsed?.kind === "scopeRecord" || parsed?.kind === "namespaceRecord";
    if (isRecord && unseal(key, value) !== undefined)
      yield { kind: "record", record: parsed, key, value };
    else yield { kind: "damaged", parsed };
  }
}

/** The tables of a scope as a whole, or of one generation of a namespace. */
export type RecordOwner =
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "namespace"; readonly namespace: Namespace; readonly generation: number };

/** A place, and the records that were found in it. */
export interface OwnerTotals {
  readonly owner: RecordOwner;
  readonly tables: Map<Table, Totals>;
}

/** Sums up records by place. */
export class FoundTotals {
  readonly #found = new Map<string, OwnerTotals>();

  add({ record, value }: FoundRecord): void {
    const owner = ownerOf(record);
    const id = ownerId(owner);
    const found = this.#found.get(id) ?? { owner, tables: new Map<Table, Totals>() };
    this.#found.set(id, found);
    found.tables.set(
      record.table,
      replaceInTotals(found.tables.get(record.table) ?? noTotals, undefined, checksumOf(value)),
    );
  }

  /** Returns what was found in a place and forgets it. */
  take(owner: RecordOwner): ReadonlyMap<Table, Totals> {
    const id = ownerId(owner);
    const tables = this.#found.get(id)?.tables ?? new Map<Table, Totals>();
    this.#found.delete(id);
    return tables;
  }

  /** The places that were not taken. */
  rest(): readonly OwnerTotals[] {
    return [...this.#found.values()];
  }
}

function ownerOf(record: RecordKey): RecordOwner {
  if (record.kind === "scopeRecord") return { kind: "scope", scope: record.scope };
  return { kind: "namespace", namespace: record.namespace, generation: record.generation };
}

function ownerId(owner: RecordOwner): string {
  return JSON.stringify(
    owner.kind === "scope"
      ? [owner.scope]
      : [owner.namespace.userId, owner.namespace.agentId, owner.generation],
  );
}
