import type { MemoryType } from "./memory.js";

/** The types of memories that tools may query: all but traces. */
export const toolMemoryTypes = [
  "WORKING",
  "EPISODIC",
  "SEMANTIC",
  "SCRATCH_PAGE",
  "CONVERSATION",
] as const satisfies readonly MemoryType[];
export type ToolMemoryType = (typeof toolMemoryTypes)[number];

/** The access of a tool to one type of memories. */
export interface MemoryAccess {
  readonly memoryType: ToolMemoryType;
  /** Whether the tool may read memories of this type. */
  readonly enabled: boolean;
  /** Whether the tool may store memories of this type. */
  readonly write: boolean;
  /** Allowed kinds, for reads and writes. Empty: all. */
  readonly kinds: readonly string[];
  /** Only memories with one of these tags; a write may have no other tags. Empty: all. */
  readonly tags: readonly string[];
  /** Maximum number of queries of this type in one request. Absent: no limit for this type. */
  readonly maxQueries?: number;
  /**
   * Maximum number of tokens that memories of this type may use in the results of one request.
   * Absent: the budget of the request.
   */
  readonly maxBudgetTokens?: number;
}

/** The declaration of one version of a tool. */
export interface ToolManifest {
  readonly toolId: string;
  readonly version: string;
  /** At most one entry for each type. A type without an entry is not enabled. */
  readonly memoryAccess: readonly MemoryAccess[];
  /** Two manifests of the same tool and version never have the same revision. */
  readonly revision: number;
  /**
   * Commit sequence number of the write that created this version of the tool. Tells it from an
   * earlier, deleted one.
   */
  readonly createSeq: number;
}
