import { hanValue, inAsciiDigits } from "../numbers/plain-numbers.js";
import { isCode, periodAt } from "./time-codes.js";
import { entriesOf, joinedEntryAt, type LexiconEntry, type TimeMeaning } from "./time-lexicon.js";
import type { TimeLanguage } from "./time-words.js";
import type { WrittenDate } from "./written-time.js";

/** A word or number of a text, from `start` up to but not including `end` (UTF-16 units). */
export interface TextToken {
  readonly start: number;
  readonly end: number;
  /** What the token means in every language. Figures alone have such a meaning. */
  readonly meaning?: TimeMeaning;
  readonly date?: WrittenDate;
  /** The entry of the lexicon. Absent with `meaning`: the word is in no lexicon. */
  readonly entry?: LexiconEntry;
  /** Whether the word begins with a capital letter. */
  readonly isCapitalized: boolean;
  /** What stands before the token: nothing that matters, a comma, a dash, or a clause's end. */
  readonly gap: "none" | "comma" | "dash" | "break";
}

const joinedCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〇]/u;
/** The prefixes and the article of Arabic words. */
const arabicPrefix = /^(?:[وفبك]?ال|لل|[وفبكل])(?=\p{L}{3})/u;
const clauseEnd = /[.!?;:()[\]{}"“”«»。！？；：（）「」…\n|]/;
const onlyAscii = /^\p{ASCII}*$/u;
const [space, digitZero, digitNine, letterA, letterZ] = [0x20, 0x30, 0x39, 0x61, 0x7a];
const whiteSpace = /\s/;
const isLetter = /\p{L}/u;
const figures = /\d+(?:[.,:/-]\d+)*/y;
/** A word of letters other than those of the joined scripts. */
const letters = /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〇])[\p{L}\p{M}])+/uy;
const shortYear = /^\d{2}(?![\d:.,])/;
const dash = /^[-–—~〜～]$/;
const hanNumber = /[〇零一二三四五六七八九十两兩]+/y;
const ordinalEnding = /^(?:st|nd|rd|th|er|re|ère|e|ème|ª|º|o|a|го|й|е|я|м|га|ого|ей|th|de|ste)$/u;
const isoDate = /^([12]\d{3})([-/.])(\d{1,2})(?:\2(\d{1,2}))?$/;
const dayFirst = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
const monthAndYear = /^(\d{1,2})[/.]([12]\d{3})$/;
/** The day and the year in `March 7,2023`. */
const dayAndYear = /^(\d{1,2}),((?:19|20)\d{2})$/;
const spanOfDays = /^(\d{1,2})-(\d{1,2})$/;
const spanOfYears = /^((?:19|20)\d{2})-((?:19|20)\d{2})$/;
const comma = /^[,、،，]$/;
/** Decades in figures: "1990s", "1990er". */
const decade = /^(?:19|20)\d0$/;
const decadeEnding = /^-?(?:s|er|ern|х|ые|ых)$/u;
const clock = /^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?$/;
const year = /^(?:19|20)\d{2}$/;

/**
 * Splits a text into words and numbers, and finds them in the lexicon. Words without an entry that
 * follow each other are one token. Takes time linear in the length of the text.
 *
 * @param written Accents must be composed.
 */
export function tokensOf(written: string): TextToken[] {
  const text = onlyAscii.test(written) ? written : inAsciiDigits(written);
  const lowerCase = text.toLowerCase();
  // In rare cases the length changes, as of "İ". Then only words in lower case are found.
  return new Tokenizer(text, lowerCase.length === text.length ? lowerCase : text).read();
}

class Tokenizer {
  readonly #tokens: TextToken[] = [];
  #gap: TextToken["gap"] = "none";
  /** Whether the last token is words without an entry, which the next such word extends. */
  #isUnknown = false;

  constructor(
    private readonly text: string,
    /** The text in lower case. */
    private readonly words: string,
  ) {}

  read(): TextToken[] {
    const { words } = this;
    for (let at = 0; at < words.length; ) {
      const unit = words.charCodeAt(at);
      if (unit === space) at++;
      else if (unit >= letterA && unit <= letterZ) at = this.#word(at, lettersEnd(words, at));
      else if (unit >= digitZero && unit <= digitNine) at = this.#figures(at);
      else at = this.#other(at);
    }
    return this.#tokens;
  }

  #word(start: number, end: number): number {
    const period = periodAt(this.words, start);
    if (period !== undefined) {
      this.#add({ start, end: period.end, meaning: { date: 1 }, date: period.date });
      return period.end;
    }
    const { entry, last } = findEntry(this.words, start, end);
    if (entry === undefined) this.#addUnknown(start, last);
    else this.#add({ start, end: last, entry });
    return last;
  }

  #figures(start: number): number {
    const period = periodAt(this.words, start);
    if (period !== undefined) {
      this.#add({ start, end: period.end, meaning: { date: 1 }, date: period.date });
      return period.end;
    }
    figures.lastIndex = start;
    const [written = ""] = figures.exec(this.words) ?? [];
    let end = start + written.length;
    for (const { gap, ...token } of figureTokens(this.words, written, start)) {
      if (gap === "dash") this.#gap = "dash";
      this.#add(token);
      end = Math.max(end, token.end);
    }
    return end;
  }

  /** Reads what begins with neither a letter nor a digit of ASCII. */
  #other(start: number): number {
    const { words } = this;
    const character = words.charAt(start);
    if (joinedCharacter.test(character)) {
      const token = joinedToken(words, start);
      if (token.entry === undefined && token.meaning === undefined)
        this.#addUnknown(start, token.end);
      else this.#add(token);
      return token.end;
    }
    letters.lastIndex = start;
    const [word] = letters.exec(words) ?? [];
    if (word !== undefined) return this.#word(start, start + word.length);
    if (character === "\n") this.#gap = "break";
    else if (whiteSpace.test(character)) return start + 1;
    else this.#mark(start, character);
    return this.#shortYear(start, character);
  }

  #mark(start: number, mark: string): void {
    if (this.#gap === "break") return;
    if (comma.test(mark) && this.#gap === "none") this.#gap = "comma";
    if (dash.test(mark)) {
      this.#gap = "dash";
      return;
    }
    // A full stop ends no clause after an abbreviation, as in "Sept. 2022", or a number: "3. Mai".
    const isAbbreviation =
      mark === "." && !this.#isUnknown && this.#tokens.length > 0 && start + 1 < this.words.length;
    if (clauseEnd.test(mark) && !isAbbreviation) this.#gap = "break";
  }

  /** Reads the year in "8 May '23". Returns the position after it, or after the mark. */
  #shortYear(start: number, mark: string): number {
    const isQuote = (mark === "'" || mark === "’") && !isLetter.test(this.words.charAt(start - 1));
    const [digits] = isQuote ? (shortYear.exec(this.words.slice(start + 1, start + 4)) ?? []) : [];
    if (digits === undefined) return start + 1;
    this.#add({ start, end: start + 3, meaning: { year: -1 - Number(digits) } });
    return start + 3;
  }

  #add(token: Omit<TextToken, "gap" | "isCapitalized">): void {
    const { start } = token;
    const isCapitalized = this.text.charCodeAt(start) !== this.words.charCodeAt(start);
    this.#tokens.push({ ...token, gap: this.#gap, isCapitalized });
    this.#gap = "none";
    this.#isUnknown = token.entry === undefined && token.meaning === undefined;
  }

  #addUnknown(start: number, end: number): void {
    if (this.#isUnknown) this.#gap = "none";
    else this.#add({ start, end });
  }
}

/** Returns the end of the word of ASCII letters that begins at a position, or of other letters. */
function lettersEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit < letterA || (unit > letterZ && unit < 128)) return end;
    if (unit > letterZ) {
      letters.lastIndex = start;
      return start + (letters.exec(text)?.[0].length ?? end - start);
    }
    end++;
  }
  return end;
}

type FigureToken = Omit<TextToken, "isCapitalized">;

function figureTokens(text: string, figures: string, start: number): FigureToken[] {
  const end = start + figures.length;
  const before = text[start - 1] ?? " ";
  const suffix = /^-?(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\p{L}{1,4}(?!\p{L})|^[ªº]/u.exec(
    text.slice(end, end + 6),
  )?.[0];
  const isOrdinal = suffix !== undefined && ordinalEnding.test(suffix.replace("-", ""));
  const isOrdinalDot = /^\. ?\p{L}/u.test(text.slice(end, end + 3));
  const isHour = suffix !== undefined && /^(?:h|am|pm|uhr)$/.test(suffix);
  const isPart = /[\p{L}\p{M}$€£#+@_/\\]/u.test(before) && !joinedCharacter.test(before);
  const token = (meaning: TimeMeaning, from = start, to = end, gap: TextToken["gap"] = "none") => ({
    start: from,
    end: to,
    meaning,
    gap,
  });
  const unknown: FigureToken = { start, end, gap: "none" };
  if (isPart) return [unknown];
  if (clock.test(figures) || isHour)
    return [token({ clock: 1 }, start, isHour ? end + (suffix?.length ?? 0) : end)];
  if (suffix !== undefined && decade.test(figures) && decadeEnding.test(suffix)) {
    const date = { year: Number(figures), years: 10 };
    return [{ start, end: end + suffix.length, meaning: { date: 1 }, date, gap: "none" }];
  }
  if (isCode(text, figures, start)) return [unknown];
  const date = dateOf(figures, text.slice(end, end + 2));
  if (date !== undefined) return [{ start, end, meaning: { date: 1 }, date, gap: "none" }];
  const [, ofMonth, ofYear] = dayAndYear.exec(figures) ?? [];
  if (ofMonth !== undefined && ofYear !== undefined) {
    const middle = start + ofMonth.length;
    return [
      token(numberMeaning(ofMonth, false), start, middle),
      token(numberMeaning(ofYear, false), middle + 1, end),
    ];
  }
  const [, first, last] = spanOfDays.exec(figures) ?? spanOfYears.exec(figures) ?? [];
  if (first !== undefined && last !== undefined) {
    const middle = start + first.length;
    return [
      token(numberMeaning(first, false), start, middle),
      token(
        numberMeaning(last, isOrdinal),
        middle + 1,
        isOrdinal ? end + suffix.length : end,
        "dash",
      ),
    ];
  }
  if (!/^\d{1,4}$/.test(figures) || (suffix !== undefined && !isOrdinal)) return [unknown];
  const meaning = numberMeaning(figures, isOrdinal || isOrdinalDot);
  return [token(meaning, start, isOrdinal ? end + suffix.length : end)];
}

function numberMeaning(figures: string, isOrdinal: boolean): TimeMeaning {
  const number = Number(figures);
  if (year.test(figures)) return { year: number, weak: 1 };
  return { number, ...(figures.length <= 2 && { ordinalDay: isOrdinal ? 2 : 1 }) };
}

function dateOf(figures: string, next: string): WrittenDate | undefined {
  const iso = isoDate.exec(figures);
  if (iso !== null) return checked(iso[1], iso[3], iso[4]);
  const [, first, , second, written = ""] = dayFirst.exec(figures) ?? [];
  if (first !== undefined && second !== undefined) {
    const inCentury = written.length === 4 ? written : `20${written}`;
    return checked(inCentury, second, first) ?? checked(inCentury, first, second);
  }
  const month = monthAndYear.exec(figures);
  if (month !== null) return checked(month[2], month[1], undefined);
  const [, day, ofMonth] = /^(\d{1,2})\.(\d{1,2})$/.exec(figures) ?? [];
  // "Am 3.5." is a date, "3.5" is a number.
  return day !== undefined && /^\.(?!\d)/.test(next) ? checked(undefined, ofMonth, day) : undefined;
}

function checked(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): WrittenDate | undefined {
  const date = {
    ...(year !== undefined && { year: Number(year) }),
    month: Number(month),
    ...(day !== undefined && { day: Number(day) }),
  };
  const isDay = date.day === undefined || (date.day > 0 && date.day <= 31);
  return date.month > 0 && date.month <= 12 && isDay ? date : undefined;
}

/** Finds the longest entry that begins with a word. Spaces, hyphens and apostrophes divide it. */
function findEntry(
  text: string,
  start: number,
  end: number,
): { readonly entry: LexiconEntry | undefined; readonly last: number } {
  const word = text.slice(start, end);
  for (const entry of entriesOf(word)) {
    if (entry.more === undefined) return { entry, last: end };
    entry.more.lastIndex = end;
    const [more] = entry.more.exec(text) ?? [];
    if (more !== undefined) return { entry, last: end + more.length };
  }
  const prefix = text.charCodeAt(start) < 0x600 ? undefined : arabicPrefix.exec(word)?.[0];
  if (prefix === undefined) return { entry: undefined, last: end };
  const bare = word.slice(prefix.length);
  const known = [...entriesOf(`ال${bare}`), ...entriesOf(bare)];
  return { entry: known.find(({ more }) => more === undefined), last: end };
}

/** Reads one word or number of a joined language. */
function joinedToken(text: string, start: number): Omit<TextToken, "gap" | "isCapitalized"> {
  const found = joinedEntryAt(text, start);
  hanNumber.lastIndex = start;
  const [numeral = ""] = hanNumber.exec(text) ?? [];
  if (numeral !== "" && numeral.length <= 4 && numeral.length >= (found?.length ?? 0))
    return {
      start,
      end: start + numeral.length,
      meaning: numberMeaning(String(hanValue(numeral)), false),
    };
  if (found === undefined) return { start, end: start + 1 };
  return { start, end: start + found.length, entry: found.entry };
}

/** What a token means in one language; several meanings if one word stands for several. */
export function meaningsOf(token: TextToken, language: TimeLanguage): readonly TimeMeaning[] {
  if (token.meaning !== undefined) return [token.meaning];
  return token.entry?.meanings.get(language) ?? [];
}
