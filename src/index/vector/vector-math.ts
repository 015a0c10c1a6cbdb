/** Vectors with at least this cosine are the same, within rounding. */
export const sameVectorCosine = 0.9995;

/** Tolerance for the rounding of scores. */
export const scoreSlack = 1e-5;

/**
 * Number of equal buckets from 0 to 1 in the histogram of scores that `certainlyReached` makes. One
 * more bucket is for scores of exactly 1.
 */
const thresholdSteps = 512;

const stepCounts = new Uint32Array(thresholdSteps + 1);

/**
 * Returns the maximum error of a scan score. The rounding errors of a row and of a query are
 * vectors. `rowError` and `queryError` are the lengths of these vectors. By Cauchy-Schwarz, a dot
 * product is at most the product of the lengths.
 */
export function scanError(rowError: number, queryError: number): number {
  return rowError + queryError * (1 + rowError);
}

/** Limits a cosine to the range -1 to 1, because rounding errors can take it beyond this range. */
export function clampCosine(value: number): number {
  return Math.min(1, Math.max(-1, value));
}

/**
 * Returns a threshold: at least `wanted` rows have an exact cosine of at least this much. So a row
 * that cannot reach the threshold is not one of the `wanted` best rows. Returns -Infinity if fewer
 * than `wanted` rows certainly have a cosine above 0, or if `count` is at most `wanted`.
 *
 * @param scores the scores of a scan, of which the first `count` are valid
 * @param errors for each score: the part of its error that comes from the row (`rowError` in
 *   `scanError`)
 * @param queryError as in `scanError`
 */
export function certainlyReached(
  scores: Float32Array,
  errors: Float32Array,
  count: number,
  queryError: number,
  wanted: number,
): number {
  if (count <= wanted) return -Infinity;
  stepCounts.fill(0);
  for (let place = 0; place < count; place++) {
    const certain =
      Math.min(1, scores[place] as number) - scanError(errors[place] as number, queryError);
    if (certain <= 0) continue;
    const step = (certain * thresholdSteps) | 0;
    stepCounts[step] = (stepCounts[step] as number) + 1;
  }
  let reached = 0;
  for (let step = stepCounts.length - 1; step >= 0; step--) {
    reached += stepCounts[step] as number;
    if (reached >= wanted) return step / thresholdSteps;
  }
  return -Infinity;
}

/**
 * Appends the rows `from` to `end`, with score 0, to the first `count` rows. Returns the new number
 * of rows.
 */
export function takeFrom(
  from: number,
  end: number,
  rows: Int32Array,
  scores: Float32Array,
  count: number,
): number {
  for (let row = from; row < end; row++) rows[count + row - from] = row;
  scores.fill(0, count, count + end - from);
  return count + end - from;
}
