import { type Cost, costOf } from "./cost.js";
import { sampleVectors } from "./sample-vectors.js";

/** Number of distinct vectors. Larger samples repeat these vectors. */
const distinctVectors = 1_000;

/**
 * Measures the comparison of a query with `size` vectors by a JavaScript loop over a Float32Array.
 */
export function measurePlainScan(size: number, queries: readonly Float32Array[]): Cost {
  const dimension = queries[0]?.length ?? 0;
  const rows = new Float32Array(size * dimension);
  const vectors = sampleVectors(Math.min(size, distinctVectors), dimension, 4);
  for (let row = 0; row < size; row++)
    rows.set(vectors[row % vectors.length] ?? [], row * dimension);
  const scores = new Float32Array(size);
  return costOf((i) => {
    const query = queries[i % queries.length] ?? scores;
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let column = 0; column < dimension; column++)
        sum += (rows[row * dimension + column] as number) * (query[column] as number);
      scores[row] = sum;
    }
    return scores[0] as number;
  });
}
