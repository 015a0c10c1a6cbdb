/**
 * Returns how far the texts of a namespace count as long texts, 0 to 1. The share is 0 up to a mean
 * of 50 terms. From there it rises evenly to 1 at 100 terms and more.
 *
 * Turns of a dialogue have a mean of 13 terms, abstracts of papers one of 100 and more. In English,
 * 75 terms are about 150 tokens. bench/locomo and bench/scifact measured the two bounds.
 */
export function longTextShare(meanTerms: number): number {
  return Math.min(1, Math.max(0, (meanTerms - 50) / 50));
}
