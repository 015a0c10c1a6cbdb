import { create } from "@bufbuild/protobuf";
import {
  type AddRequest,
  type AddResponse,
  AddResponseSchema,
  type AddTraceRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryWrite } from "#gen/vademecum/v1/tool_pb.js";
import type {
  Added,
  AddInput,
  AddTraceInput,
  NewMemory,
} from "../../core/memories/memory-service.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";
import { present } from "./present.js";
import { required } from "./required.js";
import { toVector } from "./vector.js";

/** The user that traces belong to when the request names none. */
const traceUserId = "system";

export function toAddInput(request: AddRequest): AddInput {
  const { source, supersedes, idempotencyKey } = request;
  return present<AddInput>({
    ...toNewMemory(request),
    namespace: toNamespace(request.namespace),
    source,
    supersedes,
    idempotencyKey,
  });
}

/** What all memories to store have in common. */
export function toNewMemory(given: AddRequest | MemoryWrite): NewMemory {
  return present<NewMemory>({
    content: given.content,
    memoryType: toMemoryType(given.memoryType),
    kind: given.kind,
    tags: given.tags,
    importance: given.importance,
    status: toMemoryStatus(given.status),
    restricted: given.restricted,
    author: given.author,
    threadId: given.threadId,
    metadata: given.metadata,
    eventTime: toInstant(given.eventTime),
    expireTime: toInstant(given.expireTime),
    embedding: toVector(given.embedding),
  });
}

export function toAddTraceInput(request: AddTraceRequest): AddTraceInput {
  return present<AddTraceInput>({
    namespace: { userId: request.userId ?? traceUserId, agentId: request.agentId },
    workflowId: request.workflowId,
    traceData: required(request.traceData, "trace_data"),
    threadId: request.threadId,
    eventTime: toInstant(request.eventTime),
    idempotencyKey: request.idempotencyKey,
  });
}

export function fromAdded({ id, commitSeq, nearDuplicates }: Added): AddResponse {
  return create(AddResponseSchema, { id, commitSeq, nearDuplicates: [...nearDuplicates] });
}
