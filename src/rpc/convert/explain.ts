import { create } from "@bufbuild/protobuf";
import {
  type ExplainedMemory as ExplainedMemoryMessage,
  ExplainedMemorySchema,
  type ExplainSearchResponse,
  ExplainSearchResponseSchema,
  type NamedDates,
  NamedDatesSchema,
  QueryReadingSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { OmissionReason, type SearchRequest } from "#gen/vademecum/v1/search_pb.js";
import { invalidField } from "../../core/model/errors.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { Principal } from "../../core/model/principal.js";
import { firstOfMessage } from "../../core/requests/list-page.js";
import type {
  ExplainedMemory,
  QueryReading,
  SearchExplanation,
  SearchQuery,
} from "../../core/search/query/search.js";
import { isoDay } from "../../core/text/day-span.js";
import { fromMillis } from "./duration.js";
import { fromMemory } from "./memory.js";
import { requireSet } from "./require-set.js";
import { fromSearchSummary, toSearchQuery } from "./search.js";

/**
 * Converts the search that a request asks to explain.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when it is not of one namespace
 */
export function toExplainedQuery(
  search: SearchRequest | undefined,
  principal: Principal,
): SearchQuery {
  const given = requireSet(search, "search");
  if (given.userId !== undefined || given.allAgents || given.agentIds.length > 0)
    throw invalidField("search", "must name one namespace, and no other agents");
  return toSearchQuery(given, principal);
}

/** Converts an explained search that took `durationMs`. */
export async function fromSearchExplanation(
  { reading, stages, memories, missingIds, result }: SearchExplanation,
  namespace: Namespace,
  durationMs: number,
): Promise<ExplainSearchResponse> {
  const listed = await firstOfMessage(memories);
  return create(ExplainSearchResponseSchema, {
    reading: fromReading(reading),
    stages: stages.map(({ name, left, dropped, durationMs: stageMs }) => ({
      ...{ name, left: BigInt(left), dropped: BigInt(dropped) },
      ...(stageMs !== undefined && { duration: fromMillis(stageMs) }),
    })),
    memories: listed.map((one) => fromExplainedMemory(one, namespace)),
    missingIds: [...missingIds],
    summary: fromSearchSummary(result, durationMs),
    memoriesLeftOut: memories.length - listed.length,
  });
}

function fromExplainedMemory(
  { memory, stages, tokens, returned, omission, nearCopyOf = "" }: ExplainedMemory,
  namespace: Namespace,
): ExplainedMemoryMessage {
  return create(ExplainedMemorySchema, {
    ...{ memory: fromMemory(memory, namespace), stages: [...stages], tokens, returned, nearCopyOf },
    ...(omission !== undefined && { omission: OmissionReason[omission] }),
  });
}

function fromReading(reading: QueryReading) {
  const { terms, respellings, dates, timeZone, authors, isOnlyAboutAuthors } = reading;
  const { vectorWeight, minRelevance } = reading;
  return create(QueryReadingSchema, {
    terms: terms.map(({ term, memories }) => ({ term, memories: BigInt(memories) })),
    respellings: respellings.map(({ word, terms: stems }) => ({ word, terms: [...stems] })),
    dates: dates.map(fromDates),
    timeZone: timeZone.name,
    ...{ authors: [...authors], onlyAboutAuthors: isOnlyAboutAuthors, vectorWeight, minRelevance },
  });
}

function fromDates({ days, isYearly }: QueryReading["dates"][number]): NamedDates {
  const dayText = (day: number): string => {
    if (!Number.isFinite(day)) return "";
    return isYearly ? isoDay(day).slice(-"MM-DD".length) : isoDay(day);
  };
  const [firstDay, lastDay] = [dayText(days.first), dayText(days.last)];
  return create(NamedDatesSchema, { firstDay, lastDay, everyYear: isYearly });
}
