import { scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import { idOfTimelineKey } from "../requests/timeline.js";
import type { SkillServiceParts } from "./parts.js";
import { readSkill } from "./skill-records.js";
import type { KnownSkill, ListSkillsQuery, SkillPage } from "./skill-service.js";

/** Lists a page of skills, newest first. */
export async function listSkills(
  { store, uses }: SkillServiceParts,
  query: ListSkillsQuery,
  call: Call,
): Promise<SkillPage> {
  const { namespace, limit, pageToken, includeEmbedding } = query;
  await uses.written(namespace);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["ListSkills", namespace] };
  const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
  const entries = async function* (): AsyncGenerator<readonly [string, KnownSkill]> {
    for await (const [key] of snapshot.scan("skillTimeline", namespace, {
      reverse: true,
      ...after,
    })) {
      call.throwIfEnded();
      const known = await readSkill(snapshot, namespace, idOfTimelineKey(key), includeEmbedding);
      if (known !== undefined) yield [key, known];
    }
  };
  const { items: skills, nextPageToken } = await readPage(entries(), limit, binding);
  return { skills, nextPageToken };
}
