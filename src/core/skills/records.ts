import type { Namespace } from "../model/namespace.js";
import { timelineKey } from "../model/record-keys.js";
import type { Skill } from "../model/skill.js";
import type { Reader, Transaction } from "../ports/store.js";
import { skillCollection, vectorTableOf } from "../vectors/collection.js";
import type { KnownSkill, SkillEmbedding } from "./service.js";

/** Reads a skill with its counts. `undefined`: the namespace has no such skill. */
export async function readSkill(
  reader: Reader,
  namespace: Namespace,
  id: string,
  includeEmbedding: boolean,
): Promise<KnownSkill | undefined> {
  const [skill, use] = await Promise.all([
    reader.get("skills", namespace, id),
    reader.get("skillUses", namespace, id),
  ]);
  if (skill === undefined || use === undefined) return undefined;
  const embedding = includeEmbedding ? await readEmbedding(reader, namespace, id) : undefined;
  return { skill, use, ...(embedding && { embedding }) };
}

async function readEmbedding(
  reader: Reader,
  namespace: Namespace,
  id: string,
): Promise<SkillEmbedding | undefined> {
  const profile = await reader.get("profiles", namespace, skillCollection.profileKey);
  if (profile === undefined) return undefined;
  const vector = await reader.get(vectorTableOf(profile, skillCollection), namespace, id);
  return vector && { vector, modelId: profile.modelId };
}

/** Deletes a skill with its counts, timeline entry and vector. */
export async function removeSkill(
  tx: Transaction,
  namespace: Namespace,
  skill: Skill,
): Promise<void> {
  const profile = await tx.get("profiles", namespace, skillCollection.profileKey);
  tx.delete("skills", namespace, skill.id);
  tx.delete(vectorTableOf(profile, skillCollection), namespace, skill.id);
  tx.delete("skillUses", namespace, skill.id);
  tx.delete("skillTimeline", namespace, timelineKey(skill));
}
