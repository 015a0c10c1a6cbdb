/** What each signal beside keywords and vectors adds to a score. */
export interface SignalWeights {
  /** Of the score of the row that follows in a thread: an answer follows its question. */
  readonly following: number;
  /** At most, for the score of a memory's whole thread. */
  readonly thread: number;
  /** For what the one author wrote whom the query names. */
  readonly author: number;
  /** When a memory's event falls into a month that the query names, and once more when the day fits too. */
  readonly date: number;
}

/** Measured by bench/locomo, also without each. */
export const signalWeights: SignalWeights = {
  following: 0.3,
  thread: 0.1,
  author: 0.15,
  date: 0.15,
};
