import {
  type Memory as MemoryMessage,
  type Namespace as NamespaceMessage,
  MemoryStatus as ProtoMemoryStatus,
  MemoryType as ProtoMemoryType,
} from "#gen/vademecum/v1/memory_pb.js";
import type { AgentsOfUser, MemoryName, ReadMemory } from "../../core/memories/service.js";
import { invalidField } from "../../core/model/errors.js";
import {
  type MemoryStatus,
  type MemoryType,
  memoryStatuses,
  memoryTypes,
} from "../../core/model/memory.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { Principal } from "../../core/model/principal.js";
import { fromInstant, fromOptionalInstant } from "./instant.js";
import { fromJsonObject } from "./json.js";
import { requireSet } from "./require-set.js";

/**
 * Converts a memory type. Returns `undefined` for MEMORY_TYPE_UNSPECIFIED, which means the default.
 */
export function toMemoryType(type: ProtoMemoryType | undefined): MemoryType | undefined {
  return memoryTypes.find((name) => ProtoMemoryType[name] === type);
}

/**
 * Converts the status of a memory. Returns `undefined` for MEMORY_STATUS_UNSPECIFIED, which means
 * the default.
 */
export function toMemoryStatus(status: ProtoMemoryStatus | undefined): MemoryStatus | undefined {
  return memoryStatuses.find((name) => ProtoMemoryStatus[name] === status);
}

/**
 * Converts the owner of one memory: a namespace, or a user whose agents the caller may name.
 * Requires: one of them is set, which validation checks.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when a user has no id of a memory with it
 */
export function toOwner(
  {
    namespace,
    userId,
    externalId,
  }: {
    readonly namespace?: NamespaceMessage | undefined;
    readonly userId?: string | undefined;
    readonly externalId?: string | undefined;
  },
  { agents: allowed }: Principal,
): Namespace | AgentsOfUser {
  if (userId === undefined) return toNamespace(namespace);
  if (externalId === undefined) return { userId, allowed };
  throw invalidField("external_id", "needs a namespace; set namespace in place of user_id");
}

/** Converts the name of a memory. Requires: one of the fields is set, which validation checks. */
export function toMemoryName({
  id,
  externalId,
}: {
  readonly id: string;
  readonly externalId?: string | undefined;
}): MemoryName {
  return externalId === undefined ? { id } : { externalId };
}

/** Converts the namespace of a request. Requires: it is set, which validation checks. */
export function toNamespace(namespace: NamespaceMessage | undefined): Namespace {
  const { userId, agentId } = requireSet(namespace, "namespace");
  return { userId, agentId };
}

/**
 * Converts a memory to its message, with the namespace that it was read from. The message is a
 * literal: `create` of the library would look at each field and cost several times as much.
 */
export function fromMemory(memory: ReadMemory, { userId, agentId }: Namespace): MemoryMessage {
  return {
    $typeName: "vademecum.v1.Memory",
    id: memory.id,
    namespace: { $typeName: "vademecum.v1.Namespace", userId, agentId },
    content: memory.content,
    memoryType: ProtoMemoryType[memory.memoryType],
    kind: memory.kind ?? "",
    tags: [...memory.tags],
    importance: memory.importance,
    source: memory.source ?? "",
    status: ProtoMemoryStatus[memory.status],
    restricted: memory.restricted,
    author: memory.author,
    threadId: memory.threadId,
    metadata: memory.metadata && fromJsonObject(memory.metadata),
    createTime: fromInstant(memory.createTime),
    updateTime: fromInstant(memory.updateTime),
    eventTime: fromOptionalInstant(memory.eventTime),
    expireTime: fromOptionalInstant(memory.expireTime),
    lastUsedTime: fromOptionalInstant(memory.lastUsedTime),
    supersedes: memory.supersedes,
    supersededBy: memory.supersededBy,
    version: BigInt(memory.version),
    tokenCount: memory.tokenCount,
    externalId: memory.externalId,
    embedding: memory.embedding && {
      $typeName: "vademecum.v1.Embedding",
      values: [...memory.embedding],
    },
  };
}
