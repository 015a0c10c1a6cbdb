import sortedBTree from "sorted-btree";
import type { Scope } from "../../core/model/namespace.js";
import type {
  Change,
  Head,
  OwnerOf,
  Reader,
  ScanRange,
  Table,
  Usage,
  ValueOf,
} from "../../core/ports/store.js";
import { agentOfOwner } from "../table-owner.js";
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
  /** The last commits, oldest first; at most `changeLogLength`. */
  readonly changes: readonly Change[];
}

/**
 * Returns the commits after `afterSeq`, oldest first; `undefined` if the oldest of them are gone.
 */
export function changesAfter(
  { head, changes }: ScopeVersion,
  afterSeq: number,
): readonly Change[] | undefined {
  return afterSeq >= head.seq - changes.length
    ? changes.filter(({ seq }) => seq > afterSeq)
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

/** Creates a reader of a scope. Each read uses the tables that `current` returns at that moment. */
export function createReader(scope: Scope, current: () => TablesByAgent): Reader {
  function treeOf<T extends Table>(table: T, owner: OwnerOf<T>): Tree | undefined {
    return current().get(agentOfOwner(scope, owner))?.get(table);
  }

  return {
    async get<T extends Table>(
      table: T,
      owner: OwnerOf<T>,
      key: string,
    ): Promise<ValueOf<T> | undefined> {
      // `Transaction.put` stored the value in this table with this type.
      return treeOf(table, owner)?.get(key)?.value as ValueOf<T> | undefined;
    },

    async *scan<T extends Table>(
      table: T,
      owner: OwnerOf<T>,
      range: ScanRange = {},
    ): AsyncIterable<readonly [string, ValueOf<T>]> {
      // The clone protects the scan from later writes of its own transaction.
      const tree = treeOf(table, owner)?.clone();
      if (tree === undefined) return;
      const entries =
        range.reverse === true
          ? tree.entriesReversed(range.after, undefined, true)
          : tree.entries(range.after);
      for (const [key, { value }] of entries) {
        if (key !== range.after) yield [key, value as ValueOf<T>];
      }
    },

    async count(table, owner) {
      return treeOf(table, owner)?.size ?? 0;
    },
  };
}
