import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type ExportedBlock,
  ExportedBlockSchema,
  type ExportedMemory,
  ExportedMemorySchema,
  type ExportRecord as ExportRecordMessage,
  ExportRecordSchema,
  type ExportRequest,
  ExportKind as ProtoExportKind,
} from "#gen/vademecum/v1/export_pb.js";
import type { MovedUsers } from "../../core/backup/service.js";
import type { StoredVersion } from "../../core/model/memory-version.js";
import type { Namespace } from "../../core/model/namespace.js";
import { hasRole, type Principal } from "../../core/model/principal.js";
import {
  type BlockRecord,
  type DataRecord,
  type ExportRecord,
  exportKinds,
  kindName,
  type MemoryRecord,
} from "../../core/transfer/export-record.js";
import type { ExportQuery } from "../../core/transfer/service.js";
import { fromMovedUsers } from "./admin.js";
import { fromBlockVersion } from "./block.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromKeyEntry } from "./key-value.js";
import { fromMemoryVersion } from "./memory-version.js";
import { fromProposal } from "./proposal.js";
import { fromSkill } from "./skill.js";
import { fromTurnEntry } from "./tool.js";

/** Converts a request to export. The patterns of an operator do not limit it. */
export function toExportQuery(
  { users, agents, runs, kinds, vectors }: ExportRequest,
  { principal }: { readonly principal: Principal },
): ExportQuery {
  const everything = { users: ["*"], agents: ["*"], runs: ["*"] };
  const wanted = exportKinds.filter((kind) => kinds.includes(ProtoExportKind[kind]));
  return dropUndefined<ExportQuery>({
    users: listOf(users),
    agents: listOf(agents),
    runs: listOf(runs),
    kinds: wanted.length === 0 ? exportKinds : wanted,
    vectors,
    allowed: hasRole(principal, "operator") ? everything : principal,
  });
}

function listOf(ids: readonly string[]): readonly string[] | undefined {
  return ids.length === 0 ? undefined : ids;
}

/**
 * Converts a record to its message.
 *
 * @param moved the users that an export of all users leaves out; only in the trailer
 */
export function fromExportRecord(record: ExportRecord, moved?: MovedUsers): ExportRecordMessage {
  return create(ExportRecordSchema, { record: partOf(record, moved) });
}

type RecordInit = Required<MessageInitShape<typeof ExportRecordSchema>>["record"];

function partOf(record: ExportRecord, moved: MovedUsers | undefined): RecordInit {
  if (record.kind === "header") {
    const { createTimeMs, kinds, ...header } = record.header;
    const value = {
      ...header,
      createTime: timestampFromMs(createTimeMs),
      kinds: kinds.map((kind) => ProtoExportKind[kind]),
    };
    return { case: "header", value };
  }
  if (record.kind !== "trailer") return dataOf(record);
  const counts = [...record.counts].map(([kind, records]) => ({
    kind: kindName(kind),
    records: BigInt(records),
  }));
  return { case: "trailer", value: { counts, ...(moved && fromMovedUsers(moved)) } };
}

function dataOf(record: DataRecord): RecordInit {
  switch (record.kind) {
    case "memory":
    case "memoryVersion": {
      const { kind, version, namespace, ...present } = record;
      return { case: kind, value: fromVersion(version, namespace, present) };
    }
    case "block":
    case "blockVersion":
      return { case: record.kind, value: fromBlockRecord(record) };
    case "proposal": {
      const { userId, proposal, approvedMemory } = record;
      const namespace = { userId, agentId: proposal.agentId };
      const value = {
        proposal: fromProposal(proposal, userId),
        baseText: proposal.baseText,
        ...(proposal.conflictText !== undefined && { conflictText: proposal.conflictText }),
        ...(approvedMemory && { approvedMemory: fromVersion(approvedMemory, namespace) }),
      };
      return { case: "proposal", value };
    }
    case "skill": {
      const { skill, use, namespace, vector } = record;
      const embedding = vector && { vector: vector.values, modelId: vector.modelId };
      const known = { skill, use, ...(embedding && { embedding }) };
      const { writtenBy } = skill;
      return {
        case: "skill",
        value: { skill: fromSkill(known, namespace), ...writerOf(writtenBy) },
      };
    }
    case "key":
      return { case: "key", value: { runId: record.runId, entry: fromKeyEntry(record.entry) } };
    case "turnEntry": {
      const { namespace, id, entry } = record;
      return { case: "turnEntry", value: { namespace, id, entry: fromTurnEntry(entry) } };
    }
  }
}

function fromVersion(
  version: StoredVersion,
  namespace: Namespace,
  { vector, lastUsedTime }: Pick<MemoryRecord, "vector" | "lastUsedTime"> = {},
): ExportedMemory {
  const embedding = vector && { embedding: Array.from(vector.values) };
  const use = lastUsedTime && { lastUsedTime };
  const memory = { ...version.memory, ...embedding, ...use };
  return create(ExportedMemorySchema, {
    version: fromMemoryVersion({ ...version, memory }, namespace),
    embeddingModel: vector?.modelId ?? "",
    ...writerOf(version.memory.writtenBy),
  });
}

function fromBlockRecord({ userId, label, version }: BlockRecord): ExportedBlock {
  return create(ExportedBlockSchema, { userId, label, version: fromBlockVersion(version, label) });
}

function writerOf(writtenBy: string | undefined): { writtenBy?: string } {
  return writtenBy === undefined ? {} : { writtenBy };
}

/** Estimates the size of a record in a reply, in UTF-16 units of its texts. */
export function textLengthOf(record: ExportRecord): number {
  switch (record.kind) {
    case "memory":
    case "memoryVersion": {
      const { content, metadata } = record.version.memory;
      const values = record.vector?.values.length ?? 0;
      const extra = metadata === undefined ? 0 : JSON.stringify(metadata).length;
      return content.length + extra + 4 * values;
    }
    case "block":
    case "blockVersion":
      return record.version.body.length;
    case "proposal": {
      const { oldString, newString, baseText, conflictText = "" } = record.proposal;
      const { editedNewString = "" } = record.proposal;
      const texts = [oldString, newString, baseText, conflictText, editedNewString];
      return texts.reduce((sum, text) => sum + text.length, 0);
    }
    case "skill": {
      const { skill, vector } = record;
      return skill.context.length + skill.lesson.length + 4 * (vector?.values.length ?? 0);
    }
    case "key":
      return record.entry.key.length + record.entry.value.length;
    case "turnEntry":
      return record.entry.queryText.length + record.entry.reason.length;
    case "header":
    case "trailer":
      return 0;
  }
}
