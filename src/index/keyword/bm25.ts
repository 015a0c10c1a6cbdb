import { longTextShare } from "../../core/text/text-length.js";

/**
 * Returns the parameter `k1` of BM25 for a mean number of terms. The lower it is, the less a
 * repeated term adds. It is 0.6 among short texts, where a repetition says little, and 1.2, its
 * usual value, among long texts or if `pairShare` is 1.
 *
 * @param pairShare See `lengthWeight`.
 */
export function termSaturation(meanTerms: number, pairShare = 0): number {
  return 0.6 + 0.6 * Math.max(longTextShare(meanTerms), pairShare);
}

/**
 * Returns the length penalty of BM25 (its parameter `b`) for a mean number of terms. It is 0.3
 * among short texts, where length says little, and 0.75 among long texts or if `pairShare` is 1.
 *
 * @param pairShare share of terms that are pairs of Chinese or Japanese characters. Default: 0.
 */
export function lengthWeight(meanTerms: number, pairShare = 0): number {
  return 0.3 + 0.45 * Math.max(longTextShare(meanTerms), pairShare);
}

/**
 * Returns how rare a term is, which is its weight: a number above 0.
 *
 * @param holding Number of rows that have the term.
 * @param all Number of rows.
 */
export function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}
