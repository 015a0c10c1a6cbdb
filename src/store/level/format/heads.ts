import type { Table, Usage } from "../../../core/ports/store.js";
import { packPayload, unpackPayload } from "../../codec/table-codecs.js";
import { tableCodes, tableOfCode } from "../../codec/table-codes.js";
import { noUsage } from "../../usage.js";

/**
 * The number of records, and the sum of their checksums modulo 2^32. Missing, additional and
 * outdated records change the totals.
 */
export interface Totals {
  readonly count: number;
  readonly digest: number;
}

/** Totals of the tables of an owner. Tables that never held a record are absent. */
export type TableTotals = ReadonlyMap<Table, Totals>;

/** The state of a scope after its last commit. */
export interface ScopeHead {
  readonly seq: number;
  /** The latest commit time so far, in milliseconds since 1970. */
  readonly lastTimeMs: number;
  readonly tables: TableTotals;
  /** What the scope and its namespaces hold; `undefined` if an earlier build wrote the head. */
  readonly usage: Usage | undefined;
}

/** The state of a namespace after the last commit that wrote to it. */
export interface NamespaceHead {
  /** Part of the keys of its records. Clearing increases it, which hides all records at once. */
  readonly generation: number;
  readonly tables: TableTotals;
  /**
   * Bytes of its records as `Usage` counts them; `undefined` if an earlier build wrote the head.
   */
  readonly bytes: number | undefined;
}

export const noTotals: Totals = { count: 0, digest: 0 };
export const noScopeHead: ScopeHead = {
  seq: 0,
  lastTimeMs: 0,
  tables: new Map(),
  usage: noUsage,
};
export const noNamespaceHead: NamespaceHead = { generation: 0, tables: new Map(), bytes: 0 };

/**
 * Returns the totals after one record has replaced another. Both are given by their checksums;
 * `undefined` means no record.
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

type PackedUsage = readonly [memories: number, bytes: number];

export function encodeScopeHead({ seq, lastTimeMs, tables, usage }: ScopeHead): Buffer {
  const packed = [seq, lastTimeMs, packTotals(tables)];
  return packPayload(
    usage === undefined ? packed : [...packed, [usage.memories, usage.bytes] satisfies PackedUsage],
  );
}

export function decodeScopeHead(payload: Buffer): ScopeHead {
  const [seq, lastTimeMs, tables, usage] =
    unpackPayload<[number, number, PackedTotals, PackedUsage?]>(payload);
  return {
    seq,
    lastTimeMs,
    tables: unpackTotals(tables),
    usage: usage && { memories: usage[0], bytes: usage[1] },
  };
}

export function encodeNamespaceHead({ generation, tables, bytes }: NamespaceHead): Buffer {
  const packed = [generation, packTotals(tables)];
  return packPayload(bytes === undefined ? packed : [...packed, bytes]);
}

export function decodeNamespaceHead(payload: Buffer): NamespaceHead {
  const [generation, tables, bytes] = unpackPayload<[number, PackedTotals, number?]>(payload);
  return { generation, tables: unpackTotals(tables), bytes };
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
