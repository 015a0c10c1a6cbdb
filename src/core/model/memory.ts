import { compareInstants, type Instant } from "./instant.js";
import type { JsonObject } from "./json.js";

/** Types of memories. */
export const memoryTypes = [
  "EPISODIC",
  "SEMANTIC",
  "WORKING",
  "SCRATCH_PAGE",
  "CONVERSATION",
  "TRACE",
] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** Returns a set of types as bits, for checks on very many memories. */
export function typeSetOf(types: readonly MemoryType[]): number {
  return types.reduce((set, type) => set | (1 << memoryTypes.indexOf(type)), 0);
}

/** The set that has every type. */
export const allTypes = typeSetOf(memoryTypes);

/** Whether a memory still needs attention. */
export const memoryStatuses = ["ACTIVE", "RESOLVED"] as const;
export type MemoryStatus = (typeof memoryStatuses)[number];

/** Importance of a memory whose caller sets none. */
export const defaultImportance = 0.5;

/** The fields of a memory that callers set. Absent: not set. Limits: `memory.proto`. */
export interface MemoryFields {
  readonly content: string;
  readonly memoryType: MemoryType;
  readonly kind?: string;
  /** In the caller's order, without repeats. */
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

/** How a version of a memory came about. */
export interface VersionOrigin {
  /** Name of the principal that made the version; `anonymous` without credentials. */
  readonly changedBy: string;
  /** When the version was made. Links of supersession may have changed since. */
  readonly changeTime: Instant;
  /** The proposal whose approval made the version. */
  readonly proposalId?: string;
  /** The earlier version that the version restores. */
  readonly restoredFrom?: number;
}

/** What a memory knows of its versions. */
export interface MemoryHistory extends VersionOrigin {
  /** Numbers of the earlier versions that are kept, ascending. */
  readonly kept: readonly number[];
}

/**
 * When a tool last read a memory. Has a record of its own, so that reading a memory neither changes
 * the memory nor its index.
 */
export interface MemoryUse {
  readonly lastUsedTime: Instant;
}

/**
 * A stored memory. Its namespace is part of its storage key, not of the record. Immutable: a change
 * makes a new object.
 */
export interface Memory extends MemoryFields {
  /** UUIDv7. */
  readonly id: string;
  readonly createTime: Instant;
  readonly updateTime: Instant;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  /** Starts at 1 and increases by 1 with each change. */
  readonly version: number;
  /** Exact number of tokens of `content`. */
  readonly tokenCount: number;
  /** The caller's own id. No other memory of the namespace has it. See `externalIds`. */
  readonly externalId?: string;
  /** The identity (`identityOf`) that wrote `content`. Absent: a caller without credentials. */
  readonly writtenBy?: string;
  /** Absent before the first change by a caller. */
  readonly history?: MemoryHistory;
}

/** Returns when the event of a memory happened: `eventTime`, else `createTime`. */
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
