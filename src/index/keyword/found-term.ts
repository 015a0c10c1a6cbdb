import type { PostingList } from "./posting-lists.js";
import type { QueryTerm } from "./query-term.js";

/** A posting list with the weight of its occurrences. */
export interface WeightedList extends PostingList {
  readonly weight: number;
}

/** A query term that occurs in at least one row. */
export interface FoundTerm {
  readonly term: QueryTerm;
  readonly lists: readonly WeightedList[];
  /** Number of occurrences in the query. */
  readonly times: number;
  /** Share of the term in the highest possible score of the query. */
  readonly share: number;
}
