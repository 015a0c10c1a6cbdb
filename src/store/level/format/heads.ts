import type { Table } from "../../../core/ports/store.js";
import type { Usage } from "../../../core/ports/usage.js";
import { packPayload, unpackPayload } from "../../codec/table-codecs.js";
import { tableCodes, tableOfCode } from "../../codec/table-codes.js";
import { noStoredBytes, type StoredBytes } from "../../engine/stored-bytes.js";
import { noUsage } from "../../usage.js";

/**
 * The number of records, and the sum of their checksums modulo 2^32. Missing, additional and
 * outdated records change the totals.
 */
export interface Totals {
  readonly count: number;
  readonly digest: number;
}

/**
 * Totals of the tables of an owner: a whole scope or a namespace. Tables that never had a record
 * are absent.
 */
export type TableTotals = ReadonlyMap<Table, Totals>;

/** The state of a scope after its last commit. */
export interface ScopeHead {
  readonly seq: number;
  /** The latest commit time so far, in milliseconds since 1970. */
  readonly lastTimeMs: number;
  readonly tables: TableTotals;
  /** What the scope and its namespaces hold. */
  readonly usage: Usage;
  /** The same, with stored replies, by account. */
  readonly stored: StoredBytes;
  /**
   * The epoch that the scope brought from another store. `undefined`: the scope has the epoch of
   * this store.
   */
  readonly broughtEpoch: BroughtEpoch | undefined;
  /** Part of the keys of the scope's records. Restoring the scope gives it a higher place. */
  readonly place: number;
  /**
   * Before this time, in milliseconds since 1970, pruning finds nothing to do in the scope.
   * `Infinity`: nothing is ever due. See `Store.dueScopes`.
   */
  readonly dueMs: number;
}

/** The epoch of a scope that was moved here from another store. */
export interface BroughtEpoch {
  readonly epoch: string;
  /**
   * The epoch of this store at the time of the move. When the store gets another epoch later, the
   * scope gets it too.
   */
  readonly within: string;
}

/** Returns the epoch of a scope in a store. */
export function epochOf(
  { broughtEpoch }: Pick<ScopeHead, "broughtEpoch">,
  storeEpoch: string,
): string {
  return broughtEpoch?.within === storeEpoch ? broughtEpoch.epoch : storeEpoch;
}

/** The state of a namespace after the last commit that wrote to it. */
export interface NamespaceHead {
  /**
   * Part of the keys of the namespace's records. Clearing the namespace or restoring the scope
   * gives it a higher place, which hides all records in one step.
   */
  readonly place: number;
  readonly tables: TableTotals;
  /** Bytes of the namespace's records, as `Usage` counts them. */
  readonly bytes: number;
  /** See `RemovalState.removalSeq`. */
  readonly removalSeq: number;
}

export const noTotals: Totals = { count: 0, digest: 0 };
export const noScopeHead: ScopeHead = {
  seq: 0,
  lastTimeMs: 0,
  tables: new Map(),
  usage: noUsage,
  stored: noStoredBytes,
  broughtEpoch: undefined,
  place: 0,
  dueMs: Infinity,
};
export const noNamespaceHead: NamespaceHead = {
  place: 0,
  tables: new Map(),
  bytes: 0,
  removalSeq: 0,
};

/**
 * Returns the totals after one record has replaced another. `before` and `after` are the checksums
 * of the two records; `undefined` means no record.
 */
export function replaceInTotals(
  { count, digest }: Totals,
  before: number | undefined,
  after: number | undefined,
): Totals {
  return {
    count: count - (before === undefined ? 0 : 1) + (after === undefined ? 0 : 1),
    digest: (digest - (before ?? 0) + (after ?? 0)) >>> 0,
  };
}

type PackedTotals = readonly (readonly [tableCode: number, count: number, digest: number])[];

type PackedScopeHead = readonly [
  seq: number,
  lastTimeMs: number,
  tables: PackedTotals,
  memories: number,
  bytes: number,
  place: number,
  broughtEpoch: readonly [epoch: string, within: string] | null,
  stored: readonly (readonly [account: string, bytes: number])[],
  dueMs: number | null,
];

export function encodeScopeHead(head: ScopeHead): Buffer {
  const { seq, lastTimeMs, tables, usage, stored, broughtEpoch, place, dueMs } = head;
  const packed: PackedScopeHead = [
    seq,
    lastTimeMs,
    packTotals(tables),
    usage.memories,
    usage.bytes,
    place,
    broughtEpoch === undefined ? null : [broughtEpoch.epoch, broughtEpoch.within],
    [...stored],
    dueMs === Infinity ? null : dueMs,
  ];
  return packPayload(packed);
}

export function decodeScopeHead(payload: Buffer): ScopeHead {
  const [seq, lastTimeMs, tables, memories, bytes, place, epoch, stored, dueMs] =
    unpackPayload<PackedScopeHead>(payload);
  return {
    seq,
    lastTimeMs,
    tables: unpackTotals(tables),
    usage: { memories, bytes },
    stored: new Map(stored),
    broughtEpoch: epoch === null ? undefined : { epoch: epoch[0], within: epoch[1] },
    place,
    dueMs: dueMs ?? Infinity,
  };
}

export function encodeNamespaceHead(head: NamespaceHead): Buffer {
  const { place, tables, bytes, removalSeq } = head;
  return packPayload([place, packTotals(tables), bytes, removalSeq]);
}

export function decodeNamespaceHead(payload: Buffer): NamespaceHead {
  const [place, tables, bytes, removalSeq] =
    unpackPayload<[number, PackedTotals, number, number]>(payload);
  return { place, tables: unpackTotals(tables), bytes, removalSeq };
}

/** Whether any table holds a record. */
export function holdsSomething(tables: TableTotals): boolean {
  return [...tables.values()].some(({ count }) => count > 0);
}

function packTotals(tables: TableTotals): PackedTotals {
  return [...tables].map(([table, { count, digest }]) => [tableCodes[table], count, digest]);
}

function unpackTotals(packed: PackedTotals): TableTotals {
  const tables = new Map<Table, Totals>();
  for (const [code, count, digest] of packed) {
    const table = tableOfCode(code);
    if (table === undefined)
      throw new Error(`unknown table ${code} in a head: a newer version of the service wrote it`);
    tables.set(table, { count, digest });
  }
  return tables;
}
