import type { Memory } from "../model/memory.js";
import { originOf } from "../model/memory-version.js";
import { type Namespace, userScope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import { blockVersionKey, memoryVersionKey } from "../model/record-keys.js";
import type { Reader } from "../ports/store.js";
import { type Collection, memoryCollection, vectorTableOf } from "../vectors/collection.js";
import type { BlockRecord, DataRecord, ExportedVector, ProposalRecord } from "./export-record.js";

/** Returns a stored memory as a record, without its vector. */
export function memoryRecordOf(namespace: Namespace, memory: Memory) {
  const { history: _, ...present } = memory;
  return { kind: "memory", namespace, version: { memory: present, ...originOf(memory) } } as const;
}

/** Returns a stored proposal as a record. */
export function proposalRecordOf(userId: string, stored: Proposal): ProposalRecord {
  const { approvedMemory: memory, ...proposal } = stored;
  const namespace = { userId, agentId: stored.agentId };
  const approved = memory && { approvedMemory: memoryRecordOf(namespace, memory).version };
  return { kind: "proposal", userId, proposal, ...approved };
}

/** Reads a version of a block as a record. */
export async function readBlockRecord(
  reader: Reader,
  kind: BlockRecord["kind"],
  { userId, label }: Pick<BlockRecord, "userId" | "label">,
  number: number,
): Promise<BlockRecord | undefined> {
  const key = blockVersionKey(label, number);
  const version = await reader.get("blockVersions", userScope(userId), key);
  return version && { kind, userId, label, version };
}

/** Reads the vector of a memory or skill. `undefined`: it has none. */
export async function readVector(
  reader: Reader,
  namespace: Namespace,
  id: string,
  collection: Collection = memoryCollection,
): Promise<ExportedVector | undefined> {
  const profile = await reader.get("profiles", namespace, collection.profileKey);
  if (profile === undefined) return undefined;
  const values = await reader.get(vectorTableOf(profile, collection), namespace, id);
  return values && { modelId: profile.modelId, values };
}

/**
 * Reads what a store has in the place of a record, without its vector. `undefined`: there is
 * nothing.
 */
export async function readCounterpart(
  reader: Reader,
  record: DataRecord,
): Promise<DataRecord | undefined> {
  switch (record.kind) {
    case "memory": {
      const { namespace, version } = record;
      const memory = await reader.get("memories", namespace, version.memory.id);
      return memory && memoryRecordOf(namespace, memory);
    }
    case "memoryVersion": {
      const { namespace } = record;
      const key = memoryVersionKey(record.version.memory.id, record.version.memory.version);
      const version = await reader.get("memoryVersions", namespace, key);
      return version && { kind: "memoryVersion", namespace, version };
    }
    case "block": {
      const block = await reader.get("blocks", userScope(record.userId), record.label);
      return block && readBlockRecord(reader, "block", record, block.version);
    }
    case "blockVersion":
      return readBlockRecord(reader, "blockVersion", record, record.version.version);
    case "proposal": {
      const { userId, proposal } = record;
      const stored = await reader.get("proposals", userScope(userId), proposal.id);
      return stored && proposalRecordOf(userId, stored);
    }
    case "skill": {
      const { namespace } = record;
      const skill = await reader.get("skills", namespace, record.skill.id);
      const use = await reader.get("skillUses", namespace, record.skill.id);
      return skill && use && { kind: "skill", namespace, skill, use };
    }
    case "key": {
      const { runId, entry } = record;
      const found = await reader.get("keyValues", { kind: "run", runId }, entry.key);
      if (found === undefined) return undefined;
      const { value, version } = found;
      return { kind: "key", runId, entry: { key: entry.key, value, version } };
    }
    case "turnEntry": {
      const { namespace, id } = record;
      const entry = await reader.get("turnEntries", namespace, id);
      return entry && { kind: "turnEntry", namespace, id, entry };
    }
  }
}
