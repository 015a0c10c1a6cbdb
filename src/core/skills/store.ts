import { invalidField, VademecumError } from "../model/errors.js";
import { compareInstants, type Instant, instantOfMillis } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import { timelineKey } from "../model/record-keys.js";
import type { Skill, SkillUse } from "../model/skill.js";
import { skillText } from "../model/skill-text.js";
import { requireWriter, writerOf } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { mutate } from "../requests/mutate.js";
import { laterOf } from "../requests/use-times.js";
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
import { readSkill } from "./records.js";
import type { KnownSkill, SkillServiceParts, StoredSkill, StoreSkillInput } from "./service.js";

/**
 * Stores a skill, or replaces the skill with its id. If a stored skill of the namespace has the
 * same text, copies the vector of that skill and does not embed the text again. A vector from the
 * caller takes precedence.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not replace the skill
 */
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

/**
 * Writes the skill in one transaction. `twinId` is the id of a skill that had the same text before
 * the transaction.
 */
async function putSkill(
  parts: SkillServiceParts,
  input: StoreSkillInput,
  vectors: GivenOrMade,
  twinId: string | undefined,
  call: Call,
): Promise<StoredSkill> {
  const { embedders, clock, ids, gate, uses } = parts;
  const { namespace } = input;
  await writesAllowed(gate, namespace, call);
  // The reply contains the last use of the replaced skill, so the store must have that time first.
  if (input.id !== undefined) await uses.flush(namespace);
  const nowMs = clock.nowMs();
  let known: KnownSkill | undefined;
  // A new skill has these counts without them, so a repetition may have them or not.
  const compared = { successCount: 0, failureCount: 0, ...input };
  const mutation = {
    ...{ rpc: "StoreSkill", target: namespace, nowMs, allowance: call.allowance },
    input: compared,
    async stands(tx: Transaction, reply: SkillReply) {
      known = await readSkill(tx, namespace, reply.id, false);
      return known?.skill.createSeq === reply.createSeq;
    },
  };
  const { created } = await mutate<SkillReply>(parts, mutation, async (tx) => {
    const profile = await tx.get("profiles", namespace, skillCollection.profileKey);
    const twinVector =
      twinId === undefined
        ? undefined
        : await vectorOfTwin(tx, namespace, profile, twinId, skillText(input));
    const stored = twinVector ?? storedVectorFor(namespace, profile, embedders, vectors);
    const timeMs = tx.commitTimeMs(nowMs);
    const id = input.id ?? ids.next(timeMs);
    const before = await tx.get("skills", namespace, id);
    if (before !== undefined && input.id === undefined) throw idCollision();
    if (before !== undefined) requireWriter(call.principal, before, "id", "skill");
    const written = { timeMs, seq: tx.head.seq + 1, ...writerOf(call.principal.name) };
    const skill = skillOf(input, id, before, written);
    const usedSoFar = (before && (await tx.get("skillUses", namespace, id))) ?? initialUse(skill);
    const use = requireTimes(skill, useOf(input, skill, usedSoFar), instantOfMillis(timeMs));
    // The order of skills is that of their times.
    if (before !== undefined) tx.delete("skillTimeline", namespace, timelineKey(before));
    tx.put("skills", namespace, id, skill);
    tx.put("skillTimeline", namespace, timelineKey(skill), null);
    tx.put("skillUses", namespace, id, use);
    putVector(tx, namespace, id, stored, profile, skillCollection);
    known = { skill, use };
    return { id, createSeq: skill.createSeq, created: before === undefined };
  });
  return { known: known as KnownSkill, created };
}

/** The stored reply. A repetition returns the skill as it is now. */
interface SkillReply {
  readonly id: string;
  readonly createSeq: number;
  readonly created: boolean;
}

/** Returns the id of a skill with this text. */
function idOfText(index: NamespaceIndex, text: string): string | undefined {
  const { count, rows } = index.candidates({ text: "" });
  for (let i = 0; i < count; i++) {
    const { memory } = index.at(rows[i] as Row);
    if (memory.content === text) return memory.id;
  }
  return undefined;
}

/** Returns the vector of a skill, if the skill still has the text. */
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
  { context, lesson, toolName, createTime: given }: StoreSkillInput,
  id: string,
  before: Skill | undefined,
  { timeMs, seq, ...writer }: Pick<Skill, "writtenBy"> & { timeMs: number; seq: number },
): Skill {
  const createTime = given ?? before?.createTime ?? instantOfMillis(timeMs);
  const createSeq = before?.createSeq ?? seq;
  const tool = toolName !== undefined && { toolName };
  return { id, context, lesson, ...tool, ...writer, createTime, createSeq };
}

function initialUse({ createTime }: Skill): SkillUse {
  return { successCount: 0, failureCount: 0, lastUsedTime: createTime };
}

/** Returns the counts and the last use of a skill after the call. */
function useOf(input: StoreSkillInput, { createTime }: Skill, known: SkillUse): SkillUse {
  const { successCount, failureCount, lastUsedTime: given } = input;
  // A skill whose time of creation changes was not used before it.
  const lastUsedTime = given ?? laterOf(known.lastUsedTime, createTime);
  return {
    successCount: successCount ?? known.successCount,
    failureCount: failureCount ?? known.failureCount,
    lastUsedTime,
  };
}

function requireTimes({ createTime }: Skill, use: SkillUse, now: Instant): SkillUse {
  if (compareInstants(createTime, now) > 0)
    throw invalidField("create_time", "must not be in the future");
  if (compareInstants(use.lastUsedTime, now) > 0)
    throw invalidField("last_used_time", "must not be in the future");
  if (compareInstants(use.lastUsedTime, createTime) < 0)
    throw invalidField("last_used_time", "must not be before create_time");
  return use;
}

function idCollision(): VademecumError {
  return new VademecumError(
    "ABORTED",
    "ID_COLLISION",
    "the id made for this skill is in use; repeat the call",
  );
}
