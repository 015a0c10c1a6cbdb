import { type NamespaceIndex, rowMarks } from "../../ports/search-index.js";
import { longTextShare } from "../../text/text-length.js";
import type { RankInput } from "../query/rank-input.js";
import { matchesAll } from "../query/search.js";

const allMarks = Object.values(rowMarks).reduce((all, mark) => all | mark, 0);

/** A mark of `rowMarks`, and what it adds to the score of a row. */
export type MarkWorth = readonly [mark: number, worth: number];

/**
 * Returns a table with what the marks of a row add to its score. The index into the table is the
 * marks of the row, a sum of `rowMarks`.
 */
export function markScores(worths: readonly MarkWorth[]): Float64Array {
  const scores = new Float64Array(allMarks + 1);
  for (const [mark, worth] of worths)
    for (let marks = 0; marks <= allMarks; marks++)
      if ((marks & mark) !== 0) scores[marks] = (scores[marks] as number) + worth;
  return scores;
}

/**
 * Returns what a time expression and a number in a text add to its score for this query (see
 * `SignalWeights.askedTime` and `askedNumber`).
 *
 * @param share Multiplies both values, 0 to 1.
 */
export function answerWorths({ signals, hints }: RankInput, share: number): readonly MarkWorth[] {
  const { time, hour } = hints.asked;
  return [
    // The day of another event does not answer "at what time?".
    [hour ? rowMarks.hour : rowMarks.time, time ? share * signals.askedTime : 0],
    [rowMarks.number, hints.asked.number ? share * signals.askedNumber : 0],
  ];
}

/**
 * Returns the table of `markScores` for memories that are not turns of a conversation. Returns
 * `undefined` if marks add nothing: the query asks for neither a time nor a number, or the memories
 * are long texts.
 */
export function noteScoresOf(index: NamespaceIndex, input: RankInput): Float64Array | undefined {
  const { asked } = input.hints;
  if (matchesAll(input.query) || (!asked.time && !asked.number)) return undefined;
  const share = 1 - longTextShare(index.meanTerms);
  return share === 0 ? undefined : markScores(answerWorths(input, share));
}
