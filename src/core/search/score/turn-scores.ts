import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import { longTextShare } from "../../text/text-length.js";
import { mentionedDays } from "../../text/times/day-ranges.js";
import type { RankInput } from "../query/rank-input.js";
import { matchesAll } from "../query/search.js";
import { mentionFit } from "./mention.js";

/** The scores that only turns of conversations have. Reads only `index.traits`, no records. */
export class TurnScores {
  readonly #marks: Uint8Array;
  readonly #answerWeight: number;

  /**
   * @param share How much these scores count in this namespace, 0 to 1. Less than 1 if the texts of
   *   the namespace are long. A long turn is like a document: a question in it says little.
   */
  constructor(
    private readonly traits: NamespaceIndex["traits"],
    private readonly input: RankInput,
    readonly share: number,
  ) {
    const { signals } = input;
    this.#marks = traits.marks;
    this.#answerWeight = share * signals.answer;
  }

  /** The bonus of a turn that follows a question. `keyword`: the keyword score of the question. */
  answer(keyword: number): number {
    return this.#answerWeight * keyword;
  }

  /** The bonus of a turn whose days fit the dates of the query (`mentionFit`); otherwise 0. */
  mention(row: Row): number {
    const { dates } = this.input.hints;
    if (dates.length === 0 || ((this.#marks[row] as number) & rowMarks.days) === 0) return 0;
    const said = this.input.timeZone.dayOf(this.traits.happenedMs(row));
    const fit = mentionFit(dates, mentionedDays(this.traits.times(row), said));
    if (fit === 0) return 0;
    const { mentionedMonth, mentionedDay } = this.input.signals;
    return this.share * (fit === 1 ? mentionedMonth : mentionedMonth + mentionedDay);
  }
}

/**
 * Returns the scores of turns. Returns `undefined` in three cases: the query matches all memories,
 * there are no turns, or the memories are long texts.
 */
export function turnScoresOf(index: NamespaceIndex, input: RankInput): TurnScores | undefined {
  if (!index.traits.hasTurns || matchesAll(input.query)) return undefined;
  const share = 1 - longTextShare(index.meanTerms);
  return share === 0 ? undefined : new TurnScores(index.traits, input, share);
}
