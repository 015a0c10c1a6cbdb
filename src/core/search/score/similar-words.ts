import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import type { RankInput } from "../query/rank-input.js";
import type { RankingColumns } from "./ranking-columns.js";
import type { TurnScores } from "./turn-scores.js";

/**
 * The words of at least this number of turns of conversations are compared with the query, or of
 * all turns if there are fewer. These turns have the highest scores before this comparison. The
 * scores of other turns are too low for the first hits.
 */
const comparedTurns = 500;

/** `thresholdOf` counts scores in a histogram: the number of its buckets between 0 and 1. */
const scoreSteps = 4_096;
/** All scores from this one on fall into the last bucket. */
const countedScoreMax = 2;
/** The histogram. All rankings share it, because each call of `thresholdOf` is synchronous. */
const stepCounts = new Uint16Array(countedScoreMax * scoreSteps + 1);

/** Candidates with their scores before this comparison, by position. */
interface PartialScores {
  readonly count: number;
  readonly rows: Int32Array;
  /** `undefined`: turns are scored like other memories. */
  readonly turns: TurnScores | undefined;
  readonly partial: Float64Array;
}

/**
 * Adds a score for words of similar meaning to `partial`. The 500 turns with the highest scores in
 * `partial` get this score, and all turns in the same histogram bucket as the last of them. If
 * fewer than 500 turns have a positive score, all turns get it. Writes the added scores to the
 * column `similarWords`.
 */
export function addSimilarWords(
  index: NamespaceIndex,
  { query, signals }: RankInput,
  { count, rows, turns, partial }: PartialScores,
  columns: RankingColumns,
): void {
  const { similarWords, comparedPositions, comparedRows, wordMatches } = columns;
  similarWords.fill(0, 0, count);
  if (turns === undefined || signals.similarWords === 0) return;
  const threshold = thresholdOf(index, { count, rows, partial });
  const { marks } = index.traits;
  let compared = 0;
  for (let position = 0; position < count; position++) {
    if ((partial[position] as number) < threshold) continue;
    const row = rows[position] as Row;
    if (((marks[row] as number) & rowMarks.turn) === 0) continue;
    comparedPositions[compared] = position;
    comparedRows[compared] = row;
    compared += 1;
  }
  if (!index.scoreSimilarWords(query.query, comparedRows, compared, wordMatches)) return;
  for (let at = 0; at < compared; at++) {
    const position = comparedPositions[at] as number;
    const score = turns.similarWords(wordMatches[at] as number);
    similarWords[position] = score;
    partial[position] = (partial[position] as number) + score;
  }
}

/**
 * Returns a score that at least 500 turns reach. Returns minus infinity if fewer than 500 turns
 * have a positive score.
 */
function thresholdOf(
  index: NamespaceIndex,
  { count, rows, partial }: Omit<PartialScores, "turns">,
): number {
  if (count <= comparedTurns) return Number.NEGATIVE_INFINITY;
  const { marks } = index.traits;
  const stepMax = countedScoreMax * scoreSteps;
  const counts = stepCounts.fill(0);
  for (let position = 0; position < count; position++) {
    if (((marks[rows[position] as Row] as number) & rowMarks.turn) === 0) continue;
    const step = Math.min(stepMax, ((partial[position] as number) * scoreSteps) | 0);
    // Counting a bucket beyond 500 would not change the threshold.
    if (step > 0 && (counts[step] as number) < comparedTurns)
      counts[step] = (counts[step] as number) + 1;
  }
  let reached = 0;
  for (let step = stepMax; step > 0; step--) {
    reached += counts[step] as number;
    if (reached >= comparedTurns) return step / scoreSteps;
  }
  return Number.NEGATIVE_INFINITY;
}
