/** What a row of a thread borrows from the rows before it: the first number is the weight of the row right before, the second that of the one before that. Each above 0; at most `contextRows` of them. */
export interface ContextWeights {
  /** Of terms. */
  readonly terms: readonly number[];
  /** Of vectors. */
  readonly vectors: readonly number[];
}

/** A turn borrows the words of the turns that it answers. Measured by bench/locomo, also without. */
export const contextWeights: ContextWeights = { terms: [0.6, 0.3], vectors: [0.4, 0.4] };
