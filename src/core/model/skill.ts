import type { Instant } from "./instant.js";

/** A lesson that an agent has learned. */
export interface Skill {
  /** UUIDv7, or the caller's own. */
  readonly id: string;
  /** The situation in which it was learned. */
  readonly context: string;
  /** What was learned. */
  readonly lesson: string;
  /** The tool that it is about. */
  readonly toolName?: string;
  readonly createTime: Instant;
}

/** How a skill has fared. Kept apart from the skill, because reading one counts as use and must not change what the index holds. */
export interface SkillUse {
  readonly successCount: number;
  readonly failureCount: number;
  /** When it was last retrieved or counted; its `createTime` until then. */
  readonly lastUsedTime: Instant;
}
