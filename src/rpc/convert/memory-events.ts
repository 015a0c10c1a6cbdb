import { toJson } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  MemoryEventKind,
  type MemoryEvent as MemoryEventMessage,
  MemoryEventSchema,
  type WatchMemoriesRequest,
  type WatchMemoriesResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  MemoryEvent,
  WatchedEvents,
  WatchedMemories,
} from "../../core/memory-events/service.js";
import type { JsonValue } from "../../core/model/json.js";
import type { Principal } from "../../core/model/principal.js";
import { fromMemory, toNamespace } from "./memory.js";

/** Converts a request to watch memories. The caller may then see the agents of its rights. */
export function toWatchedMemories(
  { namespace, userId, afterCommitSeq, idsOnly, heartbeat }: WatchMemoriesRequest,
  call: { readonly principal: Principal },
): WatchedMemories {
  return {
    ...(userId === undefined ? toNamespace(namespace) : { userId }),
    // A getter, because the rights of the caller may change during a watch.
    get agents() {
      return call.principal.agents;
    },
    ...(afterCommitSeq !== undefined && { afterCommitSeq }),
    idsOnly,
    ...(heartbeat && { heartbeatMs: durationMs(heartbeat) }),
  };
}

/** Converts changes of a user's memories to the JSON of their messages. */
export function memoryEventsJson(events: readonly MemoryEvent[], userId: string): JsonValue {
  return events.map((event) => toJson(MemoryEventSchema, fromMemoryEvent(event, userId)));
}

/** Converts some changes of a user's memories to their message. */
export function fromWatchedEvents(
  { events, commitSeq }: WatchedEvents,
  userId: string,
): WatchMemoriesResponse {
  return {
    $typeName: "vademecum.v1.WatchMemoriesResponse",
    events: events.map((event) => fromMemoryEvent(event, userId)),
    commitSeq,
  };
}

function fromMemoryEvent(
  { kind, agentId, id = "", memory, commitSeq }: MemoryEvent,
  userId: string,
): MemoryEventMessage {
  return {
    $typeName: "vademecum.v1.MemoryEvent",
    kind: MemoryEventKind[kind],
    agentId,
    id,
    memory: memory && fromMemory(memory, { userId, agentId }),
    commitSeq,
  };
}
