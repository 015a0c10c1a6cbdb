import { create } from "@bufbuild/protobuf";
import {
  type ListSkillsRequest,
  PruneReason as ProtoPruneReason,
  PruneStaleResponseSchema,
  type RetrieveSkillsRequest,
  RetrieveSkillsResponseSchema,
  type Skill as SkillMessage,
  SkillSchema,
  type StoreSkillRequest,
} from "#gen/vademecum/v1/skill_service_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type {
  KnownSkill,
  ListSkillsQuery,
  PrunedSkill,
  RetrievedSkills,
  RetrieveSkillsQuery,
  StoreSkillInput,
} from "../../core/skills/skill-service.js";
import { fromMillis } from "./duration.js";
import { fromInstant } from "./instant.js";
import { toNamespace } from "./memory.js";
import { present } from "./present.js";
import { toVector } from "./vector.js";

/** What a retrieval returns when the request does not say. */
const defaultTopK = 5;
const defaultMinSimilarity = 0.7;

/** Skills a page has when the request does not say. */
const defaultPageSize = 10;

export function toStoreSkillInput(request: StoreSkillRequest): StoreSkillInput {
  const { id, context, lesson, toolName, idempotencyKey } = request;
  const embedding = toVector(request.embedding);
  return present<StoreSkillInput>({
    namespace: toNamespace(request.namespace),
    id,
    context,
    lesson,
    toolName,
    embedding,
    idempotencyKey,
  });
}

export function toRetrieveSkillsQuery(request: RetrieveSkillsRequest): RetrieveSkillsQuery {
  return present<RetrieveSkillsQuery>({
    namespace: toNamespace(request.namespace),
    query: request.query,
    topK: request.topK ?? defaultTopK,
    minSimilarity: request.minSimilarity ?? defaultMinSimilarity,
    toolName: request.toolName,
    queryEmbedding: toVector(request.queryEmbedding),
    includeEmbedding: request.includeEmbedding,
  });
}

export function toListSkillsQuery({
  namespace,
  limit,
  pageToken,
  includeEmbedding,
}: ListSkillsRequest): ListSkillsQuery {
  return {
    namespace: toNamespace(namespace),
    limit: limit ?? defaultPageSize,
    pageToken,
    includeEmbedding,
  };
}

/** A skill as the API returns it, with the namespace that it was read from. */
export function fromSkill(
  { skill, use, embedding }: KnownSkill,
  namespace: Namespace,
): SkillMessage {
  return create(SkillSchema, {
    id: skill.id,
    namespace,
    context: skill.context,
    lesson: skill.lesson,
    toolName: skill.toolName,
    successCount: BigInt(use.successCount),
    failureCount: BigInt(use.failureCount),
    createTime: fromInstant(skill.createTime),
    lastUsedTime: fromInstant(use.lastUsedTime),
    embedding: embedding === undefined ? [] : [...embedding.vector],
    embeddingModel: embedding?.modelId ?? "",
  });
}

/** `durationMs`: what the retrieval took, in milliseconds. */
export function fromRetrievedSkills(
  { skills, omittedCount, keywordsOnlyReason = "" }: RetrievedSkills,
  namespace: Namespace,
  durationMs: number,
) {
  const found = skills.map(({ similarity, ...known }) => ({
    skill: fromSkill(known, namespace),
    similarity,
  }));
  return create(RetrieveSkillsResponseSchema, {
    skills: found,
    omittedCount,
    keywordsOnlyReason,
    queryDuration: fromMillis(durationMs),
  });
}

export function fromPrunedSkills(pruned: readonly PrunedSkill[]) {
  const removed = pruned.map(({ id, reason }) => ({ id, reason: ProtoPruneReason[reason] }));
  return create(PruneStaleResponseSchema, { removed, removedCount: removed.length });
}
