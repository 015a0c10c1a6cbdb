import {
  AddOutcome as AddOutcomeMessage,
  type AddRequest,
  type AddResponse,
  type AddTraceRequest,
  OnConflict as OnConflictMessage,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryWrite } from "#gen/vademecum/v1/tool_pb.js";
import type {
  AddInput,
  AddOutcome,
  AddResult,
  AddTraceInput,
  NewMemory,
  OnConflict,
} from "../../core/memories/service.js";
import { invalidField } from "../../core/model/errors.js";
import { defaultTraceUserId } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";
import { requireSet } from "./require-set.js";
import { toVector } from "./vector.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Converts a request to store a memory into the input of the core.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when `on_conflict` is set without an `external_id`
 */
export function toAddInput(request: AddRequest): AddInput {
  const { source, supersedes, externalId, idempotencyKey, content, tags, restricted } = request;
  const onConflict = toOnConflict(request.onConflict);
  const namespace = toNamespace(request.namespace);
  const input: Mutable<AddInput> = { namespace, content, tags, restricted };
  setOptionalFields(input, request);
  if (source !== undefined) input.source = source;
  if (supersedes !== undefined) input.supersedes = supersedes;
  if (externalId !== undefined) input.externalId = externalId;
  else if (onConflict !== undefined)
    throw invalidField("on_conflict", "needs an external_id; set one, or leave on_conflict out");
  if (onConflict !== undefined) input.onConflict = onConflict;
  if (idempotencyKey !== undefined) input.idempotencyKey = idempotencyKey;
  return input;
}

/** Converts `on_conflict`. Returns `undefined` for the default. */
function toOnConflict(onConflict: OnConflictMessage): OnConflict | undefined {
  if (onConflict === OnConflictMessage.REPLACE) return "REPLACE";
  return onConflict === OnConflictMessage.KEEP ? "KEEP" : undefined;
}

/** Converts the fields that every message with a new memory has. */
export function toNewMemory(message: MemoryWrite): NewMemory {
  const { content, tags, restricted } = message;
  const memory: Mutable<NewMemory> = { content, tags, restricted };
  setOptionalFields(memory, message);
  return memory;
}

/**
 * Sets the fields that a message has. An unset field stays absent. Each field is named, because a
 * copy of the whole message would cost much more.
 */
function setOptionalFields(memory: Mutable<NewMemory>, message: AddRequest | MemoryWrite): void {
  const { kind, importance, author, threadId, metadata } = message;
  const memoryType = toMemoryType(message.memoryType);
  const status = toMemoryStatus(message.status);
  const eventTime = toInstant(message.eventTime);
  const expireTime = toInstant(message.expireTime);
  const embedding = toVector(message.embedding);
  if (memoryType !== undefined) memory.memoryType = memoryType;
  if (kind !== undefined) memory.kind = kind;
  if (importance !== undefined) memory.importance = importance;
  if (status !== undefined) memory.status = status;
  if (author !== undefined) memory.author = author;
  if (threadId !== undefined) memory.threadId = threadId;
  if (metadata !== undefined) memory.metadata = metadata;
  if (eventTime !== undefined) memory.eventTime = eventTime;
  if (expireTime !== undefined) memory.expireTime = expireTime;
  if (embedding !== undefined) memory.embedding = embedding;
}

/** Converts a request to store the trace of a workflow run. */
export function toAddTraceInput(request: AddTraceRequest): AddTraceInput {
  return dropUndefined<AddTraceInput>({
    namespace: { userId: request.userId ?? defaultTraceUserId, agentId: request.agentId },
    workflowId: request.workflowId,
    traceData: requireSet(request.traceData, "trace_data"),
    threadId: request.threadId,
    eventTime: toInstant(request.eventTime),
    idempotencyKey: request.idempotencyKey,
  });
}

/** Converts the outcome of Add to its message. */
export function fromAddResult({ id, outcome, commitSeq, nearDuplicates }: AddResult): AddResponse {
  return {
    $typeName: "vademecum.v1.AddResponse",
    id,
    commitSeq,
    nearDuplicates: nearDuplicates.map((one) => ({
      $typeName: "vademecum.v1.NearDuplicate",
      id: one.id,
      relevance: one.relevance,
    })),
    outcome: fromAddOutcome(outcome),
  };
}

/** Converts what a write did. */
export function fromAddOutcome(outcome: AddOutcome): AddOutcomeMessage {
  return AddOutcomeMessage[outcome];
}
