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
 * Returns the maximum error of a scan score, from the lengths of the rounding errors of row and
 * query (Cauchy-Schwarz).
 */
export function scanError(rowError: number, queryError: number): number {
  return rowError + queryError * (1 + rowError);
}

/** Returns a cosine without its rounding error outside of -1 to 1. */
export function clampCosine(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
