import { scopeOf } from "../model/namespace.js";
import { idOfTimelineKey } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import { listPage } from "../requests/list-page.js";
import { readSkill } from "./records.js";
import type { ListSkillsQuery, SkillPage, SkillServiceParts } from "./service.js";

/** Lists a page of skills, newest first. */
export async function listSkills(
  { store, uses }: SkillServiceParts,
  { namespace, limit, pageToken, includeEmbedding }: ListSkillsQuery,
  call: Call,
): Promise<SkillPage> {
  await uses.flush(namespace);
  const { items: skills, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: ["ListSkills", namespace],
    table: "skillTimeline",
    owner: namespace,
    reverse: true,
    limit,
    pageToken,
    call,
    toItem: (key, _, snapshot) =>
      readSkill(snapshot, namespace, idOfTimelineKey(key), includeEmbedding),
  });
  return { skills, nextPageToken };
}
