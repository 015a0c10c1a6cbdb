import type { Skill } from "./skill.js";

/** Returns the text that searches for a skill compare with. */
export function skillText({ context, lesson }: Pick<Skill, "context" | "lesson">): string {
  return `${context} ${lesson}`;
}
