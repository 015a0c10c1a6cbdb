import type { Instant } from "../../core/model/instant.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Memory, MemoryHistory, MemoryStatus, MemoryType } from "../../core/model/memory.js";

// These codes are on disk: never change or reuse one.
const typeCodes = {
  EPISODIC: 1,
  SEMANTIC: 2,
  WORKING: 3,
  SCRATCH_PAGE: 4,
  CONVERSATION: 5,
  TRACE: 6,
} as const satisfies Record<MemoryType, number>;
const statusCodes = { ACTIVE: 1, RESOLVED: 2 } as const satisfies Record<MemoryStatus, number>;

const typesByCode = new Map(
  Object.entries(typeCodes).map(([type, code]) => [code as number, type as MemoryType]),
);
const statusesByCode = new Map(
  Object.entries(statusCodes).map(([status, code]) => [code as number, status as MemoryStatus]),
);

/** An instant, or null. */
type PackedInstant = readonly [seconds: number, nanos: number] | null;

/**
 * The fields of a memory by position; an absent field is null. Append new fields at the end; older
 * values lack them.
 */
export type PackedMemory = readonly [
  id: string,
  content: string,
  typeCode: number,
  kind: string | null,
  tags: readonly string[],
  importance: number,
  source: string | null,
  statusCode: number,
  restricted: boolean,
  author: string | null,
  threadId: string | null,
  /** JSON text: MessagePack maps would lose a field called `__proto__`. */
  metadata: string | null,
  eventTime: PackedInstant,
  expireTime: PackedInstant,
  createSeconds: number,
  createNanos: number,
  updateSeconds: number,
  updateNanos: number,
  /** Not in use. */
  free: null,
  supersedes: string | null,
  supersededBy: string | null,
  version: number,
  tokenCount: number,
  writtenBy: string | null,
  /** JSON text. */
  history: string | null,
  externalId: string | null,
];

export function packMemory(memory: Memory): PackedMemory {
  return [
    memory.id,
    memory.content,
    typeCodes[memory.memoryType],
    memory.kind ?? null,
    memory.tags,
    memory.importance,
    memory.source ?? null,
    statusCodes[memory.status],
    memory.restricted,
    memory.author ?? null,
    memory.threadId ?? null,
    memory.metadata === undefined ? null : JSON.stringify(memory.metadata),
    packInstant(memory.eventTime),
    packInstant(memory.expireTime),
    memory.createTime.seconds,
    memory.createTime.nanos,
    memory.updateTime.seconds,
    memory.updateTime.nanos,
    null,
    memory.supersedes ?? null,
    memory.supersededBy ?? null,
    memory.version,
    memory.tokenCount,
    memory.writtenBy ?? null,
    memory.history === undefined ? null : JSON.stringify(memory.history),
    memory.externalId ?? null,
  ];
}

export function unpackMemory(packed: PackedMemory): Memory {
  const [
    id,
    content,
    typeCode,
    kind,
    tags,
    importance,
    source,
    statusCode,
    restricted,
    author,
    threadId,
    metadata,
    eventTime,
    expireTime,
    createSeconds,
    createNanos,
    updateSeconds,
    updateNanos,
    _free,
    supersedes,
    supersededBy,
    version,
    tokenCount,
    writtenBy,
    history,
    externalId,
  ] = packed;
  const memory: { -readonly [F in keyof Memory]: Memory[F] } = {
    id,
    content,
    memoryType: requireCode(typesByCode, typeCode),
    tags,
    importance,
    status: requireCode(statusesByCode, statusCode),
    restricted,
    createTime: { seconds: createSeconds, nanos: createNanos },
    updateTime: { seconds: updateSeconds, nanos: updateNanos },
    version,
    tokenCount,
  };
  if (kind !== null) memory.kind = kind;
  if (source !== null) memory.source = source;
  if (author !== null) memory.author = author;
  if (threadId !== null) memory.threadId = threadId;
  if (metadata !== null) memory.metadata = JSON.parse(metadata) as JsonObject;
  if (eventTime !== null) memory.eventTime = unpackInstant(eventTime);
  if (expireTime !== null) memory.expireTime = unpackInstant(expireTime);
  if (supersedes !== null) memory.supersedes = supersedes;
  if (supersededBy !== null) memory.supersededBy = supersededBy;
  if (writtenBy !== null) memory.writtenBy = writtenBy;
  if (history !== null) memory.history = JSON.parse(history) as MemoryHistory;
  if (externalId !== null) memory.externalId = externalId;
  return memory;
}

function requireCode<T>(namesByCode: ReadonlyMap<number, T>, code: number): T {
  const name = namesByCode.get(code);
  if (name === undefined)
    throw new Error(
      `unknown code ${code} in a stored memory: a newer version of the service wrote it`,
    );
  return name;
}

function packInstant(instant: Instant | undefined): PackedInstant {
  return instant === undefined ? null : [instant.seconds, instant.nanos];
}

function unpackInstant([seconds, nanos]: NonNullable<PackedInstant>): Instant {
  return { seconds, nanos };
}
