import type { MemoryType } from "./memory.js";

/** The types that tools may ask for: all but traces. */
export const toolMemoryTypes = [
  "WORKING",
  "EPISODIC",
  "SEMANTIC",
  "SCRATCH_PAGE",
  "CONVERSATION",
] as const satisfies readonly MemoryType[];
export type ToolMemoryType = (typeof toolMemoryTypes)[number];

/** What a tool may read of one type of memories. */
export interface MemoryAccess {
  readonly memoryType: ToolMemoryType;
  readonly enabled: boolean;
  /** Only these kinds; empty: all. */
  readonly kinds: readonly string[];
  /** Only what has one of these tags; empty: all. */
  readonly tags: readonly string[];
  /** Most queries of this type in one request; absent: as many as a request may have. */
  readonly maxQueries?: number;
  /** Most tokens of this type in one request; absent: the request's budget. */
  readonly maxBudgetTokens?: number;
}

/** What a version of a tool declares. */
export interface ToolManifest {
  readonly toolId: string;
  readonly version: string;
  /** At most one entry a type; a type without one is not enabled. */
  readonly memoryAccess: readonly MemoryAccess[];
  /** Differs between any two manifests that were ever registered under the same tool and version. */
  readonly revision: number;
}
