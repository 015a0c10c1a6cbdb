import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Skill, SkillUse } from "../model/skill.js";
import { skillText } from "../model/skill-text.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { replyOnce } from "../requests/idempotency.js";
import { timelineKey } from "../requests/timeline.js";
import { skillCollection, vectorTableOf } from "../vectors/collection.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import {
  type GivenOrMade,
  putVector,
  type StoredVector,
  storedVectorFor,
  storingEmbedder,
} from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import type { SkillServiceParts } from "./parts.js";
import type { StoredSkill, StoreSkillInput } from "./skill-service.js";

/** Stores a skill. A text that a skill of the namespace has already is not embedded again: its vector is taken. */
export async function storeSkill(
  parts: SkillServiceParts,
  input: StoreSkillInput,
  call: Call,
): Promise<StoredSkill> {
  const { namespace, embedding: given } = input;
  if (given !== undefined)
    return putSkill(parts, input, { given, made: noTextVectors }, undefined, call);
  const text = skillText(input);
  const { profile, twinId } = await parts.index.read(namespace, call.signal, (index) => ({
    profile: index.profile,
    twinId: idOfText(index, text),
  }));
  const expected = twinId === undefined ? storingEmbedder(profile, parts.embedders) : undefined;
  return embedTexts([text], expected, call).use(([made]) =>
    putSkill(parts, input, { given, made }, twinId, call),
  );
}

/** `twinId`: of a skill that had the same text. */
async function putSkill(
  parts: SkillServiceParts,
  input: StoreSkillInput,
  vectors: GivenOrMade,
  twinId: string | undefined,
  call: Call,
): Promise<StoredSkill> {
  const { store, embedders, clock, ids, gate, uses } = parts;
  const { namespace, idempotencyKey, ...fields } = input;
  await writesAllowed(gate, namespace, call);
  // The reply tells when the skill that is replaced was used.
  if (input.id !== undefined) await uses.written(namespace);
  const nowMs = clock.nowMs();
  const id = input.id ?? ids.next(nowMs);
  const scope = scopeOf(namespace);
  const request = { namespace, ...fields };
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc: "StoreSkill", idempotencyKey, request, nowMs }, async () => {
      const profile = await tx.get("profiles", namespace, skillCollection.profileKey);
      const twinVector =
        twinId === undefined
          ? undefined
          : await vectorOfTwin(tx, namespace, profile, twinId, skillText(input));
      const stored = twinVector ?? storedVectorFor(namespace, profile, embedders, vectors);
      const before = await tx.get("skills", namespace, id);
      if (before !== undefined && input.id === undefined) throw idCollision();
      const skill = skillOf(input, id, before, tx.commitTimeMs(nowMs));
      const use = (before && (await tx.get("skillUses", namespace, id))) ?? unused(skill);
      tx.put("skills", namespace, id, skill);
      tx.put("skillTimeline", namespace, timelineKey(skill), null);
      tx.put("skillUses", namespace, id, use);
      putVector(tx, namespace, id, stored, profile, skillCollection);
      return { known: { skill, use }, created: before === undefined };
    }),
  );
  return result;
}

/** The id of a skill with a text; `undefined` if there is none. */
function idOfText(index: NamespaceIndex, text: string): string | undefined {
  const { count, rows } = index.candidates({ text: "" });
  for (let i = 0; i < count; i++) {
    const { memory } = index.at(rows[i] as number);
    if (memory.content === text) return memory.id;
  }
  return undefined;
}

/** The vector of a skill, if it still has the text. */
async function vectorOfTwin(
  tx: Transaction,
  namespace: Namespace,
  profile: VectorProfile | undefined,
  twinId: string,
  text: string,
): Promise<StoredVector | undefined> {
  const twin = await tx.get("skills", namespace, twinId);
  if (profile === undefined || twin === undefined || skillText(twin) !== text) return undefined;
  const vector = await tx.get(vectorTableOf(profile, skillCollection), namespace, twinId);
  return vector && { vector, profile };
}

function skillOf(
  { context, lesson, toolName }: StoreSkillInput,
  id: string,
  before: Skill | undefined,
  timeMs: number,
): Skill {
  const createTime = before?.createTime ?? instantOfMillis(timeMs);
  return { id, context, lesson, ...(toolName !== undefined && { toolName }), createTime };
}

function unused({ createTime }: Skill): SkillUse {
  return { successCount: 0, failureCount: 0, lastUsedTime: createTime };
}

function idCollision(): VademecumError {
  return new VademecumError(
    "ABORTED",
    "ID_COLLISION",
    "the id made for this skill is in use; repeat the call",
  );
}
