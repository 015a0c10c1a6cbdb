import {
  type Omission as OmissionMessage,
  OmissionReason,
  type RankingWeights as RankingWeightsMessage,
  type Scores as ScoresMessage,
  type SearchHit as SearchHitMessage,
  SearchIndex,
  SearchOrder,
  type SearchRequest,
  type SearchSummary as SearchSummaryMessage,
} from "#gen/vademecum/v1/search_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { IndexTier } from "../../core/ports/search-index.js";
import {
  defaultWeights,
  type Omission,
  type RankingWeights,
  type Scores,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../core/search/query/search.js";
import { fromMillis } from "./duration.js";
import { toFilter } from "./filter.js";
import { toInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";
import { toVector } from "./vector.js";

/** Converts a search request into the query of the core. */
export function toSearchQuery(request: SearchRequest): SearchQuery {
  return {
    namespace: toNamespace(request.namespace),
    query: request.query,
    limit: request.limit,
    budgetTokens: request.budgetTokens,
    filter: toFilter(request.filter),
    order: request.order === SearchOrder.NEWEST_FIRST ? "NEWEST_FIRST" : "RELEVANCE",
    minRelevance: request.minRelevance,
    gate: request.gate,
    weights: toWeights(request.weights),
    queryEmbedding: toVector(request.queryEmbedding),
    referenceTime: toInstant(request.referenceTime),
    timeZone: request.timeZone === "" ? undefined : request.timeZone,
    minCommitSeq: request.minCommitSeq,
    includeSuperseded: request.includeSuperseded,
    annotates: request.annotate,
  };
}

/** Converts the weights of a ranking. */
export function toWeights(weights: RankingWeightsMessage | undefined): RankingWeights {
  return {
    recency: weights?.recency ?? defaultWeights.recency,
    importance: weights?.importance ?? defaultWeights.importance,
    novelty: weights?.novelty ?? defaultWeights.novelty,
  };
}

/** Converts a hit to its message, with the namespace that its memory was read from. */
export function fromSearchHit(
  { memory, scores, rank, weak, tokens, excerpt }: SearchHit,
  namespace: Namespace,
): SearchHitMessage {
  return {
    $typeName: "vademecum.v1.SearchHit",
    memory: fromMemory(memory, namespace),
    scores: fromScores(scores),
    tokens,
    excerpt,
    rank,
    weak,
  };
}

function fromScores(scores: Scores): ScoresMessage {
  return {
    $typeName: "vademecum.v1.Scores",
    relevance: scores.relevance,
    vector: scores.vector,
    keyword: scores.keyword,
    recency: scores.recency,
    importance: scores.importance,
    novelty: scores.novelty,
    final: scores.final,
    following: scores.following,
    author: scores.author,
    date: scores.date,
    answer: scores.answer,
    mention: scores.mention,
    similarWords: scores.similarWords,
    similarSpelling: scores.similarSpelling,
  };
}

/** Converts the summary of a search that took `durationMs` to its message. */
export function fromSearchSummary(
  { hits, summary }: SearchResult,
  durationMs: number,
): SearchSummaryMessage {
  return {
    $typeName: "vademecum.v1.SearchSummary",
    totalMatches: BigInt(summary.totalMatches),
    returned: hits.length,
    tokensUsed: summary.tokensUsed,
    budgetTokens: summary.budgetTokens,
    omitted: summary.omitted.map(fromOmission),
    omittedCount: BigInt(summary.omittedCount),
    queryDuration: fromMillis(durationMs),
    index: fromSearchIndex(summary.index),
    commitSeq: summary.commitSeq,
    noHitsReason: summary.noHitsReason,
    keywordsOnlyReason: summary.keywordsOnlyReason ?? "",
    gateClosed: summary.gateClosed ?? false,
    weakReturned: summary.weakReturned,
  };
}

/** Converts a match that the result left out to its message. */
export function fromOmission(omission: Omission): OmissionMessage {
  return {
    $typeName: "vademecum.v1.Omission",
    id: omission.id,
    tokens: omission.tokens,
    score: omission.score,
    reason: OmissionReason[omission.reason],
  };
}

/** Converts the name of the index that found the matches. */
export function fromSearchIndex(tier: IndexTier): SearchIndex {
  return tier === "graph" ? SearchIndex.GRAPH : SearchIndex.EXACT;
}
