import type { Skill } from "./skill.js";

/** Returns the text of a skill. Searches compare this text with the query. */
export function skillText({ context, lesson }: Pick<Skill, "context" | "lesson">): string {
  return `${context} ${lesson}`;
}
