import { randomNumbers } from "../vector/naive-cosine.js";

/** Returns vectors of unit length in random directions. Equal seeds give equal vectors. */
export function unitVectors(count: number, dimension: number, seed: number): Float32Array[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () =>
    unit(Float32Array.from({ length: dimension }, () => random() * 2 - 1)),
  );
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** Returns the indexes of the vectors nearest to a query, nearest first. */
export function nearestOf(
  vectors: readonly Float32Array[],
  query: Float32Array,
  count: number,
): number[] {
  const scores = vectors.map((vector) =>
    vector.reduce((sum, number, i) => sum + number * (query[i] ?? 0), 0),
  );
  return [...vectors.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, count);
}
