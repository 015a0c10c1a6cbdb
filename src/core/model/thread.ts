import type { Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/**
 * What the store keeps of a thread, besides its turns. A thread without turns has no record.
 */
export interface Thread {
  /** Number of turns, expired and superseded turns included; at least 1. */
  readonly turnCount: number;
  /**
   * Grows with each change of the thread. At least the number of the commit that made the change,
   * so that a thread never has a version again, even if it was deleted and created again.
   */
  readonly version: number;
  /** When the first turn was stored. */
  readonly createTime: Instant;
  /** When the thread last changed. */
  readonly updateTime: Instant;
}

/** Returns the thread whose turn a memory is; `undefined` if the memory is no turn. */
export function threadOf({
  memoryType,
  threadId,
}: Pick<Memory, "memoryType" | "threadId">): string | undefined {
  return memoryType === "CONVERSATION" ? threadId : undefined;
}
