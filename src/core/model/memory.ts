import { compareInstants, type Instant } from "./instant.js";
import type { JsonObject } from "./json.js";

/** What a memory is for. */
export const memoryTypes = [
  "EPISODIC",
  "SEMANTIC",
  "WORKING",
  "SCRATCH_PAGE",
  "CONVERSATION",
  "TRACE",
] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** A set of types as bits, for what is asked of very many memories. */
export function typeSetOf(types: readonly MemoryType[]): number {
  return types.reduce((set, type) => set | (1 << memoryTypes.indexOf(type)), 0);
}

/** The set that has every type. */
export const allTypes = typeSetOf(memoryTypes);

/** Whether a memory still asks for attention. */
export const memoryStatuses = ["ACTIVE", "RESOLVED"] as const;
export type MemoryStatus = (typeof memoryStatuses)[number];

/** Importance of a memory that was given none. */
export const defaultImportance = 0.5;

/** What a caller decides about a memory; absent fields were not given. Limits: `memory.proto`. */
export interface MemoryFields {
  readonly content: string;
  readonly memoryType: MemoryType;
  readonly kind?: string;
  /** In the order given, without repeats. */
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly importance: number;
  readonly source?: string;
  readonly status: MemoryStatus;
  readonly restricted: boolean;
  readonly author?: string;
  readonly threadId?: string;
  readonly metadata?: JsonObject;
  readonly eventTime?: Instant;
  readonly expireTime?: Instant;
}

/** A stored memory. Its namespace is where it is stored, not a part of it. Never changed in place: a change makes a new object. */
export interface Memory extends MemoryFields {
  /** UUIDv7. */
  readonly id: string;
  readonly createTime: Instant;
  readonly updateTime: Instant;
  readonly lastUsedTime?: Instant;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  /** 1 when written, one more with each change. */
  readonly version: number;
  /** Exact tokens of `content`. */
  readonly tokenCount: number;
}

/** When what a memory tells of happened: `eventTime`, else `createTime`. */
export function happenedAt(memory: Pick<Memory, "eventTime" | "createTime">): Instant {
  return memory.eventTime ?? memory.createTime;
}

/**
 * Orders memories newest first: by `createTime`, then by id, both descending. Returns 0 only for a
 * memory and itself.
 */
export function compareNewestFirst(a: Memory, b: Memory): number {
  return compareInstants(b.createTime, a.createTime) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
