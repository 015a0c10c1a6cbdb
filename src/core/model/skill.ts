import type { Instant } from "./instant.js";

const dayMs = 24 * 60 * 60 * 1000;
/** A skill is stale when it was not used for this long. */
export const unusedMaxMs = 90 * dayMs;
/** A skill without a success is stale at this age. */
export const withoutSuccessMaxMs = 30 * dayMs;

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
  /** The principal that wrote the skill last, see `writerOf`. */
  readonly writtenBy?: string;
  readonly createTime: Instant;
  /**
   * Commit sequence number of the write that created the skill. Tells the skill from an earlier,
   * deleted skill with the same id.
   */
  readonly createSeq: number;
}

/**
 * The counts of a skill's successes and failures, and the time of its last use. A use is a
 * retrieval or an `UpdateSuccessCount`. Other reads are not uses.
 *
 * These values have a record of their own, so a retrieval can change `lastUsedTime` without a
 * change of the record that the index reads.
 */
export interface SkillUse {
  readonly successCount: number;
  readonly failureCount: number;
  /**
   * When the skill was last used. The skill's `createTime` until its first use.
   */
  readonly lastUsedTime: Instant;
}
