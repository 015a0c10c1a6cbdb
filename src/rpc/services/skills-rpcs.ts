import { create } from "@bufbuild/protobuf";
import {
  DeleteSkillResponseSchema,
  GetSkillResponseSchema,
  SkillService as SkillServiceDescriptor,
} from "#gen/vademecum/v1/skill_service_pb.js";
import type { SkillService } from "../../core/skills/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { toNamespace } from "../convert/memory.js";
import {
  fromPrunedSkills,
  fromRetrievedSkills,
  fromSkill,
  fromSkillPage,
  fromStoredSkill,
  fromSuccessCounts,
  toDeleteSkillInput,
  toListSkillsQuery,
  toPruneStaleInput,
  toRetrieveSkillsQuery,
  toStoreSkillInput,
  toUpdateSuccessCountInput,
} from "../convert/skill.js";
import { measure } from "./measure.js";

/** Creates the RPCs of `vademecum.v1.SkillService`. */
export function createSkillsRpcs(skills: SkillService): Implementation {
  return implement(SkillServiceDescriptor, {
    storeSkill: async (request, call) => {
      const input = toStoreSkillInput(request);
      return fromStoredSkill(await skills.store(input, call), input.namespace);
    },
    retrieveSkills: async (request, call) => {
      const query = toRetrieveSkillsQuery(request);
      const { result, durationMs } = await measure(() => skills.retrieve(query, call));
      return fromRetrievedSkills(result, query.namespace, durationMs);
    },
    getSkill: async ({ namespace: named, id, includeEmbedding }) => {
      const namespace = toNamespace(named);
      const known = await skills.get({ namespace, id, includeEmbedding });
      const skill = known && fromSkill(known, namespace);
      return create(GetSkillResponseSchema, skill === undefined ? {} : { skill });
    },
    listSkills: async (request, call) => {
      const query = toListSkillsQuery(request);
      return fromSkillPage(await skills.list(query, call), query.namespace);
    },
    deleteSkill: async (request, call) =>
      create(DeleteSkillResponseSchema, await skills.delete(toDeleteSkillInput(request), call)),
    updateSuccessCount: async (request, call) =>
      fromSuccessCounts(await skills.updateSuccessCount(toUpdateSuccessCountInput(request), call)),
    pruneStale: async (request, call) =>
      fromPrunedSkills(await skills.pruneStale(toPruneStaleInput(request), call)),
  });
}
