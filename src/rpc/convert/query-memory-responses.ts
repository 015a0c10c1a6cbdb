import { create } from "@bufbuild/protobuf";
import { type QueryResult, TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import {
  type QueryMemoryResponse,
  QueryMemoryResponseSchema,
} from "#gen/vademecum/v1/tool_service_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { QueryOutcome } from "../../core/tools/service.js";
import { fromMemory } from "./memory.js";
import { fromOmission, fromSearchIndex } from "./search.js";
import { splitHits } from "./search-responses.js";
import { fromToolMemoryType } from "./tool.js";

/**
 * Converts the outcome of a query to one or more messages. Only the last message has the counts.
 */
export function* fromQueryOutcome(
  outcome: QueryOutcome,
  namespace: Namespace,
): Generator<QueryMemoryResponse> {
  const { queryId, result, durationMs, event, reason } = outcome;
  const { hits, summary } = result;
  const memoryType = fromToolMemoryType(outcome.memoryType);
  for (const batch of splitHits(hits)) {
    const results = batch.hits.map(({ memory, scores, tokens, excerpt }) => {
      return { memory: fromMemory(memory, namespace), score: scores.final, tokens, excerpt };
    });
    if (!batch.isLast) {
      yield create(QueryMemoryResponseSchema, {
        result: { queryId, memoryType, results, continued: true },
      });
      continue;
    }
    const counts = {
      totalResults: BigInt(summary.totalMatches),
      returnedResults: hits.length,
      tokensUsed: summary.tokensUsed,
      budgetTokens: summary.budgetTokens ?? 0,
      omitted: summary.omitted.map(fromOmission),
      omittedCount: BigInt(summary.omittedCount),
    };
    const searchMetadata = {
      queryTimeMs: durationMs,
      rankingScores: hits.map(({ scores }) => scores.final),
      index: fromSearchIndex(summary.index),
      gateClosed: summary.gateClosed ?? false,
    };
    yield create(QueryMemoryResponseSchema, {
      result: {
        ...{ queryId, memoryType, results, ...counts, searchMetadata, reason },
        outcome: TurnEvent[event],
      },
    });
  }
}

/** Converts the outcome of a query to one result. */
export function fromWholeOutcome(outcome: QueryOutcome, namespace: Namespace): QueryResult {
  const results: QueryResult["results"] = [];
  let last: QueryResult | undefined;
  for (const { result } of fromQueryOutcome(outcome, namespace)) {
    results.push(...(result?.results ?? []));
    last = result;
  }
  return { ...(last as QueryResult), results };
}
