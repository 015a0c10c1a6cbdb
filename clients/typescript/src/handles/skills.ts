// Generated from the definitions by `npm run generate`. Do not edit.
import { create } from "@bufbuild/protobuf";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { DeleteSkillRequestSchema, type DeleteSkillResponse, ListSkillsRequestSchema, type ListSkillsResponse, PruneStaleRequestSchema, type PruneStaleResponse, RetrieveSkillsRequestSchema, type RetrieveSkillsResponse, SkillService, StoreSkillRequestSchema, type StoreSkillResponse, UpdateSuccessCountRequestSchema, type UpdateSuccessCountResponse } from "#gen/vademecum/v1/skill_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Stores the lessons that agents have learned and retrieves them for a given situation. A worked
 * example: docs/skills.md.
 *
 * A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable. Every
 * mutation takes an `idempotency_key`, as in MemoryProvider. The id of a skill in another namespace
 * and an unknown id give the same answer.
 *
 * When the server runs with VADEMECUM_SKILLS=off, every well-formed call is answered as if there
 * were no skills: empty, false or zero. Nothing is stored.
 */
export class Skills {
  readonly #calls: Calls;
  readonly #namespace: Namespace;

  constructor(calls: Calls, userId: string, agentId: string) {
    this.#calls = calls;
    this.#namespace = create(NamespaceSchema, { userId, agentId });
  }

  /** Stores a skill, or replaces the skill with the given id. */
  storeSkill(fields: Fields<typeof StoreSkillRequestSchema, "namespace", "context" | "lesson">, options?: CallOptions): Promise<StoreSkillResponse> {
    return this.#calls.unary(SkillService.method.storeSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Retrieves skills for a situation, best first. This counts as use of the returned skills: it
   * sets their last_used_time, but not their success_count.
   */
  retrieveSkills(fields: Fields<typeof RetrieveSkillsRequestSchema, "namespace", "query">, options?: CallOptions): Promise<RetrieveSkillsResponse> {
    return this.#calls.unary(SkillService.method.retrieveSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /** Lists skills, newest first, page by page. Listing does not count as use. */
  listSkills(fields: Fields<typeof ListSkillsRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<ListSkillsResponse> {
    return this.#calls.unary(SkillService.method.listSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /** Deletes one skill. An unknown id is not an error: `deleted` is false. */
  deleteSkill(fields: Fields<typeof DeleteSkillRequestSchema, "namespace", "id">, options?: CallOptions): Promise<DeleteSkillResponse> {
    return this.#calls.unary(SkillService.method.deleteSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Records that a skill helped, or that it did not. This counts as use. An unknown id is not an
   * error: `updated` is false.
   */
  updateSuccessCount(fields: Fields<typeof UpdateSuccessCountRequestSchema, "namespace", "id">, options?: CallOptions): Promise<UpdateSuccessCountResponse> {
    return this.#calls.unary(SkillService.method.updateSuccessCount, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Removes the stale skills of a namespace: skills not used for 90 days or more, and skills that
   * are 30 days old or more and have no success. The server prunes all namespaces at start and once
   * a day (--pruning). AdminService.Prune prunes all namespaces now.
   */
  pruneStale(fields: Fields<typeof PruneStaleRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<PruneStaleResponse> {
    return this.#calls.unary(SkillService.method.pruneStale, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}
