import {
  type Candidates,
  type IndexQuery,
  type NamespaceIndex,
  type Row,
  rowMarks,
} from "../ports/search-index.js";
import { longTextShare } from "../text/text-length.js";
import { NamedRows } from "./named-rows.js";
import { PartScores, type WeighedCandidates } from "./part-scores.js";
import type { RankInput } from "./rank-input.js";
import type { RankingColumns } from "./ranking-columns.js";
import { Relevance } from "./relevance.js";
import { fusedScore } from "./scores.js";
import { addSimilarWords } from "./similar-words.js";
import { scoreThreads } from "./thread-scores.js";
import { turnScoresOf } from "./turn-scores.js";

/** Candidates with the scores that decide which of them match, and in which order. */
export interface ScoredCandidates extends WeighedCandidates {
  readonly parts: PartScores;
  readonly named: NamedRows;
  readonly relevance: Relevance;
  /** The final score without recency and importance. */
  readonly partial: Float64Array;
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
  const named = new NamedRows(index, input.hints);
  const candidates = index.candidates(indexQueryOf(input, named));
  columns.reserve(index.rowLimit);
  const { fused } = columns;
  const { count, keyword, vector } = candidates;
  const { calibration } = input;
  for (let position = 0; position < count; position++) {
    const cosine = vector[position] as number;
    fused[position] = fusedScore(keyword[position] as number, cosine, calibration);
  }
  const { hasThreads } = index;
  const following = input.signals.following * (1 - longTextShare(index.meanTerms));
  if (hasThreads) scoreNeighbours(index, candidates, following, columns);
  else columns.asked.fill(0, 0, count);
  const turns = turnScoresOf(index, input);
  const threads =
    turns && scoreThreads(index, { ...candidates, fused }, input.signals, turns.share);
  const { base, asked } = columns;
  const scored = {
    ...candidates,
    fused,
    base: hasThreads ? base : fused,
    asked,
    similarWords: columns.similarWords,
    turns,
    threads,
  };
  const parts = new PartScores(index, scored, input);
  const partial = parts.sumInto(columns.partial);
  addSimilarWords(index, input, { ...scored, partial }, columns);
  return { ...scored, parts, named, partial, relevance: new Relevance(candidates, input) };
}

/** Returns the query for the index. A query without text and vector finds all rows. */
function indexQueryOf(
  { query: { query: text }, vector, nearest, resultFilter: { types } }: RankInput,
  names: NamedRows,
): IndexQuery {
  const named = names.rowsOfTypes(types);
  const query = { text, respells: true, ...(named !== undefined && { named }) };
  if (vector === undefined) return query;
  if (nearest === undefined) return { ...query, vector, types };
  // An author or a date of the query can lift a row that is neither near nor among the best by
  // keywords. So rows that are neither may go without a vector score only if the query names no
  // author and no date.
  return { ...query, vector, nearest, comparesBest: !names.canNameAny };
}

/**
 * Fills the column `base` from the next row in each candidate's thread, and the column `asked` from
 * the previous row. Requires: `positionsByRow` holds only zeros. Leaves only zeros in it.
 */
function scoreNeighbours(
  index: NamespaceIndex,
  { count, rows, keyword }: Candidates,
  following: number,
  { fused, base, asked, positionsByRow }: RankingColumns,
): void {
  const { nextRows } = index;
  const { marks } = index.traits;
  asked.fill(0, 0, count);
  for (let position = 0; position < count; position++)
    positionsByRow[rows[position] as Row] = position + 1;
  for (let position = 0; position < count; position++) {
    const row = rows[position] as Row;
    const next = nextRows[row] as number;
    const nextPosition = next < 0 ? -1 : (positionsByRow[next] as number) - 1;
    const score = fused[position] as number;
    base[position] = nextPosition < 0 ? score : score + following * (fused[nextPosition] as number);
    if (nextPosition >= 0 && ((marks[row] as number) & rowMarks.question) !== 0)
      asked[nextPosition] = keyword[position] as number;
  }
  for (let position = 0; position < count; position++) positionsByRow[rows[position] as Row] = 0;
}
