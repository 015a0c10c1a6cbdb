import type { Row } from "../../ports/search-index.js";
import type { Match } from "../rank/matches.js";

/** Number of the best matches that are reordered. The matches after them keep their order. */
const reorderedMax = 200;

/**
 * A match that is not taken yet. `likeness` is its greatest cosine to the matches taken so far,
 * clamped to the range 0 to 1. It is 0 before the first match is taken.
 */
interface Candidate {
  readonly match: Match;
  likeness: number;
}

/**
 * Reorders matches by maximal marginal relevance (Carbonell and Goldstein, 1998). Each step takes
 * the match with the greatest `final - weight × likeness`. `Candidate` defines the likeness.
 *
 * Takes time in proportion to the square of the number of reordered matches (at most 200).
 *
 * @param cosine Returns the cosine of the vectors of two rows, -1 to 1.
 */
export function* diversify(
  matches: Iterable<Match>,
  weight: number,
  cosine: (rowA: Row, rowB: Row) => number,
): Iterable<Match> {
  const candidates: Candidate[] = [];
  const iterator = matches[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    candidates.push({ match: next.value, likeness: 0 });
    if (candidates.length === reorderedMax) break;
  }
  while (candidates.length > 0) {
    const { match, likeness } = takeBest(candidates, weight);
    yield {
      ...match,
      scores: {
        ...match.scores,
        novelty: 1 - likeness,
        final: match.scores.final - weight * likeness,
      },
    };
    for (const other of candidates)
      other.likeness = Math.min(1, Math.max(other.likeness, cosine(match.row, other.match.row)));
  }
  for (let next = iterator.next(); !next.done; next = iterator.next()) yield next.value;
}

/** Removes and returns the best candidate. Requires: there is a candidate. */
function takeBest(candidates: Candidate[], weight: number): Candidate {
  let best = 0;
  let bestValue = Number.NEGATIVE_INFINITY;
  candidates.forEach(({ match, likeness }, at) => {
    const value = match.scores.final - weight * likeness;
    if (value > bestValue) [best, bestValue] = [at, value];
  });
  const [candidate] = candidates.splice(best, 1);
  if (candidate === undefined) throw new RangeError("there are no candidates");
  return candidate;
}
