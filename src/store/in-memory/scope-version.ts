import sortedBTree from "sorted-btree";
import type { Scope } from "../../core/model/namespace.js";
import type { Change, Head, Table } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { growthOfTotals, type TotalsGrowth } from "../engine/storage-totals.js";
import type { StoredBytes } from "../engine/stored-bytes.js";
import { compareUtf8 } from "./compare-utf8.js";

/** A record, and the number of bytes of its encoded value. */
export interface KeptRecord {
  readonly value: unknown;
  readonly bytes: number;
}

/** Records of one table by key. Clones of a tree share their common nodes. */
export type Tree = sortedBTree.default<string, KeptRecord>;

/** The tables of one owner that have been written to. */
export type Tables = ReadonlyMap<Table, Tree>;

/** The tables of each agent. The tables of the whole scope are under `undefined`. */
export type TablesByAgent = ReadonlyMap<string | undefined, Tables>;

/** All records of a scope after one commit. Immutable: the next commit makes another version. */
export interface ScopeVersion {
  readonly head: Head;
  /** The latest commit time so far. */
  readonly lastTimeMs: number;
  readonly tablesByAgent: TablesByAgent;
  readonly usage: Usage;
  readonly stored: StoredBytes;
  /** When pruning next finds something to do; `Infinity` for never. See `Store.dueScopes`. */
  readonly dueMs: number;
  /** The last commits, oldest first; at most `changeLogLength`. */
  readonly changes: readonly Change[];
}

/**
 * Returns the commits after `afterSeq`, oldest first; `undefined` if the oldest of them are gone.
 */
export function changesAfter(
  { head, changes }: ScopeVersion,
  afterSeq: number,
  untilSeq: number = head.seq,
): readonly Change[] | undefined {
  return afterSeq >= head.seq - changes.length
    ? changes.filter(({ seq }) => seq > afterSeq && seq <= untilSeq)
    : undefined;
}

/** Returns what the totals of the store gain when a version follows another. */
export function growthOfVersions(
  scope: Scope,
  before: ScopeVersion,
  after: ScopeVersion,
): TotalsGrowth {
  return growthOfTotals(scope, before, after, namespacesIn(after) - namespacesIn(before));
}

function namespacesIn({ tablesByAgent }: ScopeVersion): number {
  let count = 0;
  for (const [agentId, tables] of tablesByAgent)
    if (agentId !== undefined && holdsSomething(tables)) count += 1;
  return count;
}

/** Creates an empty table. */
export function createTree(): Tree {
  return new sortedBTree.default<string, KeptRecord>(undefined, compareUtf8);
}

/** Whether any of these tables holds a record. */
export function holdsSomething(tables: Tables | undefined): boolean {
  return tables !== undefined && [...tables.values()].some((tree) => tree.size > 0);
}
