import { create } from "@bufbuild/protobuf";
import {
  DeleteSkillResponseSchema,
  ListSkillsResponseSchema,
  SkillService as SkillServiceDescriptor,
  StoreSkillResponseSchema,
  UpdateSuccessCountResponseSchema,
} from "#gen/vademecum/v1/skill_service_pb.js";
import type {
  DeleteSkillInput,
  PruneStaleInput,
  SkillService,
  UpdateSuccessCountInput,
} from "../../core/skills/skill-service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { toNamespace } from "../convert/memory.js";
import { present } from "../convert/present.js";
import {
  fromPrunedSkills,
  fromRetrievedSkills,
  fromSkill,
  toListSkillsQuery,
  toRetrieveSkillsQuery,
  toStoreSkillInput,
} from "../convert/skill.js";

/** The RPCs of `vademecum.v1.SkillService` over the domain. */
export function createSkillRpcs(skills: SkillService): Implementation {
  return implement(SkillServiceDescriptor, {
    storeSkill: async (request, call) => {
      const input = toStoreSkillInput(request);
      const stored = await skills.store(input, call);
      if (stored === undefined) return create(StoreSkillResponseSchema);
      return create(StoreSkillResponseSchema, {
        skill: fromSkill(stored.known, input.namespace),
        created: stored.created,
      });
    },
    retrieveSkills: async (request, call) => {
      const query = toRetrieveSkillsQuery(request);
      const startMs = performance.now();
      const retrieved = await skills.retrieve(query, call);
      return fromRetrievedSkills(retrieved, query.namespace, performance.now() - startMs);
    },
    listSkills: async (request, call) => {
      const query = toListSkillsQuery(request);
      const { skills: listed, nextPageToken } = await skills.list(query, call);
      return create(ListSkillsResponseSchema, {
        skills: listed.map((known) => fromSkill(known, query.namespace)),
        nextPageToken,
      });
    },
    deleteSkill: async ({ namespace, id, idempotencyKey }, call) => {
      const input = present<DeleteSkillInput>({
        namespace: toNamespace(namespace),
        id,
        idempotencyKey,
      });
      return create(DeleteSkillResponseSchema, await skills.delete(input, call));
    },
    updateSuccessCount: async (
      { namespace, id, increment, failureIncrement, idempotencyKey },
      call,
    ) => {
      const fields = {
        namespace: toNamespace(namespace),
        id,
        increment,
        failureIncrement,
        idempotencyKey,
      };
      const { updated, successCount, failureCount } = await skills.updateSuccessCount(
        present<UpdateSuccessCountInput>(fields),
        call,
      );
      const counts = { successCount: BigInt(successCount), failureCount: BigInt(failureCount) };
      return create(UpdateSuccessCountResponseSchema, { updated, ...counts });
    },
    pruneStale: async ({ namespace, dryRun, idempotencyKey }, call) => {
      const input = present<PruneStaleInput>({
        namespace: toNamespace(namespace),
        dryRun,
        idempotencyKey,
      });
      return fromPrunedSkills(await skills.pruneStale(input, call));
    },
  });
}
