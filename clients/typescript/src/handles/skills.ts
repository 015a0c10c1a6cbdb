// Generated from the definitions by `npm run generate`. Do not edit.
import { create } from "@bufbuild/protobuf";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { DeleteSkillRequestSchema, type DeleteSkillResponse, GetSkillRequestSchema, type GetSkillResponse, ListSkillsRequestSchema, type ListSkillsResponse, PruneStaleRequestSchema, type PruneStaleResponse, RetrieveSkillsRequestSchema, type RetrieveSkillsResponse, SkillService, StoreSkillRequestSchema, type StoreSkillResponse, UpdateSuccessCountRequestSchema, type UpdateSuccessCountResponse } from "#gen/vademecum/v1/skill_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Stores the lessons that agents have learned and retrieves them for a given situation. A worked
 * example: docs/guides/skills.md.
 *
 * A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
 * Mutations take an `idempotency_key`, as in MemoryProvider. No reply reveals skills of another
 * namespace, with one exception: the error QUOTA_EXCEEDED says how many bytes the user would hold
 * after the write.
 *
 * VADEMECUM_SKILLS=off turns the service off. A valid call then succeeds, but stores nothing. Its
 * reply has no skills, and all its flags and counts are false or 0.
 */
export class Skills {
  readonly #calls: Calls;
  readonly #namespace: Namespace;

  constructor(calls: Calls, userId: string, agentId: string) {
    this.#calls = calls;
    this.#namespace = create(NamespaceSchema, { userId, agentId });
  }

  /**
   * Stores a skill, or replaces the skill with the given id. Fails with PERMISSION_DENIED
   * (ROLE_REQUIRED) when another principal stored that skill, and the caller does not have the role
   * `curator`.
   */
  store(fields: Fields<typeof StoreSkillRequestSchema, "namespace", "context" | "lesson">, options?: CallOptions): Promise<StoreSkillResponse> {
    return this.#calls.unary(SkillService.method.storeSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Retrieves the skills for a situation, most similar first. A call counts as a use of the skills
   * that it returns: it sets their last_used_time. It does not change their success_count.
   */
  retrieve(fields: Fields<typeof RetrieveSkillsRequestSchema, "namespace", "query">, options?: CallOptions): Promise<RetrieveSkillsResponse> {
    return this.#calls.unary(SkillService.method.retrieveSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Returns one skill. The call does not count as a use of the skill. On a server with
   * VADEMECUM_SKILLS=off, the reply is empty.
   *
   * Fails with NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.
   */
  get(fields: Fields<typeof GetSkillRequestSchema, "namespace", "id">, options?: CallOptions): Promise<GetSkillResponse> {
    return this.#calls.unary(SkillService.method.getSkill, { ...fields, namespace: this.#namespace }, options);
  }

  /** Lists skills, newest first, page by page. A listing does not count as a use of the skills. */
  list(fields: Fields<typeof ListSkillsRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<ListSkillsResponse> {
    return this.#calls.unary(SkillService.method.listSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /**
   * Deletes one skill. An unknown id is not an error: `deleted` is false. Fails with
   * PERMISSION_DENIED (ROLE_REQUIRED) when another principal stored the skill, and the caller does
   * not have the role `curator`.
   */
  delete(fields: Fields<typeof DeleteSkillRequestSchema, "namespace", "id">, options?: CallOptions): Promise<DeleteSkillResponse> {
    return this.#calls.unary(SkillService.method.deleteSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Adds to the success_count and failure_count of a skill. A call counts as a use of the skill: it
   * sets last_used_time. An unknown id is not an error: `updated` is false.
   */
  updateSuccessCount(fields: Fields<typeof UpdateSuccessCountRequestSchema, "namespace", "id">, options?: CallOptions): Promise<UpdateSuccessCountResponse> {
    return this.#calls.unary(SkillService.method.updateSuccessCount, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Removes the stale skills of a namespace. A skill is stale in two cases:
   *
   * - It has not been used for 90 days.
   * - It is at least 30 days old, and its success_count is 0.
   *
   * The server itself prunes all namespaces at start and once a day, unless it runs with --pruning
   * off. AdminService.Prune prunes all namespaces of a tenant immediately.
   */
  pruneStale(fields: Fields<typeof PruneStaleRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<PruneStaleResponse> {
    return this.#calls.unary(SkillService.method.pruneStale, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}
