import type { Calibration } from "../ports/embedder.js";

/** Age at which recency has fallen to a half. */
export const recencyHalfLifeMs = 30 * 24 * 60 * 60 * 1000;

/** Fused score S = (1 - w) K + w V of the keyword score K (0 to 1) and the cosine V; a cosine that is not above 0, or not a number, counts as 0. */
export function fusedScore(keyword: number, cosine: number, { vectorWeight }: Calibration): number {
  return (1 - vectorWeight) * keyword + vectorWeight * Math.max(0, cosine || 0);
}

/** Relevance of a fused score, 0 (a random pair) to 1 (a paraphrase): the same for every embedder. */
export function relevanceOf(score: number, { randomScore, paraphraseScore }: Calibration): number {
  return Math.min(1, Math.max(0, (score - randomScore) / (paraphraseScore - randomScore)));
}

/** 2^(-age / 30 days), 0 to 1; 1 for what lies ahead. */
export function recencyOf(happenedMs: number, nowMs: number): number {
  return Math.exp((-Math.LN2 * Math.max(0, nowMs - happenedMs)) / recencyHalfLifeMs);
}
