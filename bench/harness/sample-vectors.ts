import { randomNumbers } from "./sample-texts.js";

/** Vectors whose cosines spread about 0.33, as those of texts do. The same seed gives the same vectors. */
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
