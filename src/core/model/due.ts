import { millisOfInstant } from "./instant.js";
import type { Memory } from "./memory.js";
import type { Proposal } from "./proposal.js";
import { type Skill, type SkillUse, unusedMaxMs, withoutSuccessMaxMs } from "./skill.js";
import { type TurnEntry, turnEntryLifetimeMs } from "./turn-entry.js";

/**
 * Returns a time, in milliseconds since 1970, before which pruning finds nothing to do about a
 * record. `Infinity`: pruning never removes it, unless it changes. Requires: `value` is a value of
 * the store's table of this name.
 */
export function recordDueMs(table: string, value: unknown): number {
  switch (table) {
    case "memories": {
      const { expireTime } = value as Memory;
      return expireTime === undefined ? Infinity : Math.floor(millisOfInstant(expireTime));
    }
    case "proposals": {
      const { status, expireTime } = value as Proposal;
      return status === "PENDING" ? Math.floor(millisOfInstant(expireTime)) : Infinity;
    }
    case "turnEntries":
      return Math.floor(millisOfInstant((value as TurnEntry).time)) + turnEntryLifetimeMs;
    case "skills":
      // No success and no use can have come before the skill.
      return skillDueMs(value as Skill, undefined);
    default:
      return Infinity;
  }
}

/** Returns when a skill becomes stale. `use` is absent if it is not known. */
export function skillDueMs({ createTime }: Skill, use: SkillUse | undefined): number {
  const withoutSuccess = Math.floor(millisOfInstant(createTime)) + withoutSuccessMaxMs;
  if (use === undefined) return withoutSuccess;
  const unused = Math.floor(millisOfInstant(use.lastUsedTime)) + unusedMaxMs;
  return use.successCount === 0 ? Math.min(withoutSuccess, unused) : unused;
}
