import { VademecumError } from "../model/errors.js";
import { compareInstants } from "../model/instant.js";
import { scopeOf } from "../model/namespace.js";
import { idOfTimelineKey } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import { listPage } from "../requests/list-page.js";
import { readSkill } from "./records.js";
import type {
  GetSkillQuery,
  KnownSkill,
  ListSkillsQuery,
  SkillFilter,
  SkillPage,
  SkillServiceParts,
} from "./service.js";

/** Reads one skill. */
export async function getSkill(
  { store, uses }: SkillServiceParts,
  { namespace, id, includeEmbedding }: GetSkillQuery,
): Promise<KnownSkill> {
  await uses.flush(namespace);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const known = await readSkill(snapshot, namespace, id, includeEmbedding);
  if (known === undefined)
    throw new VademecumError("NOT_FOUND", "SKILL_NOT_FOUND", `skill '${id}' not found`);
  return known;
}

function passes(
  { skill, use }: KnownSkill,
  { toolName = skill.toolName, minSuccessCount = 0, lastUsedBefore }: SkillFilter,
): boolean {
  const isUnused =
    lastUsedBefore === undefined || compareInstants(use.lastUsedTime, lastUsedBefore) < 0;
  return skill.toolName === toolName && use.successCount >= minSuccessCount && isUnused;
}

/** Lists a page of skills, newest first. */
export async function listSkills(
  { store, uses }: SkillServiceParts,
  { namespace, limit, pageToken, includeEmbedding, filter = {} }: ListSkillsQuery,
  call: Call,
): Promise<SkillPage> {
  await uses.flush(namespace);
  const { items: skills, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: ["ListSkills", namespace, filter],
    table: "skillTimeline",
    owner: namespace,
    reverse: true,
    limit,
    pageToken,
    call,
    toItem: async (key, _, snapshot) => {
      const id = idOfTimelineKey(key);
      const known = await readSkill(snapshot, namespace, id, includeEmbedding);
      return known !== undefined && passes(known, filter) ? known : undefined;
    },
  });
  return { skills, nextPageToken };
}
