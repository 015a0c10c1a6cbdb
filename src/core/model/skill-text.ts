import type { Skill } from "./skill.js";

/** The text that a skill is found by. */
export function skillText({ context, lesson }: Pick<Skill, "context" | "lesson">): string {
  return `${context} ${lesson}`;
}
