// Made from the definitions by `npm run generate`: do not edit.
import { create } from "@bufbuild/protobuf";
import { type Namespace, NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { DeleteSkillRequestSchema, type DeleteSkillResponse, ListSkillsRequestSchema, type ListSkillsResponse, PruneStaleRequestSchema, type PruneStaleResponse, RetrieveSkillsRequestSchema, type RetrieveSkillsResponse, SkillService, StoreSkillRequestSchema, type StoreSkillResponse, UpdateSuccessCountRequestSchema, type UpdateSuccessCountResponse } from "#gen/vademecum/v1/skill_service_pb.js";
import type { CallOptions, Calls } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
 *
 * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
 *
 * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
 */
export class Skills {
  readonly #calls: Calls;
  readonly #namespace: Namespace;

  constructor(calls: Calls, userId: string, agentId: string) {
    this.#calls = calls;
    this.#namespace = create(NamespaceSchema, { userId, agentId });
  }

  /** Stores a skill, or replaces the one of the given id. */
  storeSkill(fields: Fields<typeof StoreSkillRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<StoreSkillResponse> {
    return this.#calls.unary(SkillService.method.storeSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count. */
  retrieveSkills(fields: Fields<typeof RetrieveSkillsRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<RetrieveSkillsResponse> {
    return this.#calls.unary(SkillService.method.retrieveSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /** Lists skills, newest first, page by page. That does not count as use. */
  listSkills(fields: Fields<typeof ListSkillsRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<ListSkillsResponse> {
    return this.#calls.unary(SkillService.method.listSkills, { ...fields, namespace: this.#namespace }, options);
  }

  /** Deletes one skill. An id that is not in the namespace is no error: `deleted` is false. */
  deleteSkill(fields: Fields<typeof DeleteSkillRequestSchema, "namespace">, options?: CallOptions): Promise<DeleteSkillResponse> {
    return this.#calls.unary(SkillService.method.deleteSkill, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false. */
  updateSuccessCount(fields: Fields<typeof UpdateSuccessCountRequestSchema, "namespace">, options?: CallOptions): Promise<UpdateSuccessCountResponse> {
    return this.#calls.unary(SkillService.method.updateSuccessCount, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune. */
  pruneStale(fields: Fields<typeof PruneStaleRequestSchema, "namespace"> = {}, options?: CallOptions): Promise<PruneStaleResponse> {
    return this.#calls.unary(SkillService.method.pruneStale, { ...fields, namespace: this.#namespace, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}
