import { create } from "@bufbuild/protobuf";
import { type AddRequest, type AddResponse, AddResponseSchema, type AddTraceRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Added, AddInput, AddTraceInput } from "../../core/memories/memory-service.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";
import { present } from "./present.js";
import { required } from "./required.js";
import { toVector } from "./vector.js";

/** The user that traces belong to when the request names none. */
const traceUserId = "system";

export function toAddInput(request: AddRequest): AddInput {
  return present<AddInput>({
    namespace: toNamespace(request.namespace),
    content: request.content,
    memoryType: toMemoryType(request.memoryType),
    kind: request.kind,
    tags: request.tags,
    importance: request.importance,
    status: toMemoryStatus(request.status),
    restricted: request.restricted,
    source: request.source,
    author: request.author,
    threadId: request.threadId,
    metadata: request.metadata,
    eventTime: toInstant(request.eventTime),
    expireTime: toInstant(request.expireTime),
    supersedes: request.supersedes,
    embedding: toVector(request.embedding),
    idempotencyKey: request.idempotencyKey,
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
