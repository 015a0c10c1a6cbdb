import { type Language, stopWordsByLanguage } from "../stop-words.js";
import { type ClockPhrase, clockPhrasesOf } from "./clock-phrases.js";
import {
  andPrefix,
  GrowingNumber,
  type NumberLexicon,
  numberLexiconOf,
  numberOfWord,
} from "./number-lexicon.js";
import { type Unit, unitOf } from "./units.js";

/** A number in a text, in figures or in words. Positions are of `plainNumbers` of the text. */
export interface TextNumber {
  readonly start: number;
  /** After the number and its unit. */
  readonly end: number;
  /** Absent for a time of day with minutes, for two numbers, and for a version such as `2.4.1`. */
  readonly value?: number;
  readonly unit?: Unit | undefined;
  /** The groups of digits of a number with points: version 2.10 is not 2.1. */
  readonly groups?: readonly string[];
  /** Two numbers that belong together: a score, a range or a fraction. */
  readonly pair?: readonly [number, number];
  /** A time of day in minutes; without `isExact` in either half of the day. */
  readonly minutes?: number;
  readonly isExact?: boolean;
  readonly isOrdinal?: boolean;
  /** Whether the word after it may be what it counts. */
  readonly isCount: boolean;
  /** What it counts (`>eggs`) or what has it as its name (`<flat`), by their first letters. */
  readonly things: ReadonlySet<string>;
}

interface Found extends Omit<TextNumber, "things" | "isCount"> {
  /** Where its unit and the words after it begin. Absent: at `end`. */
  readonly unitStart?: number;
  /** Whether the word may be an article: `ein`. */
  readonly isArticle?: boolean;
}

interface Word {
  readonly one: string;
  readonly start: number;
  readonly end: number;
}

/** Number of letters that tell words apart: `egg` and `eggs` are the same. */
const prefixLength = 3;
/** Maximum number of numbers of a text in figures, and in words. Further ones are not read. */
const numbersMax = 64;
/** Number of UTF-16 units before a number in which its sign and its noun are looked for. */
const signLengthMax = 12;
/** Number of words after a number that may tell what it counts. */
const thingsMax = 2;
const wordPattern = /[\p{L}\p{M}]+|\p{N}+/gu;
/** Short words that multiply a number before them. */
const scales: ReadonlyMap<string, number> = new Map(
  Object.entries({ k: 1e3, tsd: 1e3, mio: 1e6, mln: 1e6, bn: 1e9, mrd: 1e9 }),
);
/** Matches a time, or a number with its decimals, the rest of a version, or a second number. */
const figures = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\p{N}[.,:/'’]|(?<!:\d\d)(?<=\p{N})[-–])(?:v(?=\d+\.))?` +
    String.raw`(?:(?<clock>\d{1,2}[:h]\d\d(?![\d:]))|(?:` +
    String.raw`(?<whole>[1-9]\d{0,2}(?<mark>[.,'’\s])\d{3}(?:\k<mark>\d{3}){0,4}(?![\d\p{L}])|\d{1,15})` +
    String.raw`(?:(?<decimals>[.,]\d{1,6})(?![.\d])|(?<groups>(?:\.\d{1,6}){2,4}|(?::\d\d){2}))?` +
    String.raw`(?:(?<joint>[-–/:])(?<second>\d{1,3}))?(?<ordinal>(?:st|nd|rd|th|er|e|ème|º|ª)(?!\p{L}))?` +
    String.raw`(?!\p{N}|[-–/:]\d)))`,
  "giu",
);
const fraction = /^\s(\d{1,2})\/(\d{1,2})(?!\d|\/)/u;
const negative = /(?<![\p{L}\p{N}])[-−]$/u;
const wordBefore = /([\p{L}\p{M}]+)\s$/u;
const wordAfter = /^(\s?)([\p{L}\p{M}]+|[%€$£¥µ°]\p{L}{0,2})(?:\s([\p{L}\p{M}]+))?/u;
const currencyBefore = /([€$£¥]|\b[A-Z]{3})\s?$/u;
const clockEnding = /^\s?(am|pm|a\.m|p\.m|uhr|o['’]clock|点|點|時|时|h)(?!\p{L}|\s?\d)/iu;
const beforeClock = /\b(?:at|um|gegen|kl|klo|kello|à|alle|ore|om|orele|o)\.?\s$/iu;
const roman = /(?<![\p{L}\p{N}])[IVXL]{1,7}(?![\p{L}\p{N}]|['’](?!s))/gu;
/** Matches a word that `I`, `V` and `X` number. */
const numbered =
  /\b(?:war|chapter|part|volume|book|act|phase|type|level|class|stage|kapitel|band|teil|chapitre)\s$/iu;
/** Matches what stands between numbers of a list: "eine Schwester und zwei Brüder". */
const list = /^\s\p{L}+,?\s\p{L}{1,3}\s$/u;
/** Matches what joins two amounts: "950 euros and 80 cents", "1 hour 30 minutes". */
const sum = /^,?\s?(?:\p{L}{1,3}\s)?$/u;
const to = /^\s(?:to|bis|zu|à|a|al|tot|naar|till|til|do|до|к|-|–|—)\s$/u;
/** Matches what stands between numbers that count the same things: "two or three guests". */
export const orBetween = new RegExp(
  String.raw`^[\s,]*(?:or|oder|ou|o|u|of|eller|tai|vagy|nebo|lub|albo|veya|ya da|sau|atau|hoặc|или|` +
    String.raw`або|ή|או|أو|یا|或|还是|または)\s+(?:\p{L}+\s)?#?$`,
  "iu",
);
/** Matches what stands between a number and a word of the same clause. */
const sameClause = /^\.?[^.,;:!?()]*$/;

const readers = new Map<string, NumberReader>();

/** Reads the numbers of texts in some languages. */
export class NumberReader {
  readonly #lexicon: NumberLexicon;
  readonly #phrases: readonly ClockPhrase[];

  /** Returns a reader. The first language that knows a word decides. */
  static of(languages: readonly Language[]): NumberReader {
    const key = languages.join();
    const reader = readers.get(key) ?? new NumberReader(languages);
    readers.set(key, reader);
    return reader;
  }

  private constructor(private readonly languages: readonly Language[]) {
    this.#lexicon = numberLexiconOf(languages);
    this.#phrases = clockPhrasesOf(languages);
  }

  /**
   * Returns the numbers of a text, in their order. No number is part of another one.
   *
   * @param text As `plainNumbers` returns it.
   */
  read(text: string): TextNumber[] {
    const found = this.#clocks(text).slice(0, numbersMax);
    const add = (one: Found) => {
      if (!found.some(({ start, end }) => start < one.end && one.start < end)) found.push(one);
    };
    for (const match of text.matchAll(figures)) {
      if (found.length >= numbersMax) break;
      this.#figures(text, match).forEach(add);
    }
    for (const { 0: written, index: start } of text.matchAll(roman)) {
      if (found.length >= numbersMax) break;
      const value = valueOfRoman(written);
      const before = text.slice(Math.max(0, start - signLengthMax), start);
      const isNumber = written.length > 1 ? wordBefore.test(before) : numbered.test(before);
      if (value !== undefined && isNumber) add({ start, end: start + written.length, value });
    }
    const words = Array.from(text.matchAll(wordPattern), ({ 0: one, index: start }) => ({
      ...{ one: one.toLowerCase(), start, end: start + one.length },
    }));
    this.#inWords(text, words).forEach(add);
    if (found.length === 0) return [];
    const sorted = found.sort((a, b) => a.start - b.start);
    return this.#withThings(text, words, joined(text, withoutArticles(text, sorted)));
  }

  #clocks(text: string): Found[] {
    const lower = text.toLowerCase();
    const phrases = this.#phrases.filter(({ word }) => lower.includes(word));
    return phrases.flatMap(({ pattern, minutes, isAfter }) =>
      Array.from(text.matchAll(pattern)).flatMap(({ 0: written, 1: hour = "", index: start }) => {
        const number = /^\d/.test(hour)
          ? Number(hour)
          : numberOfWord(hour.toLowerCase(), this.#lexicon)?.value;
        if (number === undefined || number > 24) return [];
        const isMinus = this.#isMinus(text.slice(Math.max(0, start - signLengthMax), start));
        const time = isMinus ? {} : { minutes: number * 60 + minutes, isExact: number > 12 };
        const value = (number + minutes / 60) * (isMinus ? -1 : 1);
        return [{ start, end: start + written.length, ...time, ...(isAfter && { value }) }];
      }),
    );
  }

  #figures(text: string, match: RegExpMatchArray): Found[] {
    const { clock, whole = "", decimals = "", groups, joint, second, ordinal } = match.groups ?? {};
    const start = match.index ?? 0;
    let end = start + match[0].length;
    const before = text.slice(Math.max(0, start - signLengthMax), start);
    const ending = clockEnding.exec(text.slice(end, end + 12));
    const mayBeClock =
      (joint ?? groups) === undefined &&
      (ending !== null || (beforeClock.test(before) && decimals.length === 3));
    const time =
      clock !== undefined || mayBeClock
        ? timeOf(clock ?? whole + decimals, ending?.[1])
        : undefined;
    if (time !== undefined) return [{ start, end: end + (ending?.[0].length ?? 0), ...time }];
    if (clock !== undefined) return [];
    if (groups !== undefined)
      return [{ start, end, groups: [whole, ...groups.slice(1).split(/[.:]/)] }];
    if (joint !== undefined) {
      const pair = [Number(whole), Number(second)] as const;
      const isFraction = joint === "/" && pair[1] > 1;
      return [{ start, end, pair, ...(isFraction && { value: pair[0] / pair[1] }) }];
    }
    const digits = whole.replace(/\D/g, "");
    let value = Number(digits + decimals.replace(",", "."));
    const [more, over, under] = fraction.exec(text.slice(end, end + 8)) ?? [];
    if (more !== undefined) value += Number(over) / Number(under);
    end += more?.length ?? 0;
    const [, space = "", word = ""] = wordAfter.exec(text.slice(end, end + 24)) ?? [];
    const scale = this.#scaleOf(word.toLowerCase());
    if (scale !== undefined) end += space.length + word.length;
    const isOrdinal = ordinal !== undefined;
    const number = this.#withUnit(text, { start, end, value: value * (scale ?? 1), isOrdinal });
    // Letters that are no unit make it part of a code.
    if (number.end === end && /^\p{L}/u.test(text.slice(end, end + 1))) return [];
    const isWritten = decimals !== "" && scale === undefined;
    return [{ ...number, ...(isWritten && { groups: [digits, decimals.slice(1)] }) }];
  }

  /** Adds the unit of a number, and its sign. */
  #withUnit(text: string, number: Found & { readonly value: number }): Found {
    const { start, end, value, isOrdinal } = number;
    const before = text.slice(Math.max(0, start - signLengthMax), start);
    const sign = negative.test(before) || this.#isMinus(before) ? -1 : 1;
    const unit = isOrdinal === true ? undefined : this.#unitBeside(text, start, end);
    return {
      ...number,
      value: sign * value,
      unitStart: end,
      unit: unit?.unit,
      end: unit?.end ?? end,
    };
  }

  #scaleOf(word: string): number | undefined {
    const value = this.#lexicon.words.get(word)?.value ?? 0;
    return scales.get(word) ?? (value >= 1000 ? value : undefined);
  }

  #isMinus(before: string): boolean {
    const [, last = ""] = wordBefore.exec(before) ?? [];
    return this.#lexicon.words.get(last.toLowerCase())?.mark === "minus";
  }

  /** Returns the unit after a number, or the currency before it. */
  #unitBeside(text: string, start: number, end: number) {
    const [language = "english"] = this.languages;
    const [both = "", space = "", word = "", second] =
      wordAfter.exec(text.slice(end, end + 40)) ?? [];
    const ofBoth = second === undefined ? undefined : unitOf(`${word} ${second}`, language);
    if (ofBoth !== undefined) return { unit: ofBoth, end: end + both.length };
    const unit = word === "" ? undefined : unitOf(word, language);
    if (unit !== undefined) return { unit, end: end + space.length + word.length };
    const [, sign = ""] = currencyBefore.exec(text.slice(Math.max(0, start - 5), start)) ?? [];
    return sign === "" ? undefined : { unit: unitOf(sign, language), end };
  }

  #inWords(text: string, words: readonly Word[]): Found[] {
    const found: Found[] = [];
    for (let at = 0; at < words.length && found.length < numbersMax; at++) {
      const number = this.#wordsAt(text, words, at);
      if (number === undefined) continue;
      const [first, last] = [words[at], words[number.next - 1]];
      const { value, isOrdinal, next } = number;
      const isArticle = value === 1 && !isOrdinal && last?.one !== "one";
      const { start, end } = { start: first?.start ?? 0, end: last?.end ?? 0 };
      found.push(this.#withUnit(text, { start, end, value, isOrdinal, isArticle }));
      at = next - 1;
    }
    return found;
  }

  /** Reads the number that begins at a word. */
  #wordsAt(text: string, words: readonly Word[], start: number) {
    const number = new GrowingNumber();
    let read: { value: number; next: number; isOrdinal: boolean } | undefined;
    for (let at = start; at < words.length; ) {
      const gap = at === start ? " " : text.slice(words[at - 1]?.end, words[at]?.start);
      const { found, length } = this.#entryAt(words, at);
      // "A thirty second cache".
      const isUnit = at > start && words[at]?.one === "second";
      if (
        found === undefined ||
        isUnit ||
        !/^[\s'’-]$/.test(gap) ||
        !number.add(found, andPrefix.test(words[at]?.one ?? ""))
      )
        break;
      at += length;
      const { value, isOrdinal } = number;
      if (value !== undefined) read = { value, isOrdinal, next: at };
    }
    return read;
  }

  /** Finds the longest entry of the lexicon that begins at a word. */
  #entryAt(words: readonly Word[], at: number) {
    const { words: entries, lengths } = this.#lexicon;
    const written = words[at]?.one ?? "";
    const first = lengths.has(written) ? written : written.replace(andPrefix, "");
    for (let length = lengths.get(first) ?? 1; length > 1; length--) {
      const more = words.slice(at + 1, at + length).map(({ one }) => one);
      const found = entries.get([first, ...more].join(" "));
      if (found !== undefined) return { found, length };
    }
    return { found: numberOfWord(first, this.#lexicon), length: 1 };
  }

  #withThings(text: string, words: readonly Word[], numbers: readonly Found[]): TextNumber[] {
    const all: TextNumber[] = [];
    for (const { unitStart, ...number } of numbers.toReversed()) {
      const { start, end, isOrdinal = false, minutes, unit = {} } = number;
      const [following] = all;
      const isAlike = following !== undefined && orBetween.test(text.slice(end, following.start));
      const after = unitStart ?? end;
      const next = words.findIndex((word) => word.start >= after);
      const nextWords = next < 0 ? [] : words.slice(next, next + thingsMax);
      const [first = [], second = []] = nextWords
        .filter((word) => sameClause.test(text.slice(after, word.start)))
        .map(({ one }) => this.#thingOf(isOrdinal ? "<" : ">", one));
      // Spans of time are often of other things: "two days", "three years ago".
      const measures = Object.keys(unit).filter((measure) => !/time|months/.test(measure));
      const last = isOrdinal ? undefined : words.findLast((word) => word.end <= start);
      const isBeside = last !== undefined && sameClause.test(text.slice(last.end, start));
      all.unshift({
        ...number,
        isCount: !isOrdinal && first.length > 0,
        things: new Set([
          ...(isAlike ? following.things : [...first, ...second]),
          ...[...measures, ...(minutes === undefined ? [] : ["clock"])].map((one) => `>${one}`),
          ...(isBeside ? this.#thingOf("<", last.one) : []),
        ]),
      });
    }
    return all;
  }

  /** Returns a word with its side; nothing for a word that says little, and for a number. */
  #thingOf(side: "<" | ">", word = ""): string[] {
    const [language = "english"] = this.languages;
    const saysLittle = stopWordsByLanguage[language].has(word) || this.#lexicon.words.has(word);
    return saysLittle || !/^\p{L}/u.test(word) ? [] : [side + word.slice(0, prefixLength)];
  }
}

function timeOf(
  written: string,
  ending = "",
): Pick<TextNumber, "minutes" | "isExact" | "value"> | undefined {
  const [hours = "", minutes = "0"] = written.split(/\D/);
  const half = ending.toLowerCase().replace(".", "");
  const isAmerican = half === "am" || half === "pm";
  const hour = Number(hours);
  if (hour > (isAmerican ? 12 : 24) || Number(minutes) > 59) return undefined;
  const inDay = isAmerican ? (hour % 12) + (half === "pm" ? 12 : 0) : hour;
  const isExact = isAmerican || hour > 12 || hour === 0 || hours.startsWith("0");
  return {
    minutes: inDay * 60 + Number(minutes),
    isExact,
    ...(minutes === "0" && { value: hour }),
  };
}

/** Leaves out words for one that are articles. A list of numbers has none. */
function withoutArticles(text: string, numbers: readonly Found[]): Found[] {
  const isListed = (one?: Found, other?: Found) =>
    one !== undefined && other !== undefined && list.test(text.slice(one.end, other.start));
  return numbers.filter(
    (number, at) =>
      number.isArticle !== true ||
      isListed(numbers[at - 1], number) ||
      isListed(number, numbers[at + 1]),
  );
}

/** Makes one number of "950 euros and 80 cents", and of "three to two". */
function joined(text: string, numbers: readonly Found[]): Found[] {
  const all: Found[] = [];
  for (const one of numbers) {
    const last = all.at(-1);
    const between = last === undefined ? "" : text.slice(last.end, one.start);
    if (last?.value === undefined || one.value === undefined) all.push(one);
    else if (to.test(between) && (last.minutes ?? one.minutes) === undefined) {
      const { value: _, ...rest } = { ...last, ...one, start: last.start };
      all[all.length - 1] = { ...rest, pair: [last.value, one.value] };
    } else {
      const { unit = {} } = last;
      const part = Object.entries(one.unit ?? {}).find(
        ([measure, size]) => (unit[measure] ?? 0) > size,
      );
      if (part === undefined || !sum.test(between)) all.push(one);
      else {
        const [measure, size] = part;
        const whole = unit[measure] ?? 1;
        const value = last.value + (one.value * size) / whole;
        all[all.length - 1] = { ...last, end: one.end, value, unit: { [measure]: whole } };
      }
    }
  }
  return all;
}

const romanDigits: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 };

/** Returns the value of a number in Roman figures up to 89; `undefined` if it is none. */
function valueOfRoman(written: string): number | undefined {
  if (!/^(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/.test(written)) return undefined;
  const digits = Array.from(written, (digit) => romanDigits[digit] ?? 0);
  return digits.reduce((all, one, at) => all + (one < (digits[at + 1] ?? 0) ? -one : one), 0);
}
