import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Head, VectorProfile } from "./store.js";

/** What a namespace is searched for. */
export interface IndexQuery {
  /** Searched by keywords. Empty: no keyword scores. */
  readonly text: string;
  /** Searched by cosine. Absent, or of another dimension than the namespace's: no vector scores. */
  readonly vector?: Float32Array;
  /** Rows near `vector`, as the reading was given them. Absent: the vectors of all rows are compared. */
  readonly nearest?: Int32Array;
  /** With `nearest`: of the rows with a keyword score only the best by keywords need a vector score, unless there are threads, through which a row can be brought up by others. Default: all do. */
  readonly comparesBest?: boolean;
  /** The types of memories that are of interest, a set as `typeSetOf` writes it; rows of others may be left out. Absent: all. */
  readonly types?: number;
}

/** `exact`: every vector was compared. `graph`: those that a proximity graph led to, and those of rows with a keyword score. */
export type IndexTier = "exact" | "graph";

/**
 * Scores of rows, in parallel arrays of which the first `count` entries hold. Belongs to the index: good until the next call of `candidates`.
 */
export interface Candidates {
  readonly tier: IndexTier;
  readonly count: number;
  readonly rows: Int32Array;
  /** BM25 as a share of what the query could reach at best, 0 to 1. */
  readonly keyword: Float32Array;
  /** Cosine, -1 to 1; 0 without a vector. */
  readonly vector: Float32Array;
  /** BM25 of the row's whole thread, stretched so that the worst thread has 0 and the best 1; 0 without a thread. */
  readonly thread: Float32Array;
}

/** A memory in an index. */
export interface IndexedMemory {
  readonly memory: Memory;
  /** Hash of the multiset of the content's words (near-copy.ts); `undefined` if it has none. */
  readonly wordSignature: number | undefined;
}

/** What is asked of nearly every row of a query. Costs much less than a look at its memory. */
export interface RowTraits {
  /** Whether the memory of a row has what may hide it: an expiry, or a successor. */
  canBeHidden(row: number): boolean;
  /** Whether the memory of a row is kept from tools. */
  isRestricted(row: number): boolean;
  /** Whether the memory of a row is of one of the types, a set as `typeSetOf` writes it; false for a row that holds none. */
  isOfType(row: number, types: number): boolean;
  /** `Memory.tokenCount`. */
  tokenCount(row: number): number;
  /** `happenedAt`, in milliseconds since 1970. */
  happenedMs(row: number): number;
  /** `Memory.importance`. */
  importance(row: number): number;
}

/** The index of one namespace at one state. Rows are numbers that mean something only to this state. */
export interface NamespaceIndex {
  readonly head: Head;
  /** Number of a commit since which nothing in the namespace's memories and vectors has changed; at most that of the head. */
  readonly contentSeq: number;
  readonly profile: VectorProfile | undefined;
  /** Greater than every row. */
  readonly rowLimit: number;
  /** Mean number of terms that a memory is found by; 0 without memories. */
  readonly meanTerms: number;
  /** Whether any row may have a thread. */
  readonly hasThreads: boolean;
  /** All that wrote a memory. */
  readonly authors: Iterable<string>;
  /**
   * All rows that can have a keyword score or a vector score above 0, or are followed by one in their thread; with an empty query all rows, scores 0. Order unspecified.
   * In a thread, a row is scored as if it also had, at lower weights, the words and vectors of the two rows before it.
   * With `nearest`, of the rows without a keyword score only those, and in threads what comes right before and behind them and the rows with one; the scores of all are as exact as without.
   * With `comparesBest`, and without threads, the rows with a keyword score that are neither near nor among the best 16 by keywords for each of the nearest, or score nearly like the last of these, have a vector score of 0.
   */
  candidates(query: IndexQuery): Candidates;
  readonly traits: RowTraits;
  at(row: number): IndexedMemory;
  /** The row of a memory; `undefined` if the namespace has none of the id. */
  rowOf(id: string): number | undefined;
  /** The row that follows in the same thread (by `event_time`, else `create_time`, then id); -1 if none does. */
  next(row: number): number;
  /** Cosine of two rows' vectors, -1 to 1; 0 if either has none. */
  cosine(rowA: number, rowB: number): number;
}

/** What a reading will look for by vector: told beforehand, because a graph answers from another thread. */
export interface NearestQuery {
  readonly vector: Float32Array;
  /** How many of the nearest memories that `accepts` takes the reading needs. */
  readonly count: number;
  /** Whether the reading could return the memory of a row. Asked of some of them, to know how far to look. */
  readonly accepts: (index: NamespaceIndex, row: number) => boolean;
}

/** The indexes of all namespaces: derived from the store, loaded on first use, dropped when room is short. */
export interface SearchIndex {
  /** What the namespace's vectors were when they were last looked at, at little cost: to prepare a reading, which tells for certain. */
  profileOf(namespace: Namespace): Promise<VectorProfile | undefined>;
  /**
   * Brings the namespace's index up to the last durable commit and calls `read` with it, synchronously: nothing changes the index meanwhile.
   * Every commit that was acknowledged before the call is seen. Passes on what `read` throws, and DATA_LOSS when the namespace's records are damaged.
   *
   * In a namespace with a graph, `read` also gets the rows that `wanted` led to, among them all that the graph does not know yet; for `IndexQuery.nearest`.
   * It gets none where there is no graph, or where comparing all vectors is the better way.
   */
  read<T>(
    namespace: Namespace,
    signal: AbortSignal,
    read: (index: NamespaceIndex, nearest: Int32Array | undefined) => T,
    wanted?: NearestQuery,
  ): Promise<T>;
}
