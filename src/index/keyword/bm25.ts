import { longTextShare } from "../../core/text/text-length.js";

/** Parameter of BM25, at its usual value. The lower it is, the less a repeated term adds. */
export const k1 = 1.2;

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
 * Length penalty of a whole thread (`b` of BM25). It is high, so that a thread does not score
 * higher only because it is long.
 */
export const threadLengthWeight = 0.75;

/**
 * Returns how rare a term is, which is its weight: a number above 0.
 *
 * @param holding Number of rows that have the term.
 * @param all Number of rows.
 */
export function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}
