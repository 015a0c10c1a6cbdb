import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import { languagesOfText } from "../../text/languages.js";
import { longTextShare } from "../../text/text-length.js";
import type { RankInput } from "../query/rank-input.js";
import { matchesAll } from "../query/search.js";
import type { RankingColumns } from "./ranking-columns.js";

/**
 * The words of at least this number of memories are compared with the query, or of all memories if
 * there are fewer. These memories have the highest scores before this comparison. The scores of
 * others are too low for the first hits.
 */
const comparedMemories = 500;

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
  readonly partial: Float64Array;
}

/** Whether words of similar meaning count for a query in a namespace. */
export function countsSimilarWords(index: NamespaceIndex, { query }: RankInput): boolean {
  return longTextShare(index.meanTerms) < 1 && !matchesAll(query);
}

/**
 * Adds a score for words of similar meaning to `partial`. The 500 memories with the highest scores
 * in `partial` get this score, and all memories in the same histogram bucket as the last of them.
 * If fewer than 500 memories have a positive score, all get it. Writes the added scores to the
 * column `similarWords`.
 */
export function addSimilarWords(
  index: NamespaceIndex,
  { query, signals }: RankInput,
  { count, rows, partial }: PartialScores,
  columns: RankingColumns,
): void {
  const { similarWords, comparedPositions, comparedRows, wordMatches } = columns;
  const threshold = thresholdOf({ count, partial });
  let compared = 0;
  for (let position = 0; position < count; position++) {
    if ((partial[position] as number) < threshold) continue;
    comparedPositions[compared] = position;
    comparedRows[compared] = rows[position] as Row;
    compared += 1;
  }
  if (!index.scoreSimilarWords(query.query, comparedRows, compared, wordMatches)) return;
  const { marks } = index.traits;
  const share = 1 - longTextShare(index.meanTerms);
  const { mayBeEnglish } = languagesOfText(query.query);
  const ofNotes = mayBeEnglish ? signals.similarWordsOfNotes : 0;
  for (let at = 0; at < compared; at++) {
    const position = comparedPositions[at] as number;
    const isTurn = ((marks[comparedRows[at] as Row] as number) & rowMarks.turn) !== 0;
    const weight = isTurn ? signals.similarWords : ofNotes;
    const score = share * weight * (wordMatches[at] as number);
    similarWords[position] = score;
    partial[position] = (partial[position] as number) + score;
  }
}

/**
 * Returns a score that at least 500 memories reach. Returns minus infinity if fewer than 500
 * memories have a positive score.
 */
function thresholdOf({ count, partial }: Omit<PartialScores, "rows">): number {
  if (count <= comparedMemories) return Number.NEGATIVE_INFINITY;
  const stepMax = countedScoreMax * scoreSteps;
  const counts = stepCounts.fill(0);
  for (let position = 0; position < count; position++) {
    const step = Math.min(stepMax, ((partial[position] as number) * scoreSteps) | 0);
    // Counting a bucket beyond 500 would not change the threshold.
    if (step > 0 && (counts[step] as number) < comparedMemories)
      counts[step] = (counts[step] as number) + 1;
  }
  let reached = 0;
  for (let step = stepMax; step > 0; step--) {
    reached += counts[step] as number;
    if (reached >= comparedMemories) return step / scoreSteps;
  }
  return Number.NEGATIVE_INFINITY;
}
