import type { Candidates, NamespaceIndex, Row } from "../ports/search-index.js";
import { longTextShare } from "../text/text-length.js";
import type { RankInput } from "./rank-input.js";
import type { RankingColumns } from "./ranking-columns.js";
import { matchesAll } from "./search.js";
import { mentionFit } from "./signals/mention.js";

/** Maximum number of terms that count for the length of a turn. */
const countedTerms = 100;

/** Scores that only turns of conversations have. Arrays are indexed by position. */
export interface TurnScores {
  /**
   * How much the turns of this namespace count, 0 to 1: turns that are long texts are more like
   * documents, where length and questions say little.
   */
  readonly share: number;
  /** How much the turn says, by its own text. Negative for a short question. */
  readonly turn: Float64Array;
  /** Above 0 if the turn before is a question that shares words with the query. */
  readonly answer: Float64Array;
  /** Above 0 if the turn names days that the query names. */
  readonly mention: Float64Array;
}

/**
 * Scores the turns among the candidates. Returns `undefined` for a query that matches all, and if
 * there are no turns or the memories are long texts. Reads traits alone, no records. Leaves
 * `scratchByRow` filled with zeros, as it found it.
 */
export function scoreTurns(
  index: NamespaceIndex,
  candidates: Candidates,
  { query, hints, signals }: RankInput,
  { turn, answer, mention, scratchByRow }: RankingColumns,
): TurnScores | undefined {
  const { traits } = index;
  const share = turnShare(index);
  if (share === 0 || matchesAll(query)) return undefined;
  const { count, rows, keyword } = candidates;
  const { asked, dates } = hints;
  const time = asked.time ? signals.askedTime : 0;
  const number = asked.number ? signals.askedNumber : 0;
  for (let position = 0; position < count; position++) {
    const row = rows[position] as Row;
    const next = traits.isQuestion(row) ? index.next(row) : -1;
    if (next >= 0) scratchByRow[next] = keyword[position] as number;
  }
  for (let position = 0; position < count; position++) {
    const row = rows[position] as Row;
    turn[position] = 0;
    answer[position] = 0;
    mention[position] = 0;
    if (!traits.isTurn(row)) continue;
    const length = Math.log(1 + Math.min(countedTerms, traits.terms(row)));
    turn[position] =
      share *
      (signals.length * length -
        (traits.isQuestion(row) ? signals.question : 0) +
        (traits.hasTime(row) ? time : 0) +
        (traits.hasNumber(row) ? number : 0));
    answer[position] = share * signals.answer * (scratchByRow[row] as number);
    if (dates.length === 0) continue;
    const fit = mentionFit(dates, traits.days(row));
    mention[position] =
      share * (fit === 0 ? 0 : signals.mentionedMonth + (fit === 1 ? 0 : signals.mentionedDay));
  }
  for (let position = 0; position < count; position++) {
    const next = index.next(rows[position] as Row);
    if (next >= 0) scratchByRow[next] = 0;
  }
  return { share, turn, answer, mention };
}

/** See `TurnScores.share`. 0 without turns. */
export function turnShare(index: NamespaceIndex): number {
  return index.traits.hasTurns ? 1 - longTextShare(index.meanTerms) : 0;
}
