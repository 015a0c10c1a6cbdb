import { randomNumbers } from "./sample-texts.js";

/**
 * Makes vectors with cosines around 0.33, as vectors of texts have. The same seed makes the same
 * vectors.
 */
export function sampleVectors(
  count: number,
  dimension: number,
  seed: number,
): readonly Float32Array[] {
  const common = randomNumbers(1);
  const shared = Float32Array.from({ length: dimension }, () => common() - 0.5);
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => shared.map((number) => 0.7 * number + random() - 0.5));
}
