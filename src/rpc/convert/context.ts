import { create } from "@bufbuild/protobuf";
import {
  type BlocksSection,
  type BuildContextRequest,
  type BuildContextResponse,
  BuildContextResponseSchema,
  type ContextSection,
  type KeysSection,
  type MemoriesSection,
  ContextFormat as ProtoContextFormat,
  ContextSectionKind as ProtoSectionKind,
  type RecentSection,
  type SkillsSection,
} from "#gen/vademecum/v1/context_pb.js";
import { OmissionReason, SearchOrder } from "#gen/vademecum/v1/search_pb.js";
import {
  type BuiltContext,
  type ContextQuery,
  type ContextSections,
  contextFormats,
  type SectionLimits,
} from "../../core/context/service.js";
import { defaultWeights } from "../../core/search/query/search.js";
import { defaultContextSkills, defaultContextTurns, defaultMinSimilarity } from "../defaults.js";
import { toFilter } from "./filter.js";
import { toInstant } from "./instant.js";
import { toNamespace } from "./memory.js";
import { toWeights } from "./search.js";
import { toVector } from "./vector.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Converts a request to build a context into the query of the core. */
export function toContextQuery(request: BuildContextRequest): ContextQuery {
  const { query, budgetTokens, timeZone, minCommitSeq, annotate = true, format } = request;
  return {
    ...{ namespace: toNamespace(request.namespace), query, budgetTokens },
    sections: toSections(request),
    format: contextFormats.find((name) => ProtoContextFormat[name] === format) ?? "MARKDOWN",
    referenceTime: toInstant(request.referenceTime),
    timeZone: timeZone === "" ? undefined : timeZone,
    ...{ minCommitSeq, annotates: annotate },
  };
}

function toSections({ sections, threadId }: BuildContextRequest): ContextSections {
  const result: Mutable<ContextSections> = {};
  for (const section of sections) Object.assign(result, toSection(section));
  if (sections.length === 0)
    Object.assign(result, {
      BLOCKS: { labels: [] },
      SKILLS: toSkills({}),
      MEMORIES: { filter: {}, order: "RELEVANCE", weights: defaultWeights },
    } satisfies ContextSections);
  if (threadId !== undefined) result.RECENT ??= toRecent({ threadId });
  return result;
}

function toSection({ section, minTokens, maxTokens }: ContextSection): ContextSections {
  const limits: SectionLimits = { minTokens, maxTokens };
  switch (section.case) {
    case "blocks":
      return { BLOCKS: { ...limits, ...toBlocks(section.value) } };
    case "skills":
      return { SKILLS: { ...limits, ...toSkills(section.value) } };
    case "keys":
      return { KEYS: { ...limits, ...toKeys(section.value) } };
    case "memories":
      return { MEMORIES: { ...limits, ...toMemories(section.value) } };
    case "recent":
      return { RECENT: { ...limits, ...toRecent(section.value) } };
    case undefined:
      return {};
  }
}

function toBlocks({ labels }: BlocksSection) {
  return { labels };
}

function toSkills({
  topK = defaultContextSkills,
  minSimilarity = defaultMinSimilarity,
  toolName,
}: Partial<SkillsSection>) {
  return { topK, minSimilarity, toolName };
}

function toKeys({ runId, keys }: KeysSection) {
  return { runId, keys };
}

function toMemories(section: MemoriesSection) {
  const { limit, minRelevance, gate } = section;
  return {
    ...{ limit, minRelevance, gate },
    filter: toFilter(section.filter),
    order: section.order === SearchOrder.NEWEST_FIRST ? "NEWEST_FIRST" : "RELEVANCE",
    weights: toWeights(section.weights),
    queryEmbedding: toVector(section.queryEmbedding),
  } as const;
}

function toRecent({
  threadId,
  maxTurns = defaultContextTurns,
}: Pick<RecentSection, "threadId"> & Partial<RecentSection>) {
  return { threadId, maxTurns };
}

/** Converts a context to its message. */
export function fromBuiltContext(built: BuiltContext): BuildContextResponse {
  const { text, tokenCount, stablePrefixTokens, sections, commitSeq, runCommitSeq } = built;
  return create(BuildContextResponseSchema, {
    ...{ text, tokenCount, stablePrefixTokens, commitSeq },
    sections: sections.map((section) => ({
      kind: ProtoSectionKind[section.kind],
      tokens: section.tokens,
      items: [...section.items],
      omitted: section.omitted.map(({ id, tokens, reason }) => ({
        ...{ id, tokens, reason: OmissionReason[reason] },
      })),
      omittedCount: BigInt(section.omittedCount),
      noItemsReason: section.noItemsReason ?? "",
      keywordsOnlyReason: section.keywordsOnlyReason ?? "",
    })),
    ...(runCommitSeq !== undefined && { runCommitSeq }),
  });
}
