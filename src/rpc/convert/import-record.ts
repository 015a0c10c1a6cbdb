import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { type Duration, timestampMs } from "@bufbuild/protobuf/wkt";
import { PutBlockRequestSchema } from "#gen/vademecum/v1/block_service_pb.js";
import {
  type ExportedBlock,
  type ExportedMemory,
  type ExportedProposal,
  type ExportedSkill,
  type ExportedTurnEntry,
  type ExportRecord as ExportRecordMessage,
  ExportKind as ProtoExportKind,
} from "#gen/vademecum/v1/export_pb.js";
import { WriteKeyRequestSchema } from "#gen/vademecum/v1/key_value_service_pb.js";
import type { Memory as MemoryMessage } from "#gen/vademecum/v1/memory_pb.js";
import {
  AddRequestSchema,
  ProposeEditRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { Confidence, type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { StoreSkillRequestSchema } from "#gen/vademecum/v1/skill_service_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { type BlockVersion, blockTitle } from "../../core/model/block.js";
import { invalidField } from "../../core/model/errors.js";
import { defaultImportance, type Memory } from "../../core/model/memory.js";
import type { StoredVersion } from "../../core/model/memory-version.js";
import type { Namespace } from "../../core/model/namespace.js";
import { confidences, proposalStatuses, type WholeEdit } from "../../core/model/proposal.js";
import type { TurnEntry } from "../../core/model/turn-entry.js";
import { turnEvents } from "../../core/model/turn-entry.js";
import {
  type DataKind,
  type DataRecord,
  type ExportedVector,
  type ExportRecord,
  exportKinds,
  type MemoryRecord,
  type ProposalRecord,
  type SkillRecord,
} from "../../core/transfer/export-record.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";

/** A record whose kind is set. */
export type SetRecord = Exclude<ExportRecordMessage["record"], { case: undefined }>;

/** Checks messages against the rules of their definitions. */
interface Checker {
  validate<M extends DescMessage>(schema: M, message: MessageShape<M>): void;
}

/**
 * Converts a record. Checks it against the rules that the requests for such records have.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when it breaks one
 */
export function toExportRecord(record: SetRecord, checker: Checker): ExportRecord {
  if (record.case === "header") {
    const { format, productVersion, createTime, kinds, vectors } = record.value;
    const createTimeMs = createTime === undefined ? 0 : timestampMs(createTime);
    const named = exportKinds.filter((kind) => kinds.includes(ProtoExportKind[kind]));
    const header = { format, productVersion, createTimeMs, kinds: named, vectors };
    return { kind: "header", header };
  }
  if (record.case === "trailer") {
    const counts = record.value.counts.map(({ kind, records }) => [kindOf(kind), Number(records)]);
    return { kind: "trailer", counts: new Map(counts as [DataKind, number][]) };
  }
  return new DataReader(checker).read(record);
}

/** Returns a kind from its name in a trailer, such as `memory_version`. */
function kindOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Converts records of users and runs, and checks the rules that their requests have. */
class DataReader {
  constructor(private readonly checker: Checker) {}

  read(record: Exclude<SetRecord, { case: "header" | "trailer" }>): DataRecord {
    switch (record.case) {
      case "memory":
      case "memoryVersion":
        return this.#memory(record.case, record.value);
      case "block":
      case "blockVersion":
        return this.#block(record.case, record.value);
      case "proposal":
        return this.#proposal(record.value);
      case "skill":
        return this.#skill(record.value);
      case "key": {
        const { runId, entry } = record.value;
        const { key, value, version } = present(entry, "entry");
        this.checker.validate(
          WriteKeyRequestSchema,
          create(WriteKeyRequestSchema, { runId, key, value }),
        );
        return { kind: "key", runId, entry: { key, value, version: numberOf(version, "version") } };
      }
      case "turnEntry":
        return this.#turnEntry(record.value);
    }
  }

  #memory(kind: MemoryRecord["kind"], message: ExportedMemory): MemoryRecord {
    const memory = present(message.version?.memory, "version.memory");
    const namespace = this.#namespace(memory);
    const version = this.#version(message, kind === "memoryVersion");
    const vector = kind === "memory" ? vectorOf(memory, message.embeddingModel) : undefined;
    const lastUsedTime = kind === "memory" ? toInstant(memory.lastUsedTime) : undefined;
    return dropUndefined<MemoryRecord>({ kind, namespace, version, lastUsedTime, vector });
  }

  #namespace({ namespace }: Pick<MemoryMessage, "namespace">): Namespace {
    return toNamespace(present(namespace, "namespace"));
  }

  #version({ version, writtenBy }: ExportedMemory, mayBeRedacted: boolean): StoredVersion {
    const {
      memory: message,
      changedBy,
      changeTime,
      proposalId,
      restoredFrom,
      contentHmac,
    } = present(version, "version");
    const memory = present(message, "version.memory");
    const isRedacted = mayBeRedacted && contentHmac !== "";
    this.#checkMemory(memory, isRedacted);
    requireLength("changed_by", changedBy, 512);
    requireLength("proposal_id", proposalId ?? "", 128);
    requireLength("content_hmac", contentHmac, 128);
    return dropUndefined<StoredVersion>({
      memory: this.#memoryOf(memory, writtenBy),
      changedBy,
      changeTime: present(toInstant(changeTime), "change_time"),
      proposalId,
      restoredFrom:
        restoredFrom === undefined ? undefined : numberOf(restoredFrom, "restored_from"),
      contentHmac: isRedacted ? contentHmac : undefined,
    });
  }

  #checkMemory(memory: MemoryMessage, isRedacted: boolean): void {
    const { namespace, content, kind, source, tags, importance, status, memoryType } = memory;
    const { author, threadId, metadata, externalId, supersedes, supersededBy } = memory;
    const request = dropUndefined<MessageInitShape<typeof AddRequestSchema>>({
      namespace,
      // A redacted version has no content.
      content: isRedacted ? "redacted" : content,
      kind: textOrNone(kind),
      source: textOrNone(source),
      ...{ tags, importance, status, memoryType },
      ...{ author, threadId, metadata, externalId, supersedes },
    });
    this.checker.validate(AddRequestSchema, create(AddRequestSchema, request));
    requireUuid(memory.id);
    requireLength("superseded_by", supersededBy ?? "", 128);
  }

  #memoryOf(memory: MemoryMessage, writtenBy: string | undefined): Omit<Memory, "history"> {
    const { id, content, tags, importance, restricted, kind, source, metadata } = memory;
    const { author, threadId, supersedes, supersededBy, externalId } = memory;
    return dropUndefined<Omit<Memory, "history">>({
      ...{ id, content, restricted },
      tags: [...new Set(tags)],
      memoryType: toMemoryType(memory.memoryType) ?? "EPISODIC",
      importance: Number.isFinite(importance) ? importance : defaultImportance,
      status: toMemoryStatus(memory.status) ?? "ACTIVE",
      kind: textOrNone(kind),
      source: textOrNone(source),
      ...{ author, threadId, metadata, supersedes, supersededBy, externalId, writtenBy },
      createTime: present(toInstant(memory.createTime), "create_time"),
      updateTime: present(toInstant(memory.updateTime), "update_time"),
      eventTime: toInstant(memory.eventTime),
      expireTime: toInstant(memory.expireTime),
      version: numberOf(memory.version, "version"),
      tokenCount: 0,
    });
  }

  #block(
    kind: "block" | "blockVersion",
    { userId, label, version: message }: ExportedBlock,
  ): DataRecord {
    const version = present(message, "version");
    const { title, body, schemaRef } = version;
    const request = dropUndefined<MessageInitShape<typeof PutBlockRequestSchema>>({
      userId,
      label,
      title,
      body,
      schemaRef,
    });
    this.checker.validate(PutBlockRequestSchema, create(PutBlockRequestSchema, request));
    requireLength("written_by", version.writtenBy, 512);
    const content = dropUndefined<BlockVersion>({
      body,
      title: title === "" || title === blockTitle(label, { body }) ? undefined : title,
      schemaRef,
      version: numberOf(version.version, "version"),
      tokenCount: 0,
      writtenBy: version.writtenBy,
      writeTime: present(toInstant(version.writeTime), "write_time"),
      proposalId: version.proposalId,
      restoredFrom:
        version.restoredFrom === undefined
          ? undefined
          : numberOf(version.restoredFrom, "restored_from"),
      createSeq: 0,
    });
    return { kind, userId, label, version: content };
  }

  #proposal({
    proposal,
    baseText,
    conflictText,
    approvedMemory,
  }: ExportedProposal): ProposalRecord {
    const message = present(proposal, "proposal");
    const { userId, agentId } = toNamespace(present(message.namespace, "namespace"));
    this.#checkProposal(message);
    const { change, oldString, replaceAll, reasoning, target } = message;
    const whole: WholeEdit | undefined =
      change.case === undefined ? undefined : change.case === "newBody" ? "BODY" : "APPEND";
    const status = proposalStatuses.find((name) => ProposalStatus[name] === message.status);
    const confidence = confidences.find((name) => Confidence[name] === message.confidence);
    const { decisionReason, editedNewString, proposedBy, decidedBy, decidedFor, repeatOf } =
      message;
    const record = dropUndefined<ProposalRecord["proposal"]>({
      id: message.id,
      agentId,
      target:
        target.case === "memoryId"
          ? { kind: "memory", id: target.value }
          : { kind: "block", label: target.value ?? "" },
      whole,
      ...{ oldString, replaceAll, reasoning, baseText, conflictText },
      newString: change.case === undefined ? message.newString : change.value,
      confidence: present(confidence, "confidence"),
      status: present(status, "status"),
      baseVersion: Number(message.baseVersion),
      createTime: present(toInstant(message.createTime), "create_time"),
      expireTime: present(toInstant(message.expireTime), "expire_time"),
      ...{ proposedBy, decidedBy, decidedFor, decisionReason, editedNewString, repeatOf },
      decideTime: toInstant(message.decideTime),
      resultVersion:
        message.resultVersion === undefined ? undefined : Number(message.resultVersion),
    });
    const approved = approvedMemory && { approvedMemory: this.#version(approvedMemory, false) };
    return { kind: "proposal", userId, proposal: record, ...approved };
  }

  #checkProposal(message: Proposal): void {
    const { namespace, target, oldString, newString, reasoning, replaceAll, confidence } = message;
    const { change } = message;
    const request = { namespace, target, oldString, newString, reasoning, replaceAll, confidence };
    this.checker.validate(
      ProposeEditRequestSchema,
      create(ProposeEditRequestSchema, { ...request, change }),
    );
    requireUuid(message.id);
    requireLength("decision_reason", message.decisionReason ?? "", 4096);
    requireLength("edited_new_string", message.editedNewString ?? "", 262_144);
    for (const name of ["proposedBy", "decidedBy", "decidedFor", "repeatOf"] as const)
      requireLength(name, message[name] ?? "", 512);
  }

  #skill({ skill: message, writtenBy }: ExportedSkill): SkillRecord {
    const skill = present(message, "skill");
    const { namespace, id, context, lesson, toolName, successCount, failureCount } = skill;
    const { embedding, embeddingModel } = skill;
    const counts = { successCount, failureCount };
    const request = dropUndefined<MessageInitShape<typeof StoreSkillRequestSchema>>({
      namespace,
      id,
      context,
      lesson,
      toolName,
      embedding,
    });
    this.checker.validate(
      StoreSkillRequestSchema,
      create(StoreSkillRequestSchema, { ...request, ...counts }),
    );
    const vector =
      embedding.length === 0
        ? undefined
        : { modelId: embeddingModel, values: Float32Array.from(embedding) };
    const createTime = present(toInstant(skill.createTime), "create_time");
    return dropUndefined<SkillRecord>({
      kind: "skill",
      namespace: toNamespace(present(namespace, "namespace")),
      skill: dropUndefined<SkillRecord["skill"]>({
        ...{ id, context, lesson, toolName, writtenBy, createTime },
        createSeq: 0,
      }),
      use: {
        successCount: Number(successCount),
        failureCount: Number(failureCount),
        lastUsedTime: present(toInstant(skill.lastUsedTime), "last_used_time"),
      },
      vector,
    });
  }

  #turnEntry({ namespace, id, entry: message }: ExportedTurnEntry): DataRecord {
    const entry = present(message, "entry");
    requireUuid(id);
    const { requestId, taskId, planId, queryId, toolId, toolVersion, queryText, reason } = entry;
    const ids = { requestId, taskId, planId, queryId, toolId, toolVersion };
    for (const [name, value] of Object.entries(ids)) requireLength(name, value, 256);
    requireLength("query_text", queryText, 8192);
    requireLength("reason", reason, 8192);
    const { tokensUsed, returnedResults, duration } = entry;
    return {
      kind: "turnEntry",
      namespace: toNamespace(present(namespace, "namespace")),
      id,
      entry: dropUndefined<TurnEntry>({
        ...{ ...ids, queryText, reason, tokensUsed, returnedResults },
        time: present(toInstant(entry.time), "time"),
        memoryType: toMemoryType(entry.memoryType),
        event: present(
          turnEvents.find((name) => TurnEvent[name] === entry.event),
          "event",
        ),
        durationMs: duration === undefined ? 0 : toMillis(duration),
      }),
    };
  }
}

function vectorOf({ embedding }: MemoryMessage, modelId: string): ExportedVector | undefined {
  if (embedding === undefined || embedding.values.length === 0) return undefined;
  return { modelId, values: Float32Array.from(embedding.values) };
}

/** Converts a duration to milliseconds, with its fraction. */
function toMillis({ seconds, nanos }: Duration): number {
  return (Number(seconds) * 1_000_000_000 + nanos) / 1_000_000;
}

function present<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw invalidField(field, "is required");
  return value;
}

function textOrNone(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function numberOf(value: bigint, field: string): number {
  const number = Number(value);
  if (number >= 1 && Number.isSafeInteger(number)) return number;
  throw invalidField(field, "must be a whole number from 1");
}

function requireUuid(id: string): void {
  if (!uuid.test(id)) throw invalidField("id", "must be a UUID in lower case");
}

function requireLength(name: string, text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) <= maxBytes) return;
  const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw invalidField(field, `must have at most ${maxBytes.toLocaleString("en")} bytes`);
}
