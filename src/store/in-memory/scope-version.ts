import sortedBTree from "sorted-btree";
import type { Change, Head, Table } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
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

/** Creates an empty table. */
export function createTree(): Tree {
  return new sortedBTree.default<string, KeptRecord>(undefined, compareUtf8);
}

/** Whether any of these tables holds a record. */
export function holdsSomething(tables: Tables | undefined): boolean {
  return tables !== undefined && [...tables.values()].some((tree) => tree.size > 0);
}
