import type { Filter } from "../filter/filter.js";
import type { Instant } from "../instant.js";
import type { Memory } from "../memory.js";
import type { Namespace } from "../namespace.js";

/** Weights of what is added to the score of the match; each 0 to 1. */
export interface RankingWeights {
  readonly recency: number;
  readonly importance: number;
  readonly novelty: number;
}

/** Recency and importance settle near-ties and never push out an exact match; no diversity beyond dropping near-copies. */
export const defaultWeights: RankingWeights = { recency: 0.02, importance: 0.02, novelty: 0 };

/** A query over one namespace. Meanings, limits and defaults: `search.proto`. */
export interface SearchQuery {
  readonly namespace: Namespace;
  readonly query: string;
  readonly limit?: number;
  readonly budgetTokens?: number;
  readonly filter: Filter;
  readonly order: "RELEVANCE" | "NEWEST_FIRST";
  readonly minRelevance?: number;
  readonly weights: RankingWeights;
  readonly queryEmbedding?: Float32Array;
  readonly referenceTime?: Instant;
  readonly minCommitSeq?: bigint;
  readonly includeSuperseded: boolean;
}

/** The parts of a hit's score. */
export interface Scores {
  readonly relevance: number;
  readonly vector: number;
  readonly keyword: number;
  readonly recency: number;
  readonly importance: number;
  /** Only where a weight for novelty was given. */
  readonly novelty?: number;
  readonly final: number;
}

export interface SearchHit {
  /** With `excerpt`, its content is cut; `tokenCount` stays that of the whole. */
  readonly memory: Memory;
  readonly scores: Scores;
  /** What it takes of the budget. */
  readonly tokens: number;
  readonly excerpt: boolean;
}

export interface Omission {
  readonly id: string;
  readonly tokens: number;
  readonly score: number;
  readonly reason: "OVER_BUDGET" | "NEAR_COPY";
}

/** The receipt: returned hits + `omitted` + `omittedCount` = `totalMatches`. */
export interface SearchSummary {
  readonly totalMatches: number;
  readonly tokensUsed: number;
  readonly budgetTokens?: number;
  readonly omitted: readonly Omission[];
  readonly omittedCount: number;
  readonly index: "exact" | "graph";
  readonly commitSeq: bigint;
  /** Empty unless there are matches and no hits. */
  readonly noHitsReason: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly summary: SearchSummary;
}
