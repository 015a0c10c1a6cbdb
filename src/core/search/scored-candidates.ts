import type { Candidates, IndexQuery, NamespaceIndex, Row } from "../ports/search-index.js";
import type { RankInput } from "./rank-input.js";
import type { RankingColumns } from "./ranking-columns.js";
import { fusedScore } from "./scores.js";
import { scoreThreads, type ThreadScores } from "./thread-scores.js";
import { scoreTurns, type TurnScores, turnShare } from "./turn-scores.js";

/** Candidates with the scores that decide which of them match. Arrays are indexed by position. */
export interface ScoredCandidates extends Candidates {
  /** The keyword score and the cosine, fused. */
  readonly fused: Float64Array;
  /** The fused score, raised in a thread by the score of the next row. */
  readonly base: Float64Array;
  /** `undefined`: turns have no scores of their own. */
  readonly turns: TurnScores | undefined;
  readonly threads: ThreadScores;
}

/**
 * Finds the candidates of a query and scores them. The result is valid until the next ranking
 * writes to the columns, or until the next call of `index.candidates`.
 */
export function scoreCandidates(
  index: NamespaceIndex,
  input: RankInput,
  columns: RankingColumns,
): ScoredCandidates {
  const candidates = index.candidates(indexQueryOf(input));
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
  const base = index.hasThreads
    ? raiseByNextRow(index, candidates, input.signals.following, columns)
    : fused;
  const scored = { ...candidates, fused, base };
  return {
    ...scored,
    turns: scoreTurns(index, candidates, input, columns),
    threads: scoreThreads(index, scored, input.signals, turnShare(index)),
  };
}

/** Returns the query for the index. A query without text and vector finds all rows. */
function indexQueryOf({
  query: { query: text },
  vector,
  nearest,
  hints: { author, dates },
  resultFilter: { types },
}: RankInput): IndexQuery {
  if (vector === undefined) return { text };
  if (nearest === undefined) return { text, vector, types };
  // An author or a date can lift a row that is neither near nor among the best by keywords.
  return { text, vector, nearest, comparesBest: author === undefined && dates.length === 0 };
}

/** Fills the column `base`. Leaves `scratchByRow` filled with zeros, as it found it. */
function raiseByNextRow(
  index: NamespaceIndex,
  { count, rows }: Candidates,
  following: number,
  { fused, base, scratchByRow }: RankingColumns,
): Float64Array {
  for (let position = 0; position < count; position++)
    scratchByRow[rows[position] as Row] = fused[position] as number;
  for (let position = 0; position < count; position++) {
    const next = index.next(rows[position] as Row);
    base[position] =
      (fused[position] as number) + (next < 0 ? 0 : following * (scratchByRow[next] as number));
  }
  for (let position = 0; position < count; position++) scratchByRow[rows[position] as Row] = 0;
  return base;
}
