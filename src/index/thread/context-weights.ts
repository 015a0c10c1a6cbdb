/**
 * Weights of the terms and vectors that a row borrows from the rows before it in its thread,
 * nearest row first. Borrowed terms and vectors count as if they were the row's own, at a lower
 * weight. Each weight is above 0. Each list has at most `contextRows` weights.
 */
export interface ContextWeights {
  /** Weights of borrowed terms. */
  readonly terms: readonly number[];
  /** Weights of borrowed vectors. */
  readonly vectors: readonly number[];
  /** A row of more terms than this counts less for the rows after it. See `lentShare`. */
  readonly fullTerms: number;
}

/**
 * The weights in use. A turn often answers the turns before it, so it borrows their words.
 * bench/locomo measures the effect.
 */
export const contextWeights: ContextWeights = {
  terms: [0.6, 0.4],
  vectors: [0.4, 0.4],
  fullTerms: 20,
};

/**
 * Returns the factor, 0 to 1, with which the words and the vector of a row count for the rows after
 * it. The factor is smaller for a long row, so that a long message does not outweigh the short
 * message after it.
 *
 * @param terms Number of terms of the row.
 */
export function lentShare(terms: number, { fullTerms }: ContextWeights): number {
  return terms <= fullTerms ? 1 : fullTerms / terms;
}
