import type { Candidates, Row } from "../ports/search-index.js";
import type { QueryVector } from "../vectors/vectors.js";
import { relevanceOf } from "./scores.js";

/**
 * Translates the scores of candidates into relevance. A row that has the query's own vector is as
 * relevant as the vector tells, even if it shares few words with the query.
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
   * Returns the relevance of a row, 0 to 1.
   *
   * @param score The fused score of the row. In a thread, with that of the next row.
   */
  of(row: Row, score: number): number {
    const relevance = relevanceOf(score, this.input.calibration);
    return this.#sameVector.size > 0 && this.#sameVector.has(row)
      ? Math.max(relevance, this.input.sameVectorRelevance)
      : relevance;
  }
}
