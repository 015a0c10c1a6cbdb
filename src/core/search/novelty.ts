import type { Match } from "./matches.js";

/** How many of the best matches take part; beyond, the order stays as it is. */
const reranked = 200;

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): takes, step by step, the match with the greatest final - weight × cosine to the most similar one taken before.
 * Pure; quadratic in the matches that take part.
 */
export function* byNovelty(
  matches: Iterable<Match>,
  weight: number,
  cosine: (rowA: number, rowB: number) => number,
): Iterable<Match> {
  const waiting: { match: Match; likeness: number }[] = [];
  const iterator = matches[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    waiting.push({ match: next.value, likeness: 0 });
    if (waiting.length === reranked) break;
  }
  while (waiting.length > 0) {
    const { match, likeness } = takeBest(waiting, weight);
    yield {
      ...match,
      scores: {
        ...match.scores,
        novelty: 1 - likeness,
        final: match.scores.final - weight * likeness,
      },
    };
    for (const other of waiting)
      other.likeness = Math.min(1, Math.max(other.likeness, cosine(match.row, other.match.row)));
  }
  for (let next = iterator.next(); !next.done; next = iterator.next()) yield next.value;
}

function takeBest(
  waiting: { match: Match; likeness: number }[],
  weight: number,
): { match: Match; likeness: number } {
  let best = 0;
  let bestValue = Number.NEGATIVE_INFINITY;
  waiting.forEach(({ match, likeness }, at) => {
    const value = match.scores.final - weight * likeness;
    if (value > bestValue) [best, bestValue] = [at, value];
  });
  const [taken] = waiting.splice(best, 1);
  if (taken === undefined) throw new RangeError("nothing is waiting");
  return taken;
}
