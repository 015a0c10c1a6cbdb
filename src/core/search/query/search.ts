import type { Filter } from "../../filter/matcher.js";
import type { Instant } from "../../model/instant.js";
import type { Memory } from "../../model/memory.js";
import type { Namespace } from "../../model/namespace.js";
import type { IdPatterns } from "../../model/principal.js";
import type { TimeZone } from "../../model/time-zone.js";
import type { CountedTerm, Respelling } from "../../ports/search-index.js";
import type { DayRange } from "../../text/times/day-ranges.js";

/** Weights of the bonuses that a query can tune, each 0 to 1. */
export interface RankingWeights {
  readonly recency: number;
  readonly importance: number;
  readonly novelty: number;
}

/**
 * The default weights. Recency and importance settle near-ties, and never push out an exact match.
 * Novelty has no weight by default: only near-copies are dropped.
 */
export const defaultWeights: RankingWeights = { recency: 0.02, importance: 0.02, novelty: 0 };

/** Maximum number of hits of a query that gives neither `limit` nor `budgetTokens`. */
export const defaultLimit = 5;

/** Which agents of a user to search: these, or all that the patterns allow. */
export type AgentChoice = { readonly ids: readonly string[] } | { readonly allowed: IdPatterns };

/**
 * A query over one namespace, or over several agents of a user. `search.proto` documents the
 * fields, their limits and defaults.
 */
export interface SearchQuery {
  readonly namespace: Namespace;
  /** The agents to search in place of the agent of `namespace`. Absent: only this agent. */
  readonly agents?: AgentChoice | undefined;
  readonly query: string;
  readonly limit?: number | undefined;
  readonly budgetTokens?: number | undefined;
  readonly filter: Filter;
  /**
   * The memories that the caller may read. With this filter, restricted memories are withheld.
   * Absent: the caller may read everything.
   */
  readonly accessFilter?: Filter | undefined;
  /** Ids of memories that are not returned. Absent: none. */
  readonly excludedIds?: ReadonlySet<string> | undefined;
  readonly order: "RELEVANCE" | "NEWEST_FIRST";
  /** Absent: the default for the namespace's embedder (`QueryVector.defaultFloor`). */
  readonly minRelevance?: number | undefined;
  /** Absent or 0: no gate. */
  readonly gate?: number | undefined;
  readonly weights: RankingWeights;
  readonly queryEmbedding?: Float32Array | undefined;
  readonly referenceTime?: Instant | undefined;
  /** See `findTimeZone`. Absent: the server's time zone. */
  readonly timeZone?: string | undefined;
  readonly minCommitSeq?: bigint | undefined;
  readonly includeSuperseded: boolean;
  /** Whether near-copies of a hit can be hits too. Default false. */
  readonly keepsNearCopies?: boolean;
  /** Whether the text of a recall shows the date and the author of each hit. Default false. */
  readonly annotates?: boolean;
  /** Whether an annotation also shows the id of the memory. Default false. */
  readonly showsIds?: boolean;
}

/**
 * Whether a query has neither words nor a vector. Then every memory that passes its filters
 * matches. Requires: a text of white space alone was replaced by an empty text.
 */
export function matchesAll({
  query,
  queryEmbedding,
}: Pick<SearchQuery, "query" | "queryEmbedding">): boolean {
  return query === "" && queryEmbedding === undefined;
}

/**
 * Whether a query asks for the nearest vectors, whatever the sign of their cosines: it has a
 * vector, no words, and no minimum of relevance.
 */
export function asksNearest({
  query,
  queryEmbedding,
  minRelevance,
}: Pick<SearchQuery, "query" | "queryEmbedding" | "minRelevance">): boolean {
  return query === "" && queryEmbedding !== undefined && minRelevance === 0;
}

/** Returns the maximum number of hits of a query; infinity if only its budget limits them. */
export function limitOf({ limit, budgetTokens }: SearchQuery): number {
  return limit ?? (budgetTokens === undefined ? defaultLimit : Number.POSITIVE_INFINITY);
}

/** The parts of a final score. See `Scores` in `search.proto`. */
export interface ScoreParts {
  readonly vector: number;
  readonly keyword: number;
  readonly following: number;
  readonly author: number;
  readonly date: number;
  readonly answer: number;
  readonly mention: number;
  readonly similarWords: number;
  readonly similarSpelling: number;
  readonly recency: number;
  readonly importance: number;
}

/** The scores of a hit. */
export interface Scores extends ScoreParts {
  readonly relevance: number;
  /** Absent unless the query gives novelty a weight. */
  readonly novelty?: number;
  readonly final: number;
}

export interface SearchHit {
  /** If `excerpt` is true, `content` is cut. `tokenCount` is always that of the whole memory. */
  readonly memory: Memory;
  readonly scores: Scores;
  /** Place in the order of the hits, from 1. */
  readonly rank: number;
  /** Whether questions with a best hit like this one are usually not answered by it. */
  readonly weak: boolean;
  /** Number of tokens that the hit uses of the budget. */
  readonly tokens: number;
  readonly excerpt: boolean;
  /** The agent of the memory, if the query searches several agents. */
  readonly agentId?: string;
}

/** A match that did not become a hit. */
export interface Omission {
  readonly id: string;
  readonly tokens: number;
  readonly score: number;
  readonly reason: "OVER_BUDGET" | "NEAR_COPY";
}

/** The receipt: hits + `omitted` + `omittedCount` = `totalMatches`. */
export interface SearchSummary {
  readonly totalMatches: number;
  readonly tokensUsed: number;
  readonly budgetTokens?: number | undefined;
  readonly omitted: readonly Omission[];
  readonly omittedCount: number;
  /** Number of hits that are weak. */
  readonly weakReturned: number;
  /**
   * Number of matches withheld because they are restricted (`SearchQuery.accessFilter`). They do
   * not count in `totalMatches`. Absent: none.
   */
  readonly withheld?: number | undefined;
  readonly index: "exact" | "near";
  readonly commitSeq: bigint;
  /** Whether the query has a gate and no match opened it. Default false. */
  readonly gateClosed?: boolean;
  /** Why there are no hits although memories matched. Empty otherwise. */
  readonly noHitsReason: string;
  /**
   * Why the search ignored the namespace's vectors. Absent: the search used the vectors, or there
   * are none.
   */
  readonly keywordsOnlyReason?: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly summary: SearchSummary;
}

/**
 * A result with its conditions of validity. A search returns the same result until the content
 * state of the namespace changes or `nextExpiryMs` passes.
 */
export interface CacheableResult {
  readonly result: SearchResult;
  /** The state of the namespace that the search read. */
  readonly state: ContentState;
  /**
   * The next time at which an expiry may change the result, in milliseconds since 1970. Infinity:
   * never.
   */
  readonly nextExpiryMs: number;
}

/** Identifies a state of a namespace's memories and vectors. */
export type ContentState = string;

/** One stage of a search, as it affects one memory. */
export interface ExplainStage {
  readonly name: string;
  /** The memory's score after the stage. */
  readonly score: number;
  /**
   * The memory's rank among the memories that the stage keeps; 1 is the best. Absent if the stage
   * ranks nothing, or drops the memory.
   */
  readonly rank?: number;
  /** Why the stage drops the memory. Empty if the stage keeps it. */
  readonly droppedReason: string;
}

/** How many memories a stage leaves. */
export interface StageSummary {
  readonly name: string;
  readonly left: number;
  readonly dropped: number;
  /**
   * Time of the stage, in milliseconds. Absent for a stage whose time is part of the one before it.
   */
  readonly durationMs?: number;
}

/** How a query was understood. */
export interface QueryReading {
  readonly terms: readonly CountedTerm[];
  readonly respellings: readonly Respelling[];
  readonly authors: readonly string[];
  /** See `Hints.isOnlyAboutAuthors`. */
  readonly isOnlyAboutAuthors: boolean;
  readonly dates: readonly DayRange[];
  /** The zone in which the days of the dates count. */
  readonly timeZone: TimeZone;
  /** Weight of the vector score in the fused score, 0 to 1; 0: the search used no vector. */
  readonly vectorWeight: number;
  /** The relevance that a match needed. */
  readonly minRelevance: number;
}

/** How one of several memories fared in a search. */
export interface ExplainedMemory {
  /** Without metadata, and with at most the first 500 UTF-16 units of its content. */
  readonly memory: Memory;
  readonly stages: readonly ExplainStage[];
  /** Tokens that it uses, or would use. */
  readonly tokens: number;
  readonly returned: boolean;
  /** Why the match was left out. Absent: it was not, or the receipt does not list it. */
  readonly omission?: Omission["reason"];
  /** The hit of which it is a near-copy. */
  readonly nearCopyOf?: string;
}

/** A search with its result, and how memories fared in it. */
export interface SearchExplanation {
  readonly reading: QueryReading;
  readonly stages: readonly StageSummary[];
  /** Matches in their order, then memories that do not match. */
  readonly memories: readonly ExplainedMemory[];
  /** The ids asked about of which the namespace has no memory. */
  readonly missingIds: readonly string[];
  readonly result: SearchResult;
}

/** How one memory fared in a search. */
export interface Explanation {
  readonly stages: readonly ExplainStage[];
  /** The words of the query that no memory has, with the terms that stand in for them. */
  readonly respellings: readonly Respelling[];
  /** Whether the memory is a hit. */
  readonly returned: boolean;
}
