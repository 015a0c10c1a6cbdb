import type { Candidates, IndexQuery, Row } from "../../core/ports/search-index.js";
import type { IndexRows } from "../rows/index-rows.js";
import { sameVectorCosine, scoreSlack } from "../vector/vector-math.js";
import type { Scratch } from "./scratch.js";

/**
 * Makes candidates of the rows whose fused score reaches the minimum of a query. Returns
 * `undefined` if the query has no minimum or has near rows (`IndexQuery.nearest`), if the namespace
 * has threads, or if a row could reach the minimum without a keyword.
 *
 * A cosine adds at most `vectorWeight` to the fused score, because it is at most 1. So few rows
 * have a keyword score that lets them reach a high minimum, and only these rows need a vector
 * score.
 *
 * Requires: the first `scored` of `rows` in the scratch are the rows with a keyword score.
 */
export function findAboveMinimum(
  { vectors, threads }: IndexRows,
  scratch: Scratch,
  { minimum, nearest, vector: queryVector }: IndexQuery,
  scored: number,
): Candidates | undefined {
  if (minimum === undefined || nearest !== undefined || threads.hasLinks) return undefined;
  if (minimum.vectorWeight >= minimum.score) return undefined;
  const { rows, keyword, keywordByRow, vector, ownVector: cosineMin } = scratch;
  const { score, vectorWeight } = minimum;
  let possible = 0;
  for (let i = 0; i < scored; i++) {
    const row = rows[i] as Row;
    const keywordScore = keywordByRow[row] as number;
    const missing = score - (1 - vectorWeight) * keywordScore - scoreSlack;
    const cosine = missing <= 0 ? 0 : missing / vectorWeight;
    if (cosine > 1) continue;
    rows[possible] = row;
    keyword[possible] = keywordScore;
    cosineMin[possible++] = cosine;
  }
  if (queryVector !== undefined && queryVector.length === vectors?.dimension)
    vectors.scoreSome(queryVector, rows, possible, vector, cosineMin);
  else vector.fill(0, 0, possible);
  const sameVector: number[] = [];
  let count = 0;
  for (let i = 0; i < possible; i++) {
    const cosine = vector[i] as number;
    if (Math.max(0, cosine) < (cosineMin[i] as number)) continue;
    if (cosine >= sameVectorCosine) sameVector.push(rows[i] as number);
    rows[count] = rows[i] as number;
    keyword[count] = keyword[i] as number;
    vector[count++] = cosine;
  }
  return { tier: "exact", count, rows, keyword, vector, sameVector };
}
