/**
 * Weights with which a row of a thread borrows from the rows before it, nearest row first. Each
 * weight is above 0. There are at most `contextRows` weights.
 */
export interface ContextWeights {
  /** Weights of borrowed terms. */
  readonly terms: readonly number[];
  /** Weights of borrowed vectors. */
  readonly vectors: readonly number[];
  /** A row of more terms than this lends less. See `lentShare`. */
  readonly fullTerms: number;
}

/** A turn borrows the words of the turns that it answers. bench/locomo measures the effect. */
export const contextWeights: ContextWeights = {
  terms: [0.6, 0.3],
  vectors: [0.4, 0.4],
  fullTerms: 20,
};

/**
 * Returns the factor, 0 to 1, of the words and the vector that a row lends to the rows after it. A
 * long row lends less, so that a long message does not outweigh the short message after it.
 *
 * @param terms Number of terms of the row.
 */
export function lentShare(terms: number, { fullTerms }: ContextWeights): number {
  return terms <= fullTerms ? 1 : fullTerms / terms;
}
