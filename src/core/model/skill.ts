import type { Instant } from "./instant.js";

/** A lesson that an agent has learned. */
export interface Skill {
  /** UUIDv7, or an id that the caller chose. */
  readonly id: string;
  /** The situation in which the agent learned the lesson. */
  readonly context: string;
  /** The lesson itself. */
  readonly lesson: string;
  /** The tool that the lesson concerns. */
  readonly toolName?: string;
  readonly createTime: Instant;
}

/**
 * How often a skill was used, and with what success. Stored apart from the skill: reading a skill
 * counts as a use and must not change the record in the index.
 */
export interface SkillUse {
  readonly successCount: number;
  readonly failureCount: number;
  /**
   * When the skill was last retrieved, or its counts last changed. Before that: its `createTime`.
   */
  readonly lastUsedTime: Instant;
}
