import sortedBTree from "sorted-btree";
import type { Scope } from "../../core/model/namespace.js";
import type {
  Change,
  Head,
  PlaceOf,
  Reader,
  ScanRange,
  Table,
  ValueOf,
} from "../../core/ports/store.js";
import { agentOfPlace } from "../place.js";
import { compareUtf8 } from "./compare-utf8.js";

/** Records of one table by key. Copies of a tree share what they have in common. */
export type Tree = sortedBTree.default<string, unknown>;

/** The tables of one place that hold something. */
export type Tables = ReadonlyMap<Table, Tree>;

/** Tables by agent; those of the scope as a whole under `undefined`. */
export type Places = ReadonlyMap<string | undefined, Tables>;

/** All there is in a scope after one commit. Never changed: the next commit makes another. */
export interface ScopeState {
  readonly head: Head;
  /** The greatest time that a commit was given. */
  readonly lastTimeMs: number;
  readonly places: Places;
  /** The last commits, oldest first. */
  readonly changes: readonly Change[];
}

/** Commits after `afterSeq`, oldest first; `undefined` if they are not all kept. */
export function changesAfter(
  { head, changes }: ScopeState,
  afterSeq: number,
): readonly Change[] | undefined {
  return afterSeq >= head.seq - changes.length
    ? changes.filter(({ seq }) => seq > afterSeq)
    : undefined;
}

/** An empty table. */
export function createTree(): Tree {
  return new sortedBTree.default<string, unknown>(undefined, compareUtf8);
}

/** Whether any table of an agent's namespace holds a record. */
export function holdsSomething(tables: Tables | undefined): boolean {
  return tables !== undefined && [...tables.values()].some((tree) => tree.size > 0);
}

/** Reads of a scope at the places that `current` returns at the time of each read. */
export function createReader(scope: Scope, current: () => Places): Reader {
  function treeOf<T extends Table>(table: T, place: PlaceOf<T>): Tree | undefined {
    return current().get(agentOfPlace(scope, place))?.get(table);
  }

  return {
    async get<T extends Table>(
      table: T,
      place: PlaceOf<T>,
      key: string,
    ): Promise<ValueOf<T> | undefined> {
      // What a table holds was put there as its type by `Transaction.put`.
      return treeOf(table, place)?.get(key) as ValueOf<T> | undefined;
    },

    async *scan<T extends Table>(
      table: T,
      place: PlaceOf<T>,
      range: ScanRange = {},
    ): AsyncIterable<readonly [string, ValueOf<T>]> {
      // The clone keeps the scan as it began while the transaction that it belongs to writes on.
      const tree = treeOf(table, place)?.clone();
      if (tree === undefined) return;
      const entries =
        range.reverse === true
          ? tree.entriesReversed(range.after, undefined, true)
          : tree.entries(range.after);
      for (const [key, value] of entries) {
        if (key !== range.after) yield [key, value as ValueOf<T>];
      }
    },

    async count(table, place) {
      return treeOf(table, place)?.size ?? 0;
    },
  };
}
