import type { Language } from "./stop-words.js";
import { type TimeLanguage, timeWordsByLanguage } from "./times/time-words.js";
import type { TimeWords } from "./times/word-lists.js";

/** The greatest number that `smallNumberOf` reads. */
export const smallNumberMax = 31;

const englishNumbers = `
  one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | thirteen |
  fourteen | fifteen | sixteen | seventeen | eighteen | nineteen | twenty`;
const englishOrdinals = `
  first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh |
  twelfth`;
const englishTens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const hanNumbers = "一 | 二 两 兩 | 三 | 四 | 五 | 六 | 七 | 八 | 九 | 十";
/** Number words from one on that also mean something else: "one of them", "my first thought". */
const ambiguousMax = { number: 1, ordinal: 2 };
/** Matches a figure with the ending of an ordinal or of a time of day. */
const figure = /^(\d{1,2})(st|nd|rd|th|am|pm|h|uhr)?$/iu;

/** A language of texts. Chinese stands for Japanese too. */
export type NumberLanguage = Language | "chinese";

const known = new Map<NumberLanguage, NumberWords>();

/** The words of a language for small numbers; by number less one, or by word. */
interface NumberWords {
  readonly numbers: readonly (readonly string[])[];
  readonly ordinals: readonly (readonly string[])[];
  readonly numberOf: ReadonlyMap<string, number>;
}

function wordsOf(language: NumberLanguage = "english"): NumberWords {
  let words = known.get(language);
  if (words === undefined) {
    words = readWords(language);
    known.set(language, words);
  }
  return words;
}

function readWords(language: NumberLanguage): NumberWords {
  const ofTimes: TimeWords | undefined = timeWordsByLanguage[language as TimeLanguage];
  const own = {
    english: { numbers: englishNumbers, ordinals: englishOrdinals },
    chinese: { numbers: hanNumbers, ordinals: "" },
  }[language as "english"];
  const numbers = listOf((own ?? ofTimes)?.numbers ?? "");
  const ordinals = listOf((own ?? ofTimes)?.ordinals ?? "");
  const numberOf = new Map<string, number>();
  const add = (lists: readonly (readonly string[])[], least: number) => {
    for (const [at, group] of lists.entries())
      if (at >= least) for (const word of group) numberOf.set(word, at + 1);
  };
  add(ordinals, ambiguousMax.ordinal);
  add(numbers, ambiguousMax.number);
  return { numbers, ordinals, numberOf };
}

/** Splits a list of `TimeWords`. Leaves out words that often mean something else. */
function listOf(list: string): readonly (readonly string[])[] {
  return list.split("|").map((group) =>
    group
      .split(/\s+/)
      .filter((word) => word !== "" && !word.endsWith("~"))
      .map((word) => word.replace("*", "").replaceAll("_", " ")),
  );
}

/**
 * Returns the number that a figure or a word of a query stands for, up to `smallNumberMax`;
 * `undefined` if there is none.
 *
 * @param word In lower case.
 */
export function smallNumberOf(
  word: string,
  language: NumberLanguage | undefined,
): number | undefined {
  const figures = figure.exec(word)?.[1];
  const number = figures === undefined ? wordsOf(language).numberOf.get(word) : Number(figures);
  return number !== undefined && number > 0 && number <= smallNumberMax ? number : undefined;
}

/** Returns the spellings of a number up to 999,999: in figures, in words, as an ordinal, Roman. */
export function spellingsOfNumber(number: number, language?: NumberLanguage): string[] {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  const isTeen = number > 10 && number < 14;
  const isHour = number <= 12;
  const inEnglish = wordsOf("english");
  return [
    ...new Set([
      String(number),
      `${number}${isTeen ? "th" : ending}`,
      ...(isHour ? [`${number}am`, `${number}pm`] : []),
      ...[inEnglish, wordsOf(language)].flatMap(({ numbers, ordinals }) => [
        ...(numbers[number - 1] ?? []),
        ...(ordinals[number - 1] ?? []),
      ]),
      ...(number > 20 ? [inEnglishWords(number)] : []),
      ...(number > 1 && number < 90 ? [romanOf(number)] : []),
    ]),
  ];
}

/** Returns the words of a number above 20, without "and", and without "one" before "hundred". */
function inEnglishWords(number: number): string {
  if (number >= 1000) {
    const [thousands, rest] = [Math.floor(number / 1000), number % 1000];
    const before = thousands > 1 ? `${inEnglishWords(thousands)} ` : "";
    return `${before}thousand ${rest === 0 ? "" : inEnglishWords(rest)}`.trim();
  }
  const units = listOf(englishNumbers);
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  const tens = rest >= 20 ? englishTens[Math.floor(rest / 10) - 2] : undefined;
  const last = units[(tens === undefined ? rest : rest % 10) - 1]?.[0];
  const ofHundreds =
    hundreds === 0 ? [] : [hundreds > 1 ? units[hundreds - 1]?.[0] : "", "hundred"];
  return [...ofHundreds, tens, last].filter((word) => word !== undefined && word !== "").join(" ");
}

const romanDigits = [
  ["L", 50],
  ["XL", 40],
  ["X", 10],
  ["IX", 9],
  ["V", 5],
  ["IV", 4],
  ["I", 1],
] as const;

/** Returns a number from 1 to 89 in Roman figures. */
export function romanOf(number: number): string {
  let rest = number;
  let roman = "";
  for (const [digit, value] of romanDigits)
    while (rest >= value) {
      roman += digit;
      rest -= value;
    }
  return roman;
}

/** Returns the value of a number in Roman figures up to 50; `undefined` if it is none. */
export function valueOfRoman(written: string): number | undefined {
  for (let value = 1; value <= 50; value++) if (romanOf(value) === written) return value;
  return undefined;
}
