import { create } from "@bufbuild/protobuf";
import {
  type DeleteSkillRequest,
  type ListSkillsRequest,
  type ListSkillsResponse,
  ListSkillsResponseSchema,
  PruneReason as ProtoPruneReason,
  type PruneStaleRequest,
  type PruneStaleResponse,
  PruneStaleResponseSchema,
  type RetrieveSkillsRequest,
  type RetrieveSkillsResponse,
  RetrieveSkillsResponseSchema,
  type Skill as SkillMessage,
  SkillSchema,
  type StoreSkillRequest,
  type StoreSkillResponse,
  StoreSkillResponseSchema,
  type UpdateSuccessCountRequest,
  type UpdateSuccessCountResponse,
  UpdateSuccessCountResponseSchema,
} from "#gen/vademecum/v1/skill_service_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type {
  DeleteSkillInput,
  KnownSkill,
  ListSkillsQuery,
  PrunedSkill,
  PruneStaleInput,
  RetrievedSkills,
  RetrieveSkillsQuery,
  SkillFilter,
  SkillPage,
  StoredSkill,
  StoreSkillInput,
  SuccessCounts,
  UpdateSuccessCountInput,
} from "../../core/skills/service.js";
import { defaultMinSimilarity, defaultSkillPageSize, defaultTopK } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromMillis } from "./duration.js";
import { fromInstant, toInstant } from "./instant.js";
import { toNamespace } from "./memory.js";
import { toVector } from "./vector.js";

/** Converts a request to store a skill into the input of the core. */
export function toStoreSkillInput(request: StoreSkillRequest): StoreSkillInput {
  const { id, context, lesson, toolName, successCount, failureCount, idempotencyKey } = request;
  const embedding = toVector(request.embedding);
  return dropUndefined<StoreSkillInput>({
    namespace: toNamespace(request.namespace),
    id,
    context,
    lesson,
    toolName,
    embedding,
    successCount: successCount === undefined ? undefined : Number(successCount),
    failureCount: failureCount === undefined ? undefined : Number(failureCount),
    createTime: toInstant(request.createTime),
    lastUsedTime: toInstant(request.lastUsedTime),
    idempotencyKey,
  });
}

/** Converts a search for skills. */
export function toRetrieveSkillsQuery(request: RetrieveSkillsRequest): RetrieveSkillsQuery {
  return dropUndefined<RetrieveSkillsQuery>({
    namespace: toNamespace(request.namespace),
    query: request.query,
    topK: request.topK ?? defaultTopK,
    minSimilarity: request.minSimilarity ?? defaultMinSimilarity,
    toolName: request.toolName,
    queryEmbedding: toVector(request.queryEmbedding),
    includeEmbedding: request.includeEmbedding,
  });
}

/** Converts a request to list skills. */
export function toListSkillsQuery(request: ListSkillsRequest): ListSkillsQuery {
  const { namespace, limit = defaultSkillPageSize, pageToken, includeEmbedding, filter } = request;
  return dropUndefined<ListSkillsQuery>({
    ...{ namespace: toNamespace(namespace), limit, pageToken, includeEmbedding },
    filter:
      filter &&
      dropUndefined<SkillFilter>({
        toolName: filter.toolName,
        minSuccessCount:
          filter.minSuccessCount === undefined ? undefined : Number(filter.minSuccessCount),
        lastUsedBefore: toInstant(filter.lastUsedBefore),
      }),
  });
}

/** Converts a request to delete a skill. */
export function toDeleteSkillInput(request: DeleteSkillRequest): DeleteSkillInput {
  const { namespace, id, idempotencyKey } = request;
  return dropUndefined<DeleteSkillInput>({ namespace: toNamespace(namespace), id, idempotencyKey });
}

/** Converts a request to add to the success and failure counts of a skill. */
export function toUpdateSuccessCountInput(
  request: UpdateSuccessCountRequest,
): UpdateSuccessCountInput {
  const { namespace, id, increment, failureIncrement, idempotencyKey } = request;
  return dropUndefined<UpdateSuccessCountInput>({
    namespace: toNamespace(namespace),
    id,
    increment,
    failureIncrement,
    idempotencyKey,
  });
}

/** Converts a request to prune the stale skills of a namespace. */
export function toPruneStaleInput(request: PruneStaleRequest): PruneStaleInput {
  const { namespace, dryRun, idempotencyKey } = request;
  return dropUndefined<PruneStaleInput>({
    namespace: toNamespace(namespace),
    dryRun,
    idempotencyKey,
  });
}

/** Converts a skill to its message, with the namespace that it was read from. */
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

/** Converts a stored skill to its message. `undefined`: skills are off, and nothing was stored. */
export function fromStoredSkill(
  stored: StoredSkill | undefined,
  namespace: Namespace,
): StoreSkillResponse {
  if (stored === undefined) return create(StoreSkillResponseSchema);
  return create(StoreSkillResponseSchema, {
    skill: fromSkill(stored.known, namespace),
    created: stored.created,
  });
}

/** Converts a page of the skills of a namespace to its message. */
export function fromSkillPage(
  { skills, nextPageToken }: SkillPage,
  namespace: Namespace,
): ListSkillsResponse {
  return create(ListSkillsResponseSchema, {
    skills: skills.map((known) => fromSkill(known, namespace)),
    nextPageToken,
  });
}

/** Converts the counts of a skill to their message. */
export function fromSuccessCounts(counts: SuccessCounts): UpdateSuccessCountResponse {
  const { updated, successCount, failureCount } = counts;
  return create(UpdateSuccessCountResponseSchema, {
    updated,
    successCount: BigInt(successCount),
    failureCount: BigInt(failureCount),
  });
}

/** Converts the skills of a search that took `durationMs` to their message. */
export function fromRetrievedSkills(
  { skills, omittedCount, keywordsOnlyReason = "" }: RetrievedSkills,
  namespace: Namespace,
  durationMs: number,
): RetrieveSkillsResponse {
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

/** Converts the pruned skills to their message. */
export function fromPrunedSkills(pruned: readonly PrunedSkill[]): PruneStaleResponse {
  const removed = pruned.map(({ id, reason }) => ({ id, reason: ProtoPruneReason[reason] }));
  return create(PruneStaleResponseSchema, { removed, removedCount: removed.length });
}
