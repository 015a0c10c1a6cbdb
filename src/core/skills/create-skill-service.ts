import { deleteSkill } from "./delete-skill.js";
import { listSkills } from "./list-skills.js";
import type { SkillServiceParts } from "./parts.js";
import { pruneStale } from "./prune-stale.js";
import { retrieveSkills } from "./retrieve-skills.js";
import type { SkillService } from "./skill-service.js";
import { storeSkill } from "./store-skill.js";
import { updateSuccessCount } from "./update-success-count.js";

/** Skills over the given store, index and embedders. */
export function createSkillService(parts: SkillServiceParts): SkillService {
  return {
    store: (input, call) => storeSkill(parts, input, call),
    retrieve: (query, call) => retrieveSkills(parts, query, call),
    list: (query, call) => listSkills(parts, query, call),
    delete: (input) => deleteSkill(parts, input),
    updateSuccessCount: (input) => updateSuccessCount(parts, input),
    pruneStale: (input, call) => pruneStale(parts, input, call),
  };
}

/** Skills that are off: whatever is asked, there are none, and nothing is stored. */
export function createSkillServiceThatIsOff(): SkillService {
  return {
    store: async () => undefined,
    retrieve: async () => ({ skills: [], omittedCount: 0 }),
    list: async () => ({ skills: [], nextPageToken: "" }),
    delete: async () => ({ deleted: false }),
    updateSuccessCount: async () => ({ updated: false, successCount: 0, failureCount: 0 }),
    pruneStale: async () => [],
  };
}
