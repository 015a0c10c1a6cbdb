/**
 * How far the texts of a namespace are long ones, by their mean number of terms: 0 up to 50 terms (turns of a dialogue have 13), rising evenly to 1 at 100 and more (abstracts of papers).
 * 75 terms are about 150 tokens of English. Measured by bench/locomo and bench/scifact.
 */
export function longTextShare(meanTerms: number): number {
  return Math.min(1, Math.max(0, (meanTerms - 50) / 50));
}
