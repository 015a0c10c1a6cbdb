import type { Language } from "../stop-words.js";
import { TimeGrammar } from "./time-grammar.js";
import {
  joinedLanguages,
  latinTimeLanguages,
  type TimeMeaning,
  timeLanguages,
} from "./time-lexicon.js";
import { meaningsOf, type TextToken, tokensOf } from "./time-tokens.js";
import type { TimeLanguage } from "./time-words.js";
import type { TimeExpression } from "./written-time.js";

/** What a text says of times. */
export interface TextTimes {
  /** The expressions that name days: dates, times relative to the day of the text, ranges. */
  readonly expressions: readonly TimeExpression[];
  /** Whether the text has a day, a month, a span of time or an hour. */
  readonly hasTime: boolean;
  /** Whether the text has an hour of a day: `7:30`, "at seven". */
  readonly hasHour: boolean;
}

/**
 * Reads the times of a text. Takes time linear in the length of the text.
 *
 * A text of an unknown language is read in each language whose words it has, and the language that
 * reads most of it wins.
 *
 * @param language The language of its words in Latin script; `undefined` if unknown.
 * @param guesses Whether `language` may be wrong, as of a short text. Then another language that
 *   reads more wins too. It must read the whole text, or at least two words in a row.
 */
export function readTimes(
  text: string,
  language: Language | undefined,
  guesses: boolean,
): TextTimes {
  const tokens = tokensOf(text.normalize());
  let best: readonly TimeExpression[] = [];
  let bestLength = 0;
  for (const one of languagesOf(tokens, language)) {
    const isOther = language !== undefined && latinTimeLanguages.has(one) && one !== language;
    if (isOther && !guesses) continue;
    const { expressions, length } = new TimeGrammar(tokens, one).read(isOther);
    if (length <= bestLength) continue;
    best = expressions;
    bestLength = length;
  }
  return { expressions: best, ...traitsOf(tokens, language ?? "english") };
}

/** Looks for times in one language in Latin script, and in the languages of other scripts. */
function traitsOf(
  tokens: readonly TextToken[],
  language: Language,
): Pick<TextTimes, "hasTime" | "hasHour"> {
  let hasTime = false;
  let hasHour = false;
  for (const [at, token] of tokens.entries()) {
    const { entry } = token;
    if (entry === undefined && token.meaning === undefined) continue;
    // A text in Latin script is in one language. Other scripts show the language of a word.
    const isOther = entry !== undefined && !entry.isLatin;
    for (const one of isOther ? entry.meanings.keys() : [language as TimeLanguage]) {
      for (const meaning of meaningsOf(token, one)) {
        const before = meaningOf(tokens[at - 1], one);
        hasHour ||= isHour(
          meaning,
          before,
          meaningOf(tokens[at + 1], one),
          joinedLanguages.has(one),
        );
        hasTime ||= hasHour || showsTime(meaning, token, before, one);
      }
    }
  }
  return { hasTime, hasHour };
}

function meaningOf(token: TextToken | undefined, language: TimeLanguage): TimeMeaning {
  return (token && meaningsOf(token, language)[0]) ?? {};
}

function isHour(
  meaning: TimeMeaning,
  before: TimeMeaning,
  after: TimeMeaning,
  isJoined: boolean,
): boolean {
  if (meaning.clock !== undefined) return true;
  // "一点" is "a little" too.
  if (meaning.hours !== undefined && isJoined) return (before.number ?? 1) > 1;
  if (meaning.hours !== undefined) return before.number !== undefined || after.number !== undefined;
  const isNumber =
    meaning.number !== undefined && meaning.number <= 24 && meaning.unit === undefined;
  return (
    isNumber && before.at !== undefined && after.unit === undefined && after.month === undefined
  );
}

/** Whether a word is about time by itself. */
function showsTime(
  meaning: TimeMeaning,
  { isCapitalized, start, end, entry }: TextToken,
  before: TimeMeaning,
  language: TimeLanguage,
): boolean {
  const { month, weekday, dayShift, unit, hours, other, date, weak, shift } = meaning;
  if (date !== undefined) return true;
  if (weak !== undefined && weekday === undefined)
    return isCapitalized && (month === 5 || (month !== undefined && end - start > 3));
  // "天" is a day after a number, and a part of other words else.
  const isLoneSign = joinedLanguages.has(language) && end - start === 1 && entry !== undefined;
  if (isLoneSign && (unit !== undefined || hours !== undefined))
    return before.number !== undefined && !(hours !== undefined && before.number === 1);
  const isEnglishTime =
    language === "english" &&
    ((shift !== undefined && shift !== 0) ||
      meaning.ago !== undefined ||
      meaning.since !== undefined);
  return (
    isEnglishTime ||
    [month, weekday, dayShift, unit, hours, other].some((value) => value !== undefined)
  );
}

/** Whether a word can be the core of a time. Each time has one, or figures. */
function isCore(meaning: TimeMeaning | undefined): boolean {
  if (meaning === undefined) return false;
  const { month, weekday, dayShift, unit } = meaning;
  return (
    month !== undefined || weekday !== undefined || dayShift !== undefined || unit !== undefined
  );
}

/** Returns the languages that a text may have; the known language first, then English. */
function languagesOf(
  tokens: readonly TextToken[],
  known: Language | undefined,
): readonly TimeLanguage[] {
  const found = new Set<TimeLanguage>();
  const hasYear = tokens.some(({ meaning }) => (meaning?.year ?? meaning?.date) !== undefined);
  if (hasYear) found.add("english");
  for (const { entry } of tokens) {
    if (entry === undefined) continue;
    for (const [language, [one, two]] of entry.meanings)
      if (hasYear || isCore(one) || isCore(two)) found.add(language);
  }
  const first = timeLanguages.find((language) => language === known);
  const ordered = timeLanguages.filter((language) => found.has(language));
  return first === undefined || !found.has(first)
    ? ordered
    : [first, ...ordered.filter((language) => language !== first)];
}
