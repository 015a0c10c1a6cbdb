import type { Candidates, Row } from "../ports/search-index.js";
import type { QueryVector } from "../vectors/vectors.js";
import { relevanceOf } from "./scores.js";

/** Greater than the rounding errors of `scoreBelow` and `relevanceOf` together. */
const roundingError = 1e-9;

/**
 * Translates the scores of candidates into relevance. A row with the same vector as the query has
 * at least the relevance `sameVectorRelevance`, even if it shares few words with the query.
 */
export class Relevance {
  readonly #sameVector: ReadonlySet<number>;

  constructor(
    { sameVector }: Pick<Candidates, "sameVector">,
    private readonly input: Pick<QueryVector, "calibration" | "sameVectorRelevance">,
  ) {
    this.#sameVector = new Set(sameVector);
  }

  /**
   * Returns a score. Every row with a lower score has a relevance below `relevance`. Comparing
   * scores costs less than computing relevances. Minus infinity: no score is low enough.
   */
  scoreBelow(relevance: number): number {
    if (relevance <= 0 || this.#sameVector.size > 0) return Number.NEGATIVE_INFINITY;
    const { randomScore, paraphraseScore } = this.input.calibration;
    return randomScore + relevance * (paraphraseScore - randomScore) - roundingError;
  }

  /**
   * Returns the relevance of a row, 0 to 1.
   *
   * @param score The fused score of the row, or its base score (`WeighedCandidates.base`).
   */
  of(row: Row, score: number): number {
    const relevance = relevanceOf(score, this.input.calibration);
    return this.#sameVector.size > 0 && this.#sameVector.has(row)
      ? Math.max(relevance, this.input.sameVectorRelevance)
      : relevance;
  }
}
