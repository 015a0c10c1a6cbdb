/**
 * Weights with which a row of a thread borrows from the rows before it, nearest row first. Each
 * weight is above 0. There are at most `contextRows` weights.
 */
export interface ContextWeights {
  /** Weights of borrowed terms. */
  readonly terms: readonly number[];
  /** Weights of borrowed vectors. */
  readonly vectors: readonly number[];
}

/** A turn borrows the words of the turns that it answers. bench/locomo measures the effect. */
export const contextWeights: ContextWeights = { terms: [0.6, 0.3], vectors: [0.4, 0.4] };
