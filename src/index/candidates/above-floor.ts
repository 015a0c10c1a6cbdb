import type { Candidates, FusedMinimum, Row } from "../../core/ports/search-index.js";
import type { IndexRows } from "../rows/index-rows.js";
import { sameVectorCosine } from "../vector/vector-math.js";
import type { Scratch } from "./scratch.js";

/**
 * Makes candidates of the rows whose fused score reaches the floor of a query (`IndexQuery.floor`),
 * of the named rows, and of the rows with the query's own vector. May add rows that miss the floor
 * by a rounding error. Returns `undefined` if the query has no floor, if the namespace has no
 * vectors, or if it has threads.
 *
 * One pass of the kernel compares the vectors of all rows, and chooses the rows. So little is left
 * to do for most rows.
 */
export function findAboveFloor(
  { vectors, threads, rowLimit }: IndexRows,
  { rows, keyword, keywordByRow, vector, named }: Scratch,
  floor: FusedMinimum | undefined,
  queryVector: Float32Array,
): Candidates | undefined {
  if (floor === undefined || vectors === undefined || threads.hasLinks) return undefined;
  const kept = named.rows.subarray(0, named.count);
  const fused = { rowCount: rowLimit, keywords: keywordByRow, kept, floor };
  const chosen = vectors.scoreReaching(queryVector, fused, rows, vector);
  const sameVector: number[] = [];
  let count = 0;
  for (let i = 0; i < chosen; i++) {
    const row = rows[i] as Row;
    const keywordScore = keywordByRow[row] as number;
    const cosine = vector[i] as number;
    if (keywordScore === 0 && !(cosine > 0) && !named.has(row)) continue;
    if (cosine >= sameVectorCosine) sameVector.push(row);
    rows[count] = row;
    keyword[count] = keywordScore;
    vector[count++] = cosine;
  }
  return { tier: "exact", count, rows, keyword, vector, sameVector };
}
