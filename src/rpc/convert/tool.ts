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
import {
  type DeleteToolRequest,
  type GetTurnTraceRequest,
  type ListToolsRequest,
  type ListTurnEntriesRequest,
  type ListTurnsRequest,
  type QueryMemoryRequest,
  type RegisterToolRequest,
  type SubmitToolResponseRequest,
  type TurnSummary as TurnSummaryMessage,
  TurnSummarySchema,
} from "#gen/vademecum/v1/tool_service_pb.js";
import type { MemoryType } from "../../core/model/memory.js";
import type { Namespace } from "../../core/model/namespace.js";
import {
  type MemoryAccess,
  type ToolMemoryType,
  toolMemoryTypes,
} from "../../core/model/tool-manifest.js";
import { type TurnEntry, turnEvents } from "../../core/model/turn-entry.js";
import { excessFault, queriesMax } from "../../core/tools/access.js";
import type {
  DeclaredManifest,
  DeleteToolInput,
  InvalidQuery,
  ListToolsQuery,
  ListTurnEntriesQuery,
  ListTurnsQuery,
  QueryMemoryInput,
  RegisterToolInput,
  ToolQuery,
  ToolResponseInput,
  TurnSummary,
  TurnTraceQuery,
} from "../../core/tools/service.js";
import {
  defaultQueryMemoryBudgetTokens,
  defaultToolPageSize,
  defaultToolQueryBudgetTokens,
  defaultToolQueryLimit,
  defaultTurnEntryPageSize,
  defaultTurnPageSize,
} from "../defaults.js";
import { toNewMemory } from "./add.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromMillis } from "./duration.js";
import { toFilter } from "./filter.js";
import { fromInstant } from "./instant.js";
import { toMemoryType } from "./memory.js";
import { requireSet } from "./require-set.js";

/** Converts a request to register a manifest into the input of the core. */
export function toRegisterToolInput(request: RegisterToolRequest): RegisterToolInput {
  const { idempotencyKey } = request;
  const manifest = toManifest(requireSet(request.manifest, "manifest"));
  return dropUndefined<RegisterToolInput>({ manifest, idempotencyKey });
}

function toManifest({ toolId, version, memoryAccess }: ToolManifestMessage): DeclaredManifest {
  const access = memoryAccess.map(
    ({ memoryType, enabled, write, kinds, tags, maxQueries, maxBudgetTokens }) =>
      dropUndefined<MemoryAccess>({
        memoryType: toToolMemoryType(memoryType),
        enabled,
        write,
        kinds,
        tags,
        maxQueries,
        maxBudgetTokens,
      }),
  );
  return { toolId, version, memoryAccess: access };
}

/** Converts a request to list manifests. */
export function toListToolsQuery(request: ListToolsRequest): ListToolsQuery {
  const { toolId, limit = defaultToolPageSize, pageToken } = request;
  return { toolId, limit, pageToken };
}

/** Converts a request to delete one version of a tool, or all versions. */
export function toDeleteToolInput(request: DeleteToolRequest): DeleteToolInput {
  const { toolId, version, idempotencyKey } = request;
  return dropUndefined<DeleteToolInput>({ toolId, version, idempotencyKey });
}

/** Converts a manifest to its message. */
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

/**
 * Converts the queries of a tool. `faultOf` returns the rule that a query breaks, or `undefined`.
 * It is called only for the first `queriesMax` queries, because no further query runs.
 */
export function toQueryMemoryInput(
  request: QueryMemoryRequest,
  faultOf: (query: ToolQueryMessage) => string | undefined,
): QueryMemoryInput {
  const { requestId, toolId, toolVersion, budgetTokens = defaultQueryMemoryBudgetTokens } = request;
  const queries = request.queries.map((query, at) =>
    toToolQuery(query, at < queriesMax ? faultOf(query) : excessFault(at)),
  );
  return { requestId, toolId, toolVersion, ...toTurn(request), budgetTokens, queries };
}

function toToolQuery(query: ToolQueryMessage, fault: string | undefined): ToolQuery | InvalidQuery {
  const { queryId, queryText } = query;
  if (fault !== undefined) {
    const memoryType = toMemoryType(query.memoryType);
    return dropUndefined<InvalidQuery>({ queryId, memoryType, queryText, fault });
  }
  return dropUndefined<ToolQuery>({
    queryId,
    memoryType: toToolMemoryType(query.memoryType),
    queryText,
    filter: toFilter(query.filter),
    limit: query.limit ?? defaultToolQueryLimit,
    budgetTokens: query.budgetTokens ?? defaultToolQueryBudgetTokens,
    gate: query.gate,
    timeZone: query.timeZone === "" ? undefined : query.timeZone,
  });
}

/** Converts a request of a tool to store memories. */
export function toToolResponseInput(request: SubmitToolResponseRequest): ToolResponseInput {
  const { requestId, toolId, toolVersion, idempotencyKey } = request;
  return dropUndefined<ToolResponseInput>({
    requestId,
    toolId,
    toolVersion,
    ...toTurn(request),
    memoryWrites: request.memoryWrites.map(toNewMemory),
    scratchPageWrites: request.scratchPageWrites.map(toNewMemory),
    idempotencyKey,
  });
}

/** Converts a request for the trace of one request, or of all requests of a task. */
export function toTurnTraceQuery({ userId, agentId, turn }: GetTurnTraceRequest): TurnTraceQuery {
  const namespace = { userId, agentId };
  const id = requireSet(turn.value, "turn");
  return turn.case === "taskId" ? { namespace, taskId: id } : { namespace, requestId: id };
}

/** Converts a request to list the entries of a trace. */
export function toListTurnEntriesQuery(request: ListTurnEntriesRequest): ListTurnEntriesQuery {
  const { trace, limit = defaultTurnEntryPageSize, pageToken } = request;
  return { trace: toTurnTraceQuery(requireSet(trace, "trace")), limit, pageToken };
}

/** Converts a request to list turns. */
export function toListTurnsQuery(request: ListTurnsRequest): ListTurnsQuery {
  const { userId, agentId, events, limit = defaultTurnPageSize, pageToken } = request;
  return {
    namespace: { userId, agentId },
    events: turnEvents.filter((name) => events.includes(ProtoTurnEvent[name])),
    ...{ limit, pageToken },
  };
}

/** Converts what happened in a turn to its message. */
export function fromTurnSummary({
  time,
  durationMs,
  toolIds,
  ...turn
}: TurnSummary): TurnSummaryMessage {
  return create(TurnSummarySchema, {
    ...turn,
    toolIds: [...toolIds],
    time: fromInstant(time),
    duration: fromMillis(durationMs),
  });
}

/** Converts an entry of a trace to its message. */
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

/**
 * Converts a memory type for a message. `undefined`: the request named a type that does not exist.
 */
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
  const { agentId, taskId, planId } = requireSet(agentContext, "agent_context");
  return { namespace: { userId, agentId }, taskId, planId };
}

/** Converts a type of memories. Requires: tools may ask for the type, which validation checks. */
function toToolMemoryType(type: ProtoMemoryType): ToolMemoryType {
  return requireSet(
    toolMemoryTypes.find((name) => ProtoMemoryType[name] === type),
    "memory_type",
  );
}
