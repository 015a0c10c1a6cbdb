import type { Language } from "../stop-words.js";
import { TimeGrammar } from "./time-grammar.js";
import { latinTimeLanguages, type TimeMeaning, timeLanguages } from "./time-lexicon.js";
import { type TextToken, tokensOf } from "./time-tokens.js";
import type { TimeLanguage } from "./time-words.js";
import type { TimeExpression } from "./written-time.js";

/**
 * Reads the times of a text that name days: dates, times relative to the day of the text, ranges.
 * Takes time linear in the length of the text.
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
): readonly TimeExpression[] {
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
  return best;
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
