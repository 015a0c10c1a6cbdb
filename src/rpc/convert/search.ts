import { create } from "@bufbuild/protobuf";
import {
  type Omission as OmissionMessage,
  OmissionReason,
  OmissionSchema,
  type RankingWeights as RankingWeightsMessage,
  type SearchHit as SearchHitMessage,
  SearchHitSchema,
  SearchIndex,
  SearchOrder,
  type SearchRequest,
  type SearchSummary as SearchSummaryMessage,
  SearchSummarySchema,
} from "#gen/vademecum/v1/search_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { IndexTier } from "../../core/ports/search-index.js";
import {
  defaultWeights,
  type Omission,
  type RankingWeights,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from "../../core/search/search.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromMillis } from "./duration.js";
import { toFilter } from "./filter.js";
import { toInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";
import { toVector } from "./vector.js";

/** Converts a search request into the query of the core. */
export function toSearchQuery(request: SearchRequest): SearchQuery {
  return dropUndefined<SearchQuery>({
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
    minCommitSeq: request.minCommitSeq,
    includeSuperseded: request.includeSuperseded,
  });
}

function toWeights(weights: RankingWeightsMessage | undefined): RankingWeights {
  return {
    recency: weights?.recency ?? defaultWeights.recency,
    importance: weights?.importance ?? defaultWeights.importance,
    novelty: weights?.novelty ?? defaultWeights.novelty,
  };
}

/** Converts a hit to its message, with the namespace that its memory was read from. */
export function fromSearchHit(
  { memory, scores, tokens, excerpt }: SearchHit,
  namespace: Namespace,
): SearchHitMessage {
  return create(SearchHitSchema, {
    memory: fromMemory(memory, namespace),
    scores,
    tokens,
    excerpt,
  });
}

/** Converts the summary of a search that took `durationMs` to its message. */
export function fromSearchSummary(
  { hits, summary }: SearchResult,
  durationMs: number,
): SearchSummaryMessage {
  return create(SearchSummarySchema, {
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
  });
}

/** Converts a match that the result left out to its message. */
export function fromOmission({ reason, ...omission }: Omission): OmissionMessage {
  return create(OmissionSchema, { ...omission, reason: OmissionReason[reason] });
}

/** Converts the name of the index that found the matches. */
export function fromSearchIndex(tier: IndexTier): SearchIndex {
  return tier === "graph" ? SearchIndex.GRAPH : SearchIndex.EXACT;
}
