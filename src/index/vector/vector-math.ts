/** Number of steps from 0 to 1 in which `certainlyReached` counts scores. */
const thresholdSteps = 512;

const stepCounts = new Uint32Array(thresholdSteps + 1);

/** Returns the length of a vector and its greatest absolute number. */
export function measure(vector: Float32Array): {
  readonly length: number;
  readonly greatest: number;
} {
  let squares = 0;
  let greatest = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    squares += value * value;
    greatest = Math.max(greatest, Math.abs(value));
  }
  return { length: Math.sqrt(squares), greatest };
}

/**
 * Returns the maximum error of a scan score. The rounding errors of a row and of a query are
 * vectors. `rowError` and `queryError` are the lengths of these vectors. By Cauchy-Schwarz, a dot
 * product is at most the product of the lengths.
 */
export function scanError(rowError: number, queryError: number): number {
  return rowError + queryError * (1 + rowError);
}

/** Returns a cosine, limited to -1 to 1, which rounding errors can exceed. */
export function clampCosine(value: number): number {
  return Math.min(1, Math.max(-1, value));
}

/**
 * Returns a score that at least `wanted` scanned rows certainly reach. Returns -Infinity if the
 * function finds no such score, or if `count` is at most `wanted`. A row that cannot reach the
 * returned score is not among the best.
 *
 * @param scores scores of the first `count` rows by a scan
 * @param errors by row: the part of the score's error that comes from the row (`rowError` in
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
