import {
  type Candidates,
  type IndexQuery,
  type NamespaceIndex,
  type Row,
  rowMarks,
} from "../../ports/search-index.js";
import { longTextShare } from "../../text/text-length.js";
import { withFinalQuestion } from "../query/final-question.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { fusedScore } from "../query/scores.js";
import { asksNearest } from "../query/search.js";
import { contradictionsOf } from "./contradictions.js";
import { PartScores, type WeighedCandidates } from "./part-scores.js";
import type { RankingColumns } from "./ranking-columns.js";
import { Relevance, scoreBelow } from "./relevance.js";
import { addSimilarWords, countsSimilarWords } from "./similar-words.js";
import { turnScoresOf } from "./turn-scores.js";

/** Candidates with the scores that decide which of them match, and in which order. */
export interface ScoredCandidates {
  readonly weighed: WeighedCandidates;
  /** Whether candidates below a floor may have been left out. */
  readonly hasFloor: boolean;
  readonly parts: PartScores;
  readonly relevance: Relevance;
  /** The final score without recency and importance. */
  readonly partial: Float64Array;
}

/** A floor of the relevance of candidates. */
export interface CandidateFloor {
  /** Above 0, at most 1. */
  readonly relevance: number;
  /** Rows that are candidates even below the floor. */
  readonly spared: Int32Array;
}

/** What `scoreCandidates` needs besides the index and the query. */
export interface CandidateParts {
  readonly columns: RankingColumns;
  /** The rows that the query names. Those of the wanted types are always candidates. */
  readonly named: NamedRows;
  /**
   * Leaves out most candidates below this floor, unless the scores of other candidates depend on
   * them. Absent: leaves out none.
   */
  readonly floor?: CandidateFloor | undefined;
}

/**
 * Finds the candidates of a query and scores them. The result is valid until the next ranking
 * writes to the columns, or until the next call of `index.candidates`.
 */
export function scoreCandidates(
  index: NamespaceIndex,
  input: RankInput,
  { columns, named, floor }: CandidateParts,
): ScoredCandidates {
  const turns = turnScoresOf(index, input);
  // The scores of turns depend on other candidates.
  const query = indexQueryOf(index, input, named, turns === undefined ? floor : undefined);
  const candidates = index.candidates(query);
  columns.reserve(index.rowLimit);
  const { count, rows, keyword, vector } = candidates;
  fuse(candidates, input, columns);
  const { fused } = columns;
  const { hasThreads } = index;
  const following = input.signals.following * (1 - longTextShare(index.meanTerms));
  if (hasThreads) scoreNeighbours(index, candidates, following, columns);
  else columns.asked.fill(0, 0, count);
  const { base, asked } = columns;
  // Spreads would cost more than the rest of this function.
  const weighed = {
    tier: candidates.tier,
    count,
    rows,
    keyword,
    vector,
    sameVector: candidates.sameVector,
    respelledByRow: candidates.respelledByRow,
    fused,
    ownFused: candidates.own === undefined ? fused : columns.ownFused,
    base: hasThreads ? base : fused,
    asked,
    similarWords: columns.similarWords,
    turns,
  };
  const parts = new PartScores(index, weighed, input);
  const comparesWords = countsSimilarWords(index, input);
  const partial = parts.sumInto(columns.partial, comparesWords);
  columns.similarWords.fill(0, 0, count);
  if (comparesWords) addSimilarWords(index, input, { count, rows, partial }, columns);
  const hasFloor = query.floor !== undefined && !hasThreads;
  const relevance = new Relevance(candidates, input, contradictionsOf(index, input, named));
  return { weighed, hasFloor, parts, partial, relevance };
}

/** Returns the query for the index. A query without text and vector finds all rows. */
function indexQueryOf(
  index: NamespaceIndex,
  { query, vector, nearest, calibration, resultFilter: { types } }: RankInput,
  names: NamedRows,
  floor: CandidateFloor | undefined,
): IndexQuery {
  const text = withFinalQuestion(query.query);
  // Rows that are not named need a score above 0.
  const named = asksNearest(query)
    ? (nearest ?? rowsOfTypes(index, types))
    : names.rowsOfTypes(types);
  const respells = true;
  if (vector === undefined) return { text, respells, named };
  // An author or a date of the query can lift a row that is neither near nor among the best by
  // keywords. So rows that are neither may go without a vector score only if the query names no
  // author and no date.
  if (nearest !== undefined)
    return { text, respells, named, vector, nearest, comparesBest: !names.canNameAny };
  if (floor === undefined) return { text, respells, named, vector, types };
  const kept = named === undefined ? floor.spared : joined(floor.spared, named);
  const score = scoreBelow(floor.relevance, calibration);
  const fusedFloor = { score, vectorWeight: calibration.vectorWeight };
  return { text, respells, named: kept, vector, types, floor: fusedFloor };
}

function rowsOfTypes({ rowLimit, traits }: NamespaceIndex, types: number): Int32Array {
  const rows = new Int32Array(rowLimit);
  let count = 0;
  for (let row = 0 as Row; row < rowLimit; row++)
    if (traits.isOfType(row, types)) rows[count++] = row;
  return rows.subarray(0, count);
}

function joined(rows: Int32Array, others: Int32Array): Int32Array {
  const all = new Int32Array(rows.length + others.length);
  all.set(rows);
  all.set(others, rows.length);
  return all;
}

/**
 * Fills the column `fused`, and the column `ownFused` from the scores of the rows' own words and
 * vectors, if their threads add anything.
 */
function fuse(
  { count, rows, keyword, vector, own }: Candidates,
  { query, calibration }: RankInput,
  { fused, ownFused }: RankingColumns,
): void {
  const keepsSign = asksNearest(query);
  for (let position = 0; position < count; position++) {
    const cosine = vector[position] as number;
    fused[position] =
      keepsSign && cosine < 0
        ? calibration.vectorWeight * cosine
        : fusedScore(keyword[position] as number, cosine, calibration);
  }
  if (own === undefined) return;
  for (let position = 0; position < count; position++) {
    const row = rows[position] as Row;
    const cosine = own.vectorByRow[row] as number;
    ownFused[position] = fusedScore(own.keywordByRow[row] as number, cosine, calibration);
  }
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
