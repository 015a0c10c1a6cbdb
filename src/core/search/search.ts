import type { Filter } from "../filter/filter.js";
import type { Instant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";

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
  /** What who asks may see at all: only what passes this too, and nothing that is restricted. Absent: everything. */
  readonly permitted?: Filter;
  readonly order: "RELEVANCE" | "NEWEST_FIRST";
  readonly minRelevance?: number;
  readonly weights: RankingWeights;
  readonly queryEmbedding?: Float32Array;
  readonly referenceTime?: Instant;
  readonly minCommitSeq?: bigint;
  readonly includeSuperseded: boolean;
}

/** What a final score is made of. Meanings: `Scores` in search.proto. */
export interface ScoreParts {
  readonly vector: number;
  readonly keyword: number;
  readonly following: number;
  readonly thread: number;
  readonly author: number;
  readonly date: number;
  readonly recency: number;
  readonly importance: number;
}

/** A hit's scores. */
export interface Scores extends ScoreParts {
  readonly relevance: number;
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
  /** Matches that were withheld because they are restricted (`SearchQuery.permitted`); not among `totalMatches`. Absent: none. */
  readonly withheld?: number;
  readonly index: "exact" | "graph";
  readonly commitSeq: bigint;
  /** Empty unless there are matches and no hits. */
  readonly noHitsReason: string;
  /** Why vectors did not count although the namespace has some; absent: they did, or it has none. */
  readonly keywordsOnlyReason?: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly summary: SearchSummary;
}

/** A result, and how long a search would come to the same. */
export interface DatedResult {
  readonly result: SearchResult;
  /** State of the namespace that it was found in. */
  readonly state: ContentState;
  /** When the first memory of the types that were looked for expires, in milliseconds since 1970; infinity if none ever does. */
  readonly nextExpiryMs: number;
}

/** Name of a state of a namespace's memories and vectors: two that are equal have the same. */
export type ContentState = string;

/** One stage of a search, from the point of view of one memory. */
export interface ExplainStage {
  readonly name: string;
  /** The memory's score after the stage. */
  readonly score: number;
  /** Its place among all that are left, 1 for the best; absent if the stage has none or dropped it. */
  readonly rank?: number;
  /** Empty if the stage did not drop it. */
  readonly droppedReason: string;
}

/** How a memory fared in a search. */
export interface Explanation {
  readonly stages: readonly ExplainStage[];
  /** Whether it is among the hits. */
  readonly returned: boolean;
}
