import { blockOfVersion } from "../blocks/records.js";
import { nextPosition } from "../key-values/write.js";
import { externalIdInUse } from "../memories/external-id.js";
import { insertMemory } from "../memories/records.js";
import { noteTurnChange } from "../memories/thread-records.js";
import { removeVersions } from "../memories/versions.js";
import { invalidField } from "../model/errors.js";
import { compareInstants, type Instant, millisOfInstant } from "../model/instant.js";
import type { Memory, MemoryHistory } from "../model/memory.js";
import { originOf, type StoredVersion } from "../model/memory-version.js";
import { type Namespace, type Scope, userScope } from "../model/namespace.js";
import { hasTexts, type Proposal } from "../model/proposal.js";
import {
  blockVersionKey,
  memoryVersionKey,
  rejectedEditKey,
  timelineKey,
} from "../model/record-keys.js";
import type { Embedders } from "../ports/embedder.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { deleteProposalRecords, putProposal } from "../proposal-records/proposals-by-target.js";
import { deleteTurnEntry, putTurnEntry } from "../tools/turn-log.js";
import { skillCollection } from "../vectors/collection.js";
import type { TextVectors } from "../vectors/text-vectors.js";
import {
  callerModelId,
  profileKey,
  putVector,
  type StoredVector,
  storedVectorFor,
  storingEmbedder,
} from "../vectors/vectors.js";
import type {
  BlockRecord,
  DataRecord,
  ExportedVector,
  KeyRecord,
  MemoryRecord,
  ProposalRecord,
  SkillRecord,
  TurnEntryRecord,
} from "./export-record.js";

/** What the transaction of an import needs besides the records. */
export interface WriteParts {
  readonly embedders: Embedders;
  /** Returns the exact number of tokens of a text. Requires: it was counted beforehand. */
  readonly tokensOf: (text: string) => number;
  /** Returns the vectors of a record's text. */
  readonly vectorsOf: (record: DataRecord) => TextVectors;
  /** Called with the ids of changed proposals. */
  readonly onProposal: (id: string) => unknown;
}

/**
 * Writes a record in the place of another one, or of none. An earlier version goes into the history
 * of its memory or block. Writes nothing if it throws.
 */
export async function writeRecord(
  tx: Transaction,
  record: DataRecord,
  parts: WriteParts,
): Promise<void> {
  switch (record.kind) {
    case "memory":
      return writeMemory(tx, record, parts);
    case "memoryVersion":
      return writeMemoryVersion(tx, record, parts);
    case "block":
      return writeBlock(tx, record, parts);
    case "blockVersion":
      return writeBlockVersion(tx, record, parts);
    case "proposal":
      return writeProposal(tx, record, parts);
    case "skill":
      return writeSkill(tx, record, parts);
    case "key":
      return writeKey(tx, record);
    case "turnEntry":
      return writeTurnEntry(tx, record);
  }
}

async function writeMemory(
  tx: Transaction,
  record: MemoryRecord,
  parts: WriteParts,
): Promise<void> {
  const { namespace, version, vector, lastUsedTime } = record;
  const { id, externalId } = version.memory;
  const owner = externalId && (await tx.get("externalIds", namespace, externalId));
  const other = owner && owner !== id ? await tx.get("memories", namespace, owner) : undefined;
  if (other !== undefined) throw externalIdInUse(other);
  await requireNoCircle(tx, namespace, version.memory);
  const profile = await tx.get("profiles", namespace, profileKey);
  const stored = vectorFor(profile, parts, record, vector, (made) =>
    storedVectorFor(namespace, profile, parts.embedders, { given: undefined, made }),
  );
  const before = await tx.get("memories", namespace, id);
  if (before !== undefined) {
    tx.delete("timeline", namespace, timelineKey(before));
    if (before.externalId !== undefined) tx.delete("externalIds", namespace, before.externalId);
    removeVersions(tx, namespace, before);
    const timeMs = millisOfInstant(version.memory.createTime);
    await noteTurnChange(tx, namespace, { before, after: undefined }, timeMs);
  }
  await insertMemory(tx, namespace, memoryOf(version, parts), stored, profile);
  if (lastUsedTime !== undefined) tx.put("memoryUses", namespace, id, { lastUsedTime });
}

/**
 * Checks that a memory is not its own successor, also through others: reads follow these links.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD)
 */
async function requireNoCircle(
  tx: Transaction,
  namespace: Namespace,
  { id, supersedes, supersededBy }: Memory,
): Promise<void> {
  if (supersedes === id) throw invalidField("supersedes", "must not be the memory itself");
  for (let at = supersededBy; at !== undefined; ) {
    if (at === id) throw invalidField("superseded_by", "must not lead back to the memory itself");
    at = (await tx.get("memories", namespace, at))?.supersededBy;
  }
}

/** Returns the memory of a version, without earlier versions. */
function memoryOf(version: StoredVersion, { tokensOf }: WriteParts): Memory {
  const memory = { ...version.memory, tokenCount: tokensOf(version.memory.content) };
  const history = historyOf(version);
  return history === undefined ? memory : { ...memory, history };
}

/** Returns the history of a memory; `undefined` if no caller has changed it. */
function historyOf(version: StoredVersion): MemoryHistory | undefined {
  const { memory, contentHmac: _, ...origin } = version;
  const first = originOf(memory);
  const isFirst =
    origin.changedBy === first.changedBy &&
    compareInstants(origin.changeTime, first.changeTime) === 0 &&
    origin.proposalId === undefined &&
    origin.restoredFrom === undefined;
  return isFirst ? undefined : { ...origin, kept: [] };
}

async function writeMemoryVersion(
  tx: Transaction,
  { namespace, version }: MemoryRecord,
  { tokensOf }: WriteParts,
): Promise<void> {
  const { id, version: number, content } = version.memory;
  const present = await tx.get("memories", namespace, id);
  if (present === undefined) throw new Error("an earlier version came without its memory");
  const memory = { ...version.memory, tokenCount: tokensOf(content) };
  tx.put("memoryVersions", namespace, memoryVersionKey(id, number), { ...version, memory });
  const kept = new Set([...(present.history?.kept ?? []), number]);
  const history = {
    ...(present.history ?? originOf(present)),
    kept: [...kept].sort((a, b) => a - b),
  };
  tx.put("memories", namespace, id, { ...present, history });
}

async function writeBlock(
  tx: Transaction,
  { userId, label, version }: BlockRecord,
  { tokensOf }: WriteParts,
): Promise<void> {
  const scope = userScope(userId);
  const before = await tx.get("blocks", scope, label);
  for (let number = 1; number <= (before?.version ?? 0); number++)
    tx.delete("blockVersions", scope, blockVersionKey(label, number));
  const createSeq = before?.createSeq ?? tx.head.seq + 1;
  const written = { ...version, tokenCount: tokensOf(version.body), createSeq };
  tx.put("blocks", scope, label, blockOfVersion(label, written));
  tx.put("blockVersions", scope, blockVersionKey(label, version.version), written);
}

async function writeBlockVersion(
  tx: Transaction,
  { userId, label, version }: BlockRecord,
  { tokensOf }: WriteParts,
): Promise<void> {
  const scope = userScope(userId);
  const block = await tx.get("blocks", scope, label);
  if (block === undefined) throw new Error("an earlier version came without its block");
  const { createSeq } = block;
  const written = { ...version, tokenCount: tokensOf(version.body), createSeq };
  tx.put("blockVersions", scope, blockVersionKey(label, version.version), written);
}

async function writeProposal(
  tx: Transaction,
  { userId, proposal, approvedMemory }: ProposalRecord,
  parts: WriteParts,
): Promise<void> {
  const scope = userScope(userId);
  const { id, agentId, target, status } = proposal;
  const before = await tx.get("proposals", scope, id);
  if (before !== undefined) await deleteProposalRecords(tx, scope, before);
  const approved = approvedMemory && { approvedMemory: memoryOf(approvedMemory, parts) };
  const written: Proposal = { ...proposal, ...approved };
  putProposal(tx, scope, written);
  if (status === "REJECTED" && hasTexts(written))
    tx.put("rejectedEdits", scope, rejectedEditKey(agentId, target, written), id);
  parts.onProposal(id);
}

async function writeSkill(tx: Transaction, record: SkillRecord, parts: WriteParts): Promise<void> {
  const { namespace, skill, use, vector } = record;
  const { id } = skill;
  const profile = await tx.get("profiles", namespace, skillCollection.profileKey);
  const stored = vectorFor(profile, parts, record, vector, (made) =>
    storedVectorFor(namespace, profile, parts.embedders, { given: undefined, made }),
  );
  const before = await tx.get("skills", namespace, id);
  if (before !== undefined) tx.delete("skillTimeline", namespace, timelineKey(before));
  const createSeq = before?.createSeq ?? tx.head.seq + 1;
  tx.put("skills", namespace, id, { ...skill, createSeq });
  tx.put("skillTimeline", namespace, timelineKey(skill), null);
  tx.put("skillUses", namespace, id, use);
  putVector(tx, namespace, id, stored, profile, skillCollection);
}

/**
 * Returns the vector of the export, if it is from the model of the namespace; otherwise the vector
 * that `make` returns.
 */
function vectorFor(
  profile: VectorProfile | undefined,
  { embedders, vectorsOf }: WriteParts,
  record: DataRecord,
  given: ExportedVector | undefined,
  make: (made: TextVectors) => StoredVector | undefined,
): StoredVector | undefined {
  if (given === undefined || !isUsable(given, profile, embedders)) return make(vectorsOf(record));
  const { modelId, values } = given;
  return { vector: values, profile: profile ?? { modelId, dimension: values.length } };
}

/** Whether a namespace of a profile can store a vector of an export. */
export function isUsable(
  { modelId, values }: ExportedVector,
  profile: VectorProfile | undefined,
  embedders: Embedders,
): boolean {
  if (profile !== undefined)
    return profile.modelId === modelId && profile.dimension === values.length;
  const embedder = storingEmbedder(undefined, embedders);
  if (modelId === callerModelId) return true;
  return embedder?.modelId === modelId && embedder.dimension === values.length;
}

async function writeKey(tx: Transaction, { runId, entry }: KeyRecord): Promise<void> {
  const scope: Scope = { kind: "run", runId };
  const { key, value, version } = entry;
  const before = await tx.get("keyValues", scope, key);
  const position = before?.position ?? (await nextPosition(tx, scope));
  tx.put("keyValues", scope, key, { value, position, version });
  if (before === undefined) tx.put("keyPositions", scope, position, key);
}

async function writeTurnEntry(
  tx: Transaction,
  { namespace, id, entry }: TurnEntryRecord,
): Promise<void> {
  const before = await tx.get("turnEntries", namespace, id);
  if (before !== undefined) deleteTurnEntry(tx, namespace, id, before);
  putTurnEntry(tx, namespace, id, entry);
}

/** Whether a time has passed. */
export function hasPassed(time: Instant, now: Instant): boolean {
  return compareInstants(time, now) <= 0;
}
