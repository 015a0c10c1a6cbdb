import { create } from "@bufbuild/protobuf";
import { MemoryType as ProtoMemoryType } from "#gen/vademecum/v1/memory_pb.js";

import {
  type AgentContext,
  TurnEvent as ProtoTurnEvent,
  type ToolManifest as ToolManifestMessage,
  ToolManifestSchema,
  type ToolQuery as ToolQueryMessage,
  type TurnEntry as TurnEntryMessage,
  TurnEntrySchema,
} from "#gen/vademecum/v1/tool_pb.js";
import type {
  GetTurnTraceRequest,
  QueryMemoryRequest,
  SubmitToolResponseRequest,
} from "#gen/vademecum/v1/tool_service_pb.js";
import type { MemoryType } from "../../core/model/memory.js";
import type { Namespace } from "../../core/model/namespace.js";
import {
  type MemoryAccess,
  type ToolMemoryType,
  toolMemoryTypes,
} from "../../core/model/tool-manifest.js";
import type { TurnEntry } from "../../core/model/turn-entry.js";
import type {
  DeclaredManifest,
  InvalidQuery,
  QueryMemoryInput,
  ToolQuery,
  ToolResponseInput,
  TurnTraceQuery,
} from "../../core/tools/tool-service.js";
import { toNewMemory } from "./add.js";
import { fromMillis } from "./duration.js";
import { toFilter } from "./filter.js";
import { fromInstant } from "./instant.js";
import { toMemoryType } from "./memory.js";
import { present } from "./present.js";
import { required } from "./required.js";

/** Results that a query has when it does not say. */
const defaultLimit = 10;

/** Tokens that a query asks for when it does not say, and those of all queries of a request. */
const defaultBudgetTokens = 500;
const defaultRequestBudgetTokens = 1_000;

export function toManifest({
  toolId,
  version,
  memoryAccess,
}: ToolManifestMessage): DeclaredManifest {
  const access = memoryAccess.map(
    ({ memoryType, enabled, kinds, tags, maxQueries, maxBudgetTokens }) =>
      present<MemoryAccess>({
        memoryType: toToolMemoryType(memoryType),
        enabled,
        kinds,
        tags,
        maxQueries,
        maxBudgetTokens,
      }),
  );
  return { toolId, version, memoryAccess: access };
}

export function fromManifest({
  toolId,
  version,
  memoryAccess,
}: DeclaredManifest): ToolManifestMessage {
  const access = memoryAccess.map(({ memoryType, kinds, tags, ...limits }) => {
    return {
      ...limits,
      memoryType: ProtoMemoryType[memoryType],
      kinds: [...kinds],
      tags: [...tags],
    };
  });
  return create(ToolManifestSchema, { toolId, version, memoryAccess: access });
}

/** `faultOf` tells which rule a query breaks, if it breaks one. */
export function toQueryMemoryInput(
  request: QueryMemoryRequest,
  faultOf: (query: ToolQueryMessage) => string | undefined,
): QueryMemoryInput {
  const { requestId, toolId, toolVersion, budgetTokens = defaultRequestBudgetTokens } = request;
  const queries = request.queries.map((query) => toToolQuery(query, faultOf(query)));
  return { requestId, toolId, toolVersion, ...toTurn(request), budgetTokens, queries };
}

function toToolQuery(query: ToolQueryMessage, fault: string | undefined): ToolQuery | InvalidQuery {
  const { queryId, queryText, limit = defaultLimit, budgetTokens = defaultBudgetTokens } = query;
  if (fault !== undefined)
    return present<InvalidQuery>({
      queryId,
      memoryType: toMemoryType(query.memoryType),
      queryText,
      fault,
    });
  return {
    queryId,
    memoryType: toToolMemoryType(query.memoryType),
    queryText,
    filter: toFilter(query.filter),
    limit,
    budgetTokens,
  };
}

export function toToolResponseInput(request: SubmitToolResponseRequest): ToolResponseInput {
  const { requestId, toolId, idempotencyKey } = request;
  return present<ToolResponseInput>({
    requestId,
    toolId,
    ...toTurn(request),
    memoryWrites: request.memoryWrites.map(toNewMemory),
    scratchPageWrites: request.scratchPageWrites.map(toNewMemory),
    idempotencyKey,
  });
}

export function toTurnTraceQuery({ userId, agentId, turn }: GetTurnTraceRequest): TurnTraceQuery {
  const namespace = { userId, agentId };
  const named = required(turn.value, "turn");
  return turn.case === "taskId" ? { namespace, taskId: named } : { namespace, requestId: named };
}

export function fromTurnEntry({
  time,
  memoryType,
  event,
  durationMs,
  ...entry
}: TurnEntry): TurnEntryMessage {
  return create(TurnEntrySchema, {
    ...entry,
    time: fromInstant(time),
    memoryType: fromToolMemoryType(memoryType),
    event: ProtoTurnEvent[event],
    duration: fromMillis(durationMs),
  });
}

/** A type that may be none of those that there are. */
export function fromToolMemoryType(type: MemoryType | undefined): ProtoMemoryType {
  return type === undefined ? ProtoMemoryType.UNSPECIFIED : ProtoMemoryType[type];
}

function toTurn({
  userId,
  agentContext,
}: {
  readonly userId: string;
  readonly agentContext?: AgentContext | undefined;
}): {
  readonly namespace: Namespace;
  readonly taskId: string;
  readonly planId: string;
} {
  const { agentId, taskId, planId } = required(agentContext, "agent_context");
  return { namespace: { userId, agentId }, taskId, planId };
}

/** REQUIRES: one that tools may ask for, as validation sees to. */
function toToolMemoryType(type: ProtoMemoryType): ToolMemoryType {
  return required(
    toolMemoryTypes.find((name) => ProtoMemoryType[name] === type),
    "memory_type",
  );
}
