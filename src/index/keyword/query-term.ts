/** A term with the weight of its occurrences. */
export interface WeightedTerm {
  readonly term: string;
  /** 0 to 1. */
  readonly weight: number;
}

/** A word of a query, as the terms that can stand for it. */
export interface QueryTerm {
  /** The terms of the word. Their rows determine how rare the word is. */
  readonly terms: readonly WeightedTerm[];
  /** Terms of parts of the word. They count only if at least one row has one of `terms`. */
  readonly related?: readonly WeightedTerm[];
  /**
   * The words to search for instead if no row has any of `terms`. Empty: the word is then left out.
   * Absent: there is no fallback, and the word counts as a word that no row has.
   */
  readonly fallback?: readonly QueryTerm[];
  /**
   * The word, in the form of `words` (core/text/words.ts), if it may be misspelled. Absent: no term
   * of similar spelling stands in for it.
   */
  readonly word?: string;
  /** Whether some of `terms` stand in for the word because of their spelling. Default false. */
  readonly isRespelled?: boolean;
}

/** Returns the query term of a word with only one term. */
export function plainTerm(term: string): QueryTerm {
  return { terms: [{ term, weight: 1 }] };
}
