import type { Call } from "../call.js";
import { scopeOf } from "../namespace.js";
import { type PageEntry, readPage } from "../page.js";
import type { PageBinding } from "../page-token.js";
import { idOfTimelineKey } from "../timeline.js";
import type { SkillServiceParts } from "./parts.js";
import { readSkill } from "./skill-records.js";
import type { KnownSkill, ListSkillsQuery, SkillPage } from "./skill-service.js";

/** Lists a page of skills, newest first. */
export async function listSkills({ store, uses }: SkillServiceParts, query: ListSkillsQuery, call: Call): Promise<SkillPage> {
  const { namespace, limit, pageToken, includeEmbedding } = query;
  await uses.written(namespace);
  const snapshot = await store.snapshot(scopeOf(namespace));
  const read = async (key: string): Promise<PageEntry<KnownSkill> | undefined> => {
    const known = await readSkill(snapshot, namespace, idOfTimelineKey(key), includeEmbedding);
    return known && { record: known, bytes: bytesOf(known) };
  };
  try {
    const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["ListSkills", namespace] };
    const request = { binding, limit, pageToken };
    const { records, nextPageToken } = await readPage(request, (range) => snapshot.scan("skillTimeline", namespace, range), read, call);
    return { skills: records, nextPageToken };
  } finally {
    await snapshot.close();
  }
}

function bytesOf({ skill, use, embedding }: KnownSkill): number {
  return Buffer.byteLength(JSON.stringify([skill, use])) + (embedding?.vector.byteLength ?? 0);
}
