import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { TimeExpression } from "../text/times/written-time.js";
import type { Head, VectorProfile } from "./store.js";

declare const rowBrand: unique symbol;

/**
 * Number of a memory in one state of a namespace's index, at least 0. With the brand, the compiler
 * tells rows from the other numbers of ranking (positions, matches, labels).
 */
export type Row = number & { readonly [rowBrand]: never };

/** Numbers of files that are made from the records of a namespace. */
export interface DerivedFiles {
  /** Images of indexes: at most one of memories, and one of skills. */
  readonly images: number;
  /** Saved graphs of vectors: at most one. */
  readonly graphs: number;
}

/** A query for candidates in a namespace. */
export interface IndexQuery {
  /** Text for keyword scores. Empty: no keyword scores. */
  readonly text: string;
  /**
   * Vector for cosine scores. Absent, or of another dimension than the namespace's vectors: no
   * vector scores.
   */
  readonly vector?: Float32Array | undefined;
  /**
   * Rows near `vector`, as `SearchIndex.read` passes them on. Absent: the vectors of all rows are
   * compared.
   */
  readonly nearest?: Int32Array | undefined;
  /**
   * With `nearest`: whether rows that are not near need a vector score only if they are among the
   * best by keyword. Ignored in a namespace with threads, because a row can raise the score of its
   * neighbours. Default: every row with a keyword score gets a vector score.
   */
  readonly comparesBest?: boolean;
  /**
   * Rows with a lower fused score may be left out, even rows with the query's own vector. A high
   * minimum makes the query much faster, because few rows have a keyword score that is high enough.
   * Ignored with `nearest`, for a text without terms, and in a namespace with threads. Absent: no
   * minimum.
   */
  readonly minimum?: FusedMinimum | undefined;
  /**
   * Rows with a lower fused score may be left out, except the named rows and the rows with the
   * query's own vector. The query then costs less, because few rows reach its caller. Ignored
   * without vector scores, with `nearest`, and in a namespace with threads. May be ignored if few
   * rows have the wanted types. Absent: no floor.
   */
  readonly floor?: FusedMinimum | undefined;
  /**
   * Whether a memory with `text` as its content is probably added next. The index then need not
   * read the text again. Default false.
   */
  readonly isAddedNext?: boolean;
  /**
   * Rows that match whatever their scores, in any order. They become candidates and get all scores.
   * Absent: none.
   */
  readonly named?: Int32Array | undefined;
  /**
   * Whether terms of similar spelling stand in for words of `text` that no row has. Default false.
   */
  readonly respells?: boolean;
  /**
   * Set of memory types, as `typeSetOf` makes it. Rows of other types may be left out. Absent: all.
   */
  readonly types?: number | undefined;
}

/** A minimum of the fused score of rows, see `fusedScore` (core/search/scores.ts). */
export interface FusedMinimum {
  readonly score: number;
  /** `Calibration.vectorWeight`, 0 to 1. */
  readonly vectorWeight: number;
}

/**
 * The rows whose vectors were compared with the query.
 * - `exact`: all rows that could match.
 * - `near`: only rows that sign bits or a proximity graph found, and rows with a keyword score.
 */
export type IndexTier = "exact" | "near";

/**
 * The scores of rows, in parallel arrays. The first `count` entries of each array are valid. All
 * indexes share the arrays: the next call of `candidates` of any index overwrites them.
 */
export interface Candidates {
  readonly tier: IndexTier;
  readonly count: number;
  readonly rows: Int32Array;
  /** BM25 as a share of the highest possible score of the query, 0 to 1. */
  readonly keyword: Float32Array;
  /** Cosine, -1 to 1; 0 without a vector. */
  readonly vector: Float32Array;
  /**
   * Rows whose own vector equals the query's, within rounding. What a row's thread adds to its
   * vector does not count.
   */
  readonly sameVector: readonly number[];
  /**
   * By row, not by position: the part of the keyword score that comes from terms of similar
   * spelling. Absent: 0 for all rows.
   */
  readonly respelledByRow?: Float32Array | undefined;
  /**
   * By row, not by position: the scores of a row's own words and vector, without what its thread
   * adds. Valid for the candidates only. Absent: `keyword` and `vector` are these scores.
   */
  readonly own?: {
    readonly keywordByRow: Float32Array;
    readonly vectorByRow: Float32Array;
  };
}

/** A word of a query that no row has, and the terms of similar spelling that stand in for it. */
export interface Respelling {
  /** In the form of `words` (core/text/words.ts). */
  readonly word: string;
  /** The stems of words, the most frequent first. */
  readonly terms: readonly string[];
}

/** A term of a query, and how many memories have it. */
export interface CountedTerm {
  /** The stem of a word. */
  readonly term: string;
  readonly memories: number;
}

/** A memory in an index. */
export interface IndexedMemory {
  readonly memory: Memory;
  /** Hash of the content's words in their order (near-copy.ts); `undefined` if it has no words. */
  readonly wordSignature: number | undefined;
}

/** The marks of rows. Only turns have the marks `question` and `days`. */
export const rowMarks = {
  /** The memory has an event time. */
  dated: 1,
  /**
   * The memory is a turn of a conversation: it has a thread or the type CONVERSATION, and is not
   * restricted.
   */
  turn: 2,
  /** Ends with a question mark. */
  question: 4,
  /** Names one or more days. */
  days: 8,
} as const;

/** The fields whose texts have numbers. */
export const numberedFields = ["kind", "source", "threadId", "tags", "status"] as const;
export type NumberedField = (typeof numberedFields)[number];

/** The texts of rows in one field, by number. Comparing numbers costs less than reading records. */
export interface TextNumbers {
  /** By row: the number of its text, above 0. 0, or the end of the array: the row has no text. */
  readonly numbers: Int32Array;
  /** Returns the number of a text; `undefined` if it has none. Then no row has the text. */
  numberOf(text: string): number | undefined;
  /** Returns the text of a number. */
  at(number: number): string;
}

/**
 * Traits that a query needs of nearly every row. Reading a trait costs much less than reading the
 * memory.
 */
export interface RowTraits {
  /** Whether the memory has an expiry or a successor, either of which may hide it. */
  canBeHidden(row: Row): boolean;
  /** Whether the memory is withheld from tools. */
  isRestricted(row: Row): boolean;
  /**
   * Whether the type of the memory is in `types`, a set as `typeSetOf` makes it; false for an empty
   * row.
   */
  isOfType(row: Row, types: number): boolean;
  /** `Memory.tokenCount`. */
  tokenCount(row: Row): number;
  /** `happenedAt`, in milliseconds since 1970. */
  happenedMs(row: Row): number;
  /** `Memory.createTime`, in milliseconds since 1970. */
  createdMs(row: Row): number;
  /** `Memory.importance`. */
  importance(row: Row): number;
  /** Whether any row is a turn. */
  readonly hasTurns: boolean;
  /** The marks of each row, bits of `rowMarks`. An array, like `authorNumbers`, for tight loops. */
  readonly marks: Uint8Array;
  /** Number of each row's author (`NamespaceIndex.authorNumber`); 0 without an author. */
  readonly authorNumbers: Int32Array;
  /**
   * The texts of some fields. `tags` has the list of tags as JSON, and none for no tags; `status`
   * has none for ACTIVE.
   */
  readonly texts: Readonly<Record<NumberedField, TextNumbers>>;
  /** Whether the memory may have this external id. True by mistake for few other memories. */
  mayHaveExternalId(row: Row, externalId: string): boolean;
  /** The times that name days in the text of a turn. Empty for other memories. */
  times(row: Row): readonly TimeExpression[];
}

/** Scores passages, one score for each. Lets other calls run every few milliseconds. */
export type ScorePassages = (passages: readonly string[]) => Promise<ArrayLike<number>>;

/** The index of one namespace in one state. Row numbers are valid only for this state. */
export interface NamespaceIndex {
  readonly head: Head;
  /**
   * A commit sequence number, at most `head.seq`. No memory and no vector of the namespace has
   * changed after this commit. While it is the same in the same object, so are the rows.
   */
  readonly contentSeq: number;
  readonly profile: VectorProfile | undefined;
  /** Greater than every row. */
  readonly rowLimit: number;
  /** Mean number of terms of a memory; 0 without memories. */
  readonly meanTerms: number;
  /** Whether any row may belong to a thread. */
  readonly hasThreads: boolean;
  /** Every author of a memory. */
  readonly authors: Iterable<string>;
  /** Returns the number of an author, above 0; `undefined` if no memory has this author. */
  authorNumber(author: string): number | undefined;
  /**
   * Returns the stems of a word of a name, in the languages of the namespace's memories. The same
   * name in two cases of an inflected language, or without its accents, has a stem in common.
   */
  nameTerms(word: string): readonly string[];
  /**
   * Finds these rows, in any order:
   * - every row that can have a keyword or vector score above 0
   * - the row before each of these rows in its thread
   * - the named rows
   *
   * A `minimum` or a `floor` leaves rows out.
   *
   * In a namespace with threads, may find other rows with scores 0. An empty query finds all rows,
   * with scores 0.
   *
   * In a thread, a row is scored as if it also had the words and vectors of the two rows before it,
   * with lower weights.
   *
   * With `nearest`, finds only the near rows, the rows with a keyword score, and the neighbours of
   * all these rows in their threads. Their scores are the same as without `nearest`.
   *
   * With `comparesBest` and without threads, most rows that are not near get a vector score of 0.
   * Only the rows with the best keyword scores get their vector score: 16 rows for each near row,
   * and rows that score nearly as high as the last of them.
   *
   * With `respells`, the nearest terms by spelling stand in for a word that no row has, at a lower
   * weight. Nothing stands in for a word that is known to be spelled right.
   */
  candidates(query: IndexQuery): Candidates;
  /** Returns the terms for which `candidates` searches for a text, each once. */
  termsOf(text: string): readonly CountedTerm[];
  /** Returns the respellings with which `candidates` searches for a text. */
  respellingsOf(text: string): readonly Respelling[];
  /**
   * Returns a function that scores passages of a memory by how well they match a text. The score
   * grows with the share of the text's words that a passage has, and with words of similar meaning.
   * Rare words count more. A passage that has nothing in common with the text scores 0.
   *
   * The function stays valid after the read. It scores by the state of the index at that read.
   */
  passageScorer(text: string): ScorePassages;
  /**
   * Returns the rows whose own text holds every term of a text, ascending. Returns no rows for a
   * text without terms, such as a text of stop words alone.
   */
  rowsWithAllTerms(text: string): Int32Array;
  readonly traits: RowTraits;
  /**
   * Writes to `scores` how well the words of the first `count` rows match the words of a text by
   * their meaning, 0 to 1. Rare words weigh more. Restricted rows get 0.
   *
   * Returns false and writes nothing if the namespace's model has no vectors of words, or knows no
   * word of the text.
   */
  scoreSimilarWords(text: string, rows: Int32Array, count: number, scores: Float64Array): boolean;
  at(row: Row): IndexedMemory;
  /** Returns the row of a memory, or `undefined` if no memory of the namespace has the id. */
  rowOf(id: string): Row | undefined;
  /**
   * Compares the ids of two rows' memories as texts: below 0 if the id of `rowA` comes first, 0 for
   * the same id. Reads no record if all ids are UUIDs.
   */
  compareIds(rowA: Row, rowB: Row): number;
  /**
   * By row: the next row of the same thread; -1 if there is none. The order in a thread is
   * `happenedAt`, then id.
   */
  readonly nextRows: Int32Array;
  /** Returns the cosine of two rows' vectors, -1 to 1; 0 if either has none. */
  cosine(rowA: Row, rowB: Row): number;
}

/**
 * The vector search that a reader will need. The search runs before the read, because a graph
 * answers from a worker thread.
 */
export interface NearestQuery {
  readonly vector: Float32Array;
  /**
   * Number of nearest memories that the reader needs. Memories that `accepts` rejects do not count.
   */
  readonly count: number;
  /**
   * Whether the reader could return a row. Called for a sample of rows, to estimate how many rows
   * the search must find.
   */
  readonly accepts: (index: NamespaceIndex, row: Row) => boolean;
}

/** Tells whether the caller of a read still waits. Any `AbortSignal` can be used. */
export type ReadSignal = Pick<AbortSignal, "aborted" | "throwIfAborted">;

/**
 * The indexes of all namespaces. An index is derived from the store, loaded on first use, and
 * evicted when RAM runs short.
 */
export interface SearchIndex {
  /**
   * Returns the last known profile of a namespace, at little cost. Use it to prepare a read. Only
   * the read knows the current profile.
   */
  profileOf(namespace: Namespace): Promise<VectorProfile | undefined>;
  /**
   * Brings the index up to the last durable commit and calls the function `read` with it. The
   * function is synchronous, so nothing changes the index meanwhile. It sees every commit that was
   * acknowledged before this method was called.
   *
   * In a large namespace, the function also gets rows for `IndexQuery.nearest`: the rows that a
   * graph found for `wanted` and all rows that are not in the graph, or the rows that the sign bits
   * found. It gets `undefined` in a small namespace, or if comparing all vectors is better.
   *
   * Rethrows errors of the function.
   *
   * @throws DATA_LOSS when records of the namespace are damaged
   */
  read<T>(
    namespace: Namespace,
    signal: ReadSignal,
    read: (index: NamespaceIndex, nearest: Int32Array | undefined) => T,
    wanted?: NearestQuery,
  ): Promise<T>;
  /** Does the same as `read` if the index is in RAM. Otherwise returns `undefined` immediately. */
  readLoaded<T>(
    namespace: Namespace,
    signal: ReadSignal,
    read: (index: NamespaceIndex) => T,
  ): Promise<T | undefined>;
  /**
   * Frees the RAM of a namespace's index, and deletes its saved graph. Call it after a commit that
   * has emptied the namespace. A later read loads the index again. Resolves when the graph is
   * deleted. Never rejects.
   */
  release(namespace: Namespace): Promise<void>;
  /** Counts the files that are made from the records of a namespace. Absent: there are none. */
  derivedFiles?(namespace: Namespace): Promise<DerivedFiles>;
}
