/**
 * Returns a weight from 0 (short texts) to 1 (long texts) for the texts of a namespace. The weight
 * is 0 up to a mean of 50 terms, and rises linearly to 1 at 100 terms.
 *
 * Turns of a dialogue have 13 terms on average, abstracts of papers 100 and more. In English, 75
 * terms are about 150 tokens. The benchmarks bench/locomo and bench/scifact gave the two bounds.
 */
export function longTextShare(meanTerms: number): number {
  return Math.min(1, Math.max(0, (meanTerms - 50) / 50));
}
