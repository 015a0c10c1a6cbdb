import { type ExplainStage, matchesAll, type SearchQuery } from "../query/search.js";
import type { FollowedMatch } from "./followed-match.js";
import { Ranks } from "./ranks.js";

/** What one stage adds to the score of each match. */
interface Bonus {
  readonly name: string;
  /** The scores of all matches after the stage, in the order of the matches. */
  readonly sums: Float64Array;
  readonly ranks: Ranks;
}

/**
 * Returns a function that returns the stages that order a match among all matches: one for each
 * bonus, in the order in which the bonuses add up.
 *
 * @param matches all matches, in their order
 */
export function orderStages(
  matches: readonly FollowedMatch[],
  query: SearchQuery,
): (matchAt: number) => ExplainStage[] {
  if (matchesAll(query) || query.order === "NEWEST_FIRST") {
    return (matchAt) => {
      const score = matches[matchAt]?.scores.final ?? 0;
      return [{ name: "newest first", score, rank: matchAt + 1, droppedReason: "" }];
    };
  }
  const bonuses = bonusesOf(matches, query);
  return (matchAt) =>
    bonuses.map(({ name, sums, ranks }) => {
      const score = sums[matchAt] ?? 0;
      return { name, score, rank: ranks.of(score), droppedReason: "" };
    });
}

function bonusesOf(matches: readonly FollowedMatch[], { weights }: SearchQuery): readonly Bonus[] {
  const { recency, importance } = weights;
  const bonuses = [
    ["author", (match) => match.scores.author],
    ["date", (match) => match.scores.date],
    ["answer", (match) => match.scores.answer],
    ["mention", (match) => match.scores.mention],
    ["similar_words", (match) => match.scores.similarWords],
    ["recency", (match) => recency * match.scores.recency],
    ["importance", (match) => importance * match.scores.importance],
  ] as const satisfies readonly (readonly [string, (match: FollowedMatch) => number])[];
  let sums = Float64Array.from(
    matches,
    (match) => match.scores.final - bonuses.reduce((sum, [, bonus]) => sum + bonus(match), 0),
  );
  return bonuses.map(([name, bonus]) => {
    sums = sums.map((sum, at) => sum + bonus(matches[at] as FollowedMatch));
    const after = sums;
    return { name, sums: after, ranks: new Ranks(() => after.slice()) };
  });
}
