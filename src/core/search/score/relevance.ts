import type { Calibration } from "../../ports/embedder.js";
import type { Candidates, Row } from "../../ports/search-index.js";
import type { QueryVector } from "../../vectors/vectors.js";
import { relevanceOf } from "../query/scores.js";
import type { Contradicts } from "./contradictions.js";

/**
 * The greatest relevance of a row about another number, code, id or date than the query: well below
 * a gate of 0.5.
 */
export const contradictedRelevance = 0.3;

/** Greater than the rounding errors of `scoreBelow` and `relevanceOf` together. */
const roundingError = 1e-9;

/**
 * Returns a score. Every row with a lower score has a relevance below `relevance`, unless the row
 * has the same vector as the query. Minus infinity: no score is low enough.
 */
export function scoreBelow(
  relevance: number,
  { randomScore, paraphraseScore }: Calibration,
): number {
  if (relevance <= 0) return Number.NEGATIVE_INFINITY;
  return randomScore + relevance * (paraphraseScore - randomScore) - roundingError;
}

/**
 * Translates the scores of candidates into relevance. A row with the same vector as the query has
 * at least the relevance `sameVectorRelevance`, even if it shares few words with the query. A row
 * about another number, code, id or date than the query has a low relevance.
 */
export class Relevance {
  /** `undefined`: no row has the query's vector. */
  readonly #sameVector: ReadonlySet<number> | undefined;

  constructor(
    { sameVector }: Pick<Candidates, "sameVector">,
    private readonly input: Pick<QueryVector, "calibration" | "sameVectorRelevance">,
    private readonly contradicts?: Contradicts,
  ) {
    this.#sameVector = sameVector.length === 0 ? undefined : new Set(sameVector);
  }

  /**
   * Returns a score. Every row with a lower score has a relevance below `relevance`. Comparing
   * scores costs less than computing relevances. Minus infinity: no score is low enough.
   */
  scoreBelow(relevance: number): number {
    return this.#sameVector === undefined
      ? scoreBelow(relevance, this.input.calibration)
      : Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns the relevance of a row, 0 to 1.
   *
   * @param score The fused score of the row, or its base score (`WeighedCandidates.base`).
   */
  of(row: Row, score: number): number {
    const relevance = this.ofScore(row, score);
    return relevance > contradictedRelevance && this.contradicts?.(row) === true
      ? contradictedRelevance
      : relevance;
  }

  /**
   * Returns the same as `of`, but reads no text. Greater than `of` only above
   * `contradictedRelevance`.
   */
  ofScore(row: Row, score: number): number {
    const ofScore = relevanceOf(score, this.input.calibration);
    return this.#sameVector?.has(row) === true
      ? Math.max(ofScore, this.input.sameVectorRelevance)
      : ofScore;
  }
}
