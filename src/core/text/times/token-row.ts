import { type TimeKind, type TimeMeaning, timeKinds } from "./time-lexicon.js";
import { meaningsOf, type TextToken } from "./time-tokens.js";
import type { TimeLanguage } from "./time-words.js";
import type { WrittenDate } from "./written-time.js";

/** A bit for each kind of word. */
export const bit = Object.fromEntries(timeKinds.map((kind, at) => [kind, 1 << at])) as Record<
  TimeKind,
  number
>;

/** The position of no token. Every read at or after it finds nothing. */
export const nowhere = Number.NaN;

/** What one word of a text means in one language. */
export interface RowToken {
  readonly meaning: TimeMeaning;
  /** The kinds of `meaning`, as bits. */
  readonly kinds: number;
  readonly date: WrittenDate | undefined;
  readonly start: number;
  readonly end: number;
  readonly isCapitalized: boolean;
  /** Whether a comma stands before it. */
  readonly isAfterComma: boolean;
}

/** The meaning of a word that is in no lexicon, and of the end of a clause. */
const nothing: TimeMeaning = {};
/** The meaning of a dash. The value tells it from a word. */
const dash: TimeMeaning = { to: 2 };
/** Maximum number of words without meaning that are skipped between two parts of a time. */
const skippedMax = 3;

/** The words of a text in one language. Positions count words; `nowhere` is a valid position. */
export class TokenRow {
  readonly #tokens: RowToken[] = [];

  constructor(tokens: readonly TextToken[], language: TimeLanguage) {
    for (const token of tokens) {
      const { start, end, isCapitalized, date, gap } = token;
      const add = (meaning: TimeMeaning, to = end) => {
        let kinds = 0;
        for (const kind in meaning) kinds |= bit[kind as TimeKind];
        const isAfterComma = gap === "comma";
        this.#tokens.push({ meaning, kinds, date, start, end: to, isCapitalized, isAfterComma });
      };
      if (gap === "break") add(nothing, start);
      if (gap === "dash") add(dash, start);
      const meanings = meaningsOf(token, language);
      if (meanings.length === 0) add(nothing);
      for (const meaning of meanings) add(meaning);
    }
  }

  get length(): number {
    return this.#tokens.length;
  }

  at(at: number): RowToken | undefined {
    return at < 0 ? undefined : this.#tokens[at];
  }

  /** Whether a token is of one of the kinds, as bits. */
  is(at: number, kinds: number): boolean {
    const token = this.at(at);
    return token !== undefined && (token.kinds & kinds) !== 0;
  }

  isDash(at: number): boolean {
    return this.at(at)?.meaning === dash;
  }

  value(at: number, kind: TimeKind): number | undefined {
    return this.is(at, bit[kind]) ? this.#tokens[at]?.meaning[kind] : undefined;
  }

  /** Returns the position of a token of the kinds, at `at` or after words without meaning. */
  find(at: number, kinds: number): number {
    for (let next = at; next <= at + skippedMax; next++) {
      if (this.is(next, kinds)) return next;
      if (!this.is(next, bit.fill)) return nowhere;
    }
    return nowhere;
  }

  /** Skips at most one token of these kinds, and the words without meaning before it. */
  skip(at: number, kinds: number): number {
    const found = this.find(at, kinds);
    return Number.isNaN(found) ? at : found + 1;
  }

  /** Returns the position of the last token before `at` of none of the kinds; -1 without one. */
  before(at: number, kinds: number): number {
    let before = at - 1;
    while (before >= 0 && this.is(before, kinds)) before--;
    return before;
  }
}
