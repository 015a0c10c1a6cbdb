import type {
  AddRequest,
  AddResponse,
  AddTraceRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryWrite } from "#gen/vademecum/v1/tool_pb.js";
import type { AddInput, AddResult, AddTraceInput, NewMemory } from "../../core/memories/service.js";
import { defaultTraceUserId } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";
import { requireSet } from "./require-set.js";
import { toVector } from "./vector.js";

/** Converts a request to store a memory into the input of the core. */
export function toAddInput(request: AddRequest): AddInput {
  const { source, supersedes, idempotencyKey } = request;
  return dropUndefined<AddInput>({
    ...toNewMemory(request),
    namespace: toNamespace(request.namespace),
    source,
    supersedes,
    idempotencyKey,
  });
}

/** Converts the fields that every message with a new memory has. */
export function toNewMemory(message: AddRequest | MemoryWrite): NewMemory {
  return dropUndefined<NewMemory>({
    content: message.content,
    memoryType: toMemoryType(message.memoryType),
    kind: message.kind,
    tags: message.tags,
    importance: message.importance,
    status: toMemoryStatus(message.status),
    restricted: message.restricted,
    author: message.author,
    threadId: message.threadId,
    metadata: message.metadata,
    eventTime: toInstant(message.eventTime),
    expireTime: toInstant(message.expireTime),
    embedding: toVector(message.embedding),
  });
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
export function fromAddResult({ id, commitSeq, nearDuplicates }: AddResult): AddResponse {
  return {
    $typeName: "vademecum.v1.AddResponse",
    id,
    commitSeq,
    nearDuplicates: nearDuplicates.map((one) => ({
      $typeName: "vademecum.v1.NearDuplicate",
      id: one.id,
      relevance: one.relevance,
    })),
  };
}
