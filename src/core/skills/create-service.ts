import { pruneStale } from "./prune-stale.js";
import { getSkill, listSkills } from "./read.js";
import { retrieveSkills } from "./retrieve.js";
import type { SkillService, SkillServiceParts } from "./service.js";
import { storeSkill } from "./store.js";
import { deleteSkill, updateSuccessCount } from "./write.js";

/** Creates the use cases of skills. */
export function createSkillService(parts: SkillServiceParts): SkillService {
  return {
    store: (input, call) => storeSkill(parts, input, call),
    retrieve: (query, call) => retrieveSkills(parts, query, call),
    get: (query) => getSkill(parts, query),
    list: (query, call) => listSkills(parts, query, call),
    delete: (input, call) => deleteSkill(parts, input, call),
    updateSuccessCount: (input, call) => updateSuccessCount(parts, input, call.allowance),
    pruneStale: (input, call) => pruneStale(parts, input, call),
  };
}

/** The use cases of a server whose skills are off. They store nothing and find nothing. */
export const disabledSkillService: SkillService = {
  store: async () => undefined,
  retrieve: async () => ({ skills: [], omittedCount: 0 }),
  get: async () => undefined,
  list: async () => ({ skills: [], nextPageToken: "" }),
  delete: async () => ({ deleted: false }),
  updateSuccessCount: async () => ({ updated: false, successCount: 0, failureCount: 0 }),
  pruneStale: async () => [],
};
