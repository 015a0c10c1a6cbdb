import {
  NearCopies,
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
import { invalidField } from "../../core/model/errors.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { IdPatterns, Principal } from "../../core/model/principal.js";
import type { IndexTier } from "../../core/ports/search-index.js";
import {
  type AgentChoice,
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

/**
 * Converts a search request into the query of the core.
 *
 * @param principal the caller, whose patterns say what `all_agents` means
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the fields about agents do not fit together
 */
export function toSearchQuery(request: SearchRequest, { agents }: Principal): SearchQuery {
  const { userId } = request;
  return {
    namespace: userId === undefined ? toNamespace(request.namespace) : { userId, agentId: "" },
    agents: toAgentChoice(request, agents),
    query: request.query,
    limit: request.limit,
    budgetTokens: request.budgetTokens,
    filter: toFilter(request.filter),
    order: request.order === SearchOrder.NEWEST_FIRST ? "NEWEST_FIRST" : "RELEVANCE",
    minRelevance: request.minRelevance,
    gate: request.gate,
    weights: toWeights(request.weights, defaultWeightsOf(request)),
    queryEmbedding: toVector(request.queryEmbedding),
    referenceTime: toInstant(request.referenceTime),
    timeZone: request.timeZone === "" ? undefined : request.timeZone,
    minCommitSeq: request.minCommitSeq,
    includeSuperseded: request.includeSuperseded,
    excludedIds: request.excludeIds.length === 0 ? undefined : new Set(request.excludeIds),
    keepsNearCopies: request.nearCopies === NearCopies.KEEP,
    annotates: request.annotate,
  };
}

function toAgentChoice(
  { userId, agentIds, allAgents, weights }: SearchRequest,
  allowed: IdPatterns,
): AgentChoice | undefined {
  if (!allAgents && agentIds.length === 0) {
    if (userId === undefined) return undefined;
    throw invalidField("user_id", "needs agent_ids or all_agents; or set namespace instead");
  }
  if (allAgents && agentIds.length > 0)
    throw invalidField("all_agents", "must be false if agent_ids is set");
  if ((weights?.novelty ?? 0) > 0)
    throw invalidField("weights.novelty", "must be 0 for a search over several agents");
  return allAgents ? { allowed } : { ids: agentIds };
}

function defaultWeightsOf({ query, queryEmbedding, minRelevance }: SearchRequest): RankingWeights {
  const isNearest = query.trim() === "" && queryEmbedding.length > 0 && minRelevance === 0;
  return isNearest ? noWeights : defaultWeights;
}

/** Converts the weights of a ranking. */
export function toWeights(
  weights: RankingWeightsMessage | undefined,
  defaults: RankingWeights = defaultWeights,
): RankingWeights {
  return {
    recency: weights?.recency ?? defaults.recency,
    importance: weights?.importance ?? defaults.importance,
    novelty: weights?.novelty ?? defaults.novelty,
  };
}

/** The default weights of a query for the nearest vectors. */
const noWeights: RankingWeights = { recency: 0, importance: 0, novelty: 0 };

/** Converts a hit to its message. `namespace` is that of the query. */
export function fromSearchHit(
  { memory, scores, rank, weak, tokens, excerpt, agentId }: SearchHit,
  namespace: Namespace,
): SearchHitMessage {
  const owner = agentId === undefined ? namespace : { userId: namespace.userId, agentId };
  return {
    $typeName: "vademecum.v1.SearchHit",
    memory: fromMemory(memory, owner),
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
  return tier === "near" ? SearchIndex.NEAR : SearchIndex.EXACT;
}
