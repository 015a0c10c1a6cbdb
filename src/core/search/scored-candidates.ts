import type { Candidates, IndexQuery, NamespaceIndex } from "../ports/search-index.js";
import type { Hints } from "./hints.js";
import type { RankInput } from "./matches.js";
import type { RankingColumns } from "./ranking-columns.js";
import { fusedScore } from "./scores.js";

/** Candidates with the scores that decide which of them match. */
export interface ScoredCandidates extends Candidates {
  /** From keywords and vector, by position. */
  readonly fused: Float64Array;
  /** The same, in a thread raised by the row that follows. */
  readonly smoothed: Float64Array;
}

/** Finds the candidates of a query and scores them in the columns: good until these are written to again, or the index is asked for candidates. */
export function scoreCandidates(
  index: NamespaceIndex,
  input: RankInput,
  hints: Hints,
  columns: RankingColumns,
): ScoredCandidates {
  const candidates = index.candidates(indexQueryOf(input, hints));
  columns.reserve(index.rowLimit);
  const { fused } = columns;
  const { count, keyword, vector } = candidates;
  for (let position = 0; position < count; position++) {
    fused[position] = fusedScore(
      keyword[position] as number,
      vector[position] as number,
      input.calibration,
    );
  }
  const smoothed = index.hasThreads
    ? smooth(index, candidates, input.signals.following, columns)
    : fused;
  return { ...candidates, fused, smoothed };
}

/** What to ask the index. An empty query asks for everything, whatever the vector. */
function indexQueryOf(
  { query: { query: text }, vector, nearest, returnable: { types } }: RankInput,
  { author, dates }: Hints,
): IndexQuery {
  if (text === "" || vector === undefined) return { text };
  if (nearest === undefined) return { text, vector, types };
  // What an author or a date adds can bring up a row that is neither near nor among the best by keywords.
  return { text, vector, nearest, comparesBest: author === undefined && dates.length === 0 };
}

function smooth(
  index: NamespaceIndex,
  { count, rows }: Candidates,
  following: number,
  { fused, smoothed, fusedByRow }: RankingColumns,
): Float64Array {
  for (let position = 0; position < count; position++)
    fusedByRow[rows[position] as number] = fused[position] as number;
  for (let position = 0; position < count; position++) {
    const next = index.next(rows[position] as number);
    smoothed[position] =
      (fused[position] as number) + (next < 0 ? 0 : following * (fusedByRow[next] as number));
  }
  for (let position = 0; position < count; position++) fusedByRow[rows[position] as number] = 0;
  return smoothed;
}
