import type { Calibration } from "../../ports/embedder.js";

/** How much each signal other than keywords and vectors adds to a score. */
export interface SignalWeights {
  /**
   * Multiplies the fused score of the next row in the thread: an answer follows its question. Fades
   * with the length of the texts (`longTextShare`).
   */
  readonly following: number;
  /** Added to a memory whose author is the only one that the query names. */
  readonly author: number;
  /** The same if the query asks only what the author said: more than any words can add. */
  readonly authorAlone: number;
  /**
   * Added if the event lies in a month that the query names. Added twice if the day fits too.
   */
  readonly date: number;
  /** Added to a turn that names days in a month that the query names. */
  readonly mentionedMonth: number;
  /** Added besides `mentionedMonth` to a turn that names a day that the query names too. */
  readonly mentionedDay: number;
  /** Multiplies the keyword score of the previous turn, if the previous turn is a question. */
  readonly answer: number;
  /** Multiplies how well the words of a turn match the words of the query by their meaning. */
  readonly similarWords: number;
  /**
   * The same for a memory without a thread. Only if the query is in English: the vectors of words
   * know little of other languages, and mislead in short notes.
   */
  readonly similarWordsOfNotes: number;
}

/**
 * The weights in use. bench/locomo measures them all together, then without one weight at a time.
 */
export const signalWeights: SignalWeights = {
  following: 0.3,
  author: 0.15,
  authorAlone: 1,
  date: 0.2,
  mentionedMonth: 0.05,
  mentionedDay: 0.1,
  answer: 0.4,
  similarWords: 0.3,
  similarWordsOfNotes: 0.2,
};

/** The age at which recency is one half: 30 days. */
const recencyHalfLifeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Fuses a keyword score and a cosine: `(1 - w) × keyword + w × cosine`, where `w` is the
 * embedder's vector weight. A cosine that is negative or not a number counts as 0.
 *
 * @param keyword 0 to 1.
 */
export function fusedScore(keyword: number, cosine: number, { vectorWeight }: Calibration): number {
  return (1 - vectorWeight) * keyword + vectorWeight * Math.max(0, cosine || 0);
}

/**
 * Returns the relevance of a score: 0 for a random pair of texts, 1 for a paraphrase. The
 * calibration makes relevance mean the same with every embedder.
 */
export function relevanceOf(score: number, { randomScore, paraphraseScore }: Calibration): number {
  return Math.min(1, Math.max(0, (score - randomScore) / (paraphraseScore - randomScore)));
}

/** Returns `2^(-age / 30 days)`, 0 to 1. A time in the future has recency 1. */
export function recencyOf(happenedMs: number, nowMs: number): number {
  return Math.exp((-Math.LN2 * Math.max(0, nowMs - happenedMs)) / recencyHalfLifeMs);
}
