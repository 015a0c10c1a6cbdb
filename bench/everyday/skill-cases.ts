import { skillText } from "../../src/core/model/skill-text.js";
import { type Part, partOf, readData } from "./cases.js";

/** A skill of the namespace that all cases of skills share. */
export interface SkillRecord {
  readonly id: string;
  readonly context: string;
  readonly lesson: string;
  readonly toolName: string;
}

/** One situation, and what RetrieveSkills should return for it by default. */
export interface SkillCase {
  readonly name: string;
  readonly part: Part;
  readonly query: string;
  /** `finds`: this skill is among the results. `nothing`: there are no results. */
  readonly expect: { readonly finds: string } | { readonly nothing: true };
}

/** Reads the skills and the cases about them. */
export function readSkillCases(): {
  readonly skills: readonly SkillRecord[];
  readonly cases: readonly SkillCase[];
} {
  const { skills, cases } = readData("skills") as {
    readonly skills: readonly SkillRecord[];
    readonly cases: readonly Omit<SkillCase, "part">[];
  };
  return { skills, cases: cases.map((one, position) => ({ ...one, part: partOf(position) })) };
}

/** Returns what the results of a case lack. Empty: the case passes. */
export function judgeSkills(
  expect: SkillCase["expect"],
  ids: readonly string[],
): readonly string[] {
  if ("nothing" in expect) return ids.length === 0 ? [] : [`${ids.length} skills instead of none`];
  return ids.includes(expect.finds) ? [] : [`${expect.finds} is not among the skills`];
}

/** Returns the text of a skill that a search compares with the query. */
export function textOfSkill({ context, lesson }: SkillRecord): string {
  return skillText({ context, lesson });
}
