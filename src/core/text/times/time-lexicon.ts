import { latinTimeWords, type TimeLanguage, timeWordsByLanguage } from "./time-words.js";
import type { TimeWords } from "./word-lists.js";

/** The kinds of words whose lists have no order. Each is a field of `TimeWords`. */
const plainKinds = [
  ...(["ago", "ahead", "before", "after", "since", "until", "from", "to", "between"] as const),
  ...(["and", "onward", "in", "fill", "not", "hours", "at", "other", "less", "more"] as const),
] as const satisfies readonly (keyof TimeWords)[];

/**
 * What a word or number can be within a time. `weak`: it counts only beside other words of a time.
 * `clock`: an hour in figures.
 */
export const timeKinds = [
  ...plainKinds,
  ...(["month", "weekday", "dayShift", "shift", "unit", "number", "ordinal", "part"] as const),
  ...(["weak", "year", "ordinalDay", "date", "clock"] as const),
] as const;

/** The units of `TimeWords.spans`: week, month, year. */
const spanUnits = [1, 3, 4];

export type TimeKind = (typeof timeKinds)[number];

/** What a word can be in one language. Values by kind: 1 to 12 for a month, for example. */
export type TimeMeaning = Partial<Record<TimeKind, number>>;

/**
 * The units of times, in the order of `TimeWords.units`. A half comes after them: it is counted
 * only within a year or month.
 */
export const timeUnits = ["day", "week", "weekend", "month", "year", "quarter"] as const;
/** The value of a half among the units. */
export const halfUnit = timeUnits.length;
export type TimeUnit = (typeof timeUnits)[number];

/** An entry of the lexicon: one or several words, which mean one or several parts of a time. */
export interface LexiconEntry {
  /** Matches the words after the first one. Absent: the entry is one word. */
  readonly more: RegExp | undefined;
  /** The entry as the lexicon writes it. */
  readonly written: string;
  /** Whether a language in Latin script has the entry. */
  isLatin: boolean;
  /** By language: what the entry means. "One day" can be a number and a unit, so it is a list. */
  readonly meanings: Map<TimeLanguage, TimeMeaning[]>;
}

export const timeLanguages = Object.keys(timeWordsByLanguage) as readonly TimeLanguage[];

/** The languages in Latin script. */
export const latinTimeLanguages: ReadonlySet<TimeLanguage> = new Set(
  Object.keys(latinTimeWords) as TimeLanguage[],
);

/** The languages that write no spaces between words. */
export const joinedLanguages: ReadonlySet<TimeLanguage> = new Set(["chinese", "japanese"]);

/** Entries by their first word; the most specific ones come first. */
const wholeWords = new Map<string, LexiconEntry[]>();
/** Entries whose only word is the beginning of a word, by its first three letters. */
const stems = new Map<string, (LexiconEntry & { readonly stem: string })[]>();
/** Entries of the joined languages. */
const joined = new Map<string, LexiconEntry>();
let joinedLengthMax = 0;
const stemKeyLength = 3;
const none: readonly LexiconEntry[] = [];

for (const language of timeLanguages) addWords(language, timeWordsByLanguage[language]);
for (const entries of wholeWords.values())
  entries.sort((a, b) => b.written.split("_").length - a.written.split("_").length);

/** Returns the entries that begin with a word, in lower case; longer entries come first. */
export function entriesOf(word: string): readonly LexiconEntry[] {
  const whole = wholeWords.get(word) ?? none;
  const sameStart = stems.get(word.slice(0, stemKeyLength));
  if (sameStart === undefined) return whole;
  const found = sameStart.filter(({ stem }) => word.startsWith(stem));
  return whole.length === 0 ? found : [...whole, ...found];
}

/** Returns the longest entry of a joined language at a position of a text, with its length. */
export function joinedEntryAt(
  text: string,
  at: number,
): { readonly entry: LexiconEntry; readonly length: number } | undefined {
  for (let length = joinedLengthMax; length > 0; length--) {
    const entry = joined.get(text.slice(at, at + length));
    if (entry !== undefined && at + length <= text.length) return { entry, length };
  }
  return undefined;
}

function addWords(language: TimeLanguage, words: TimeWords): void {
  const addAll = (kind: TimeKind, list: string, value = 1) => {
    for (const word of wordsOf(list)) addWord(language, word, [{ [kind]: value }]);
  };
  for (const [kind, list, firstValue] of orderedLists(words))
    for (const [at, group] of list.split("|").entries()) addAll(kind, group, at + firstValue);
  for (const [unit, group] of (words.duals ?? "").split("|").entries())
    for (const word of wordsOf(group)) addWord(language, word, [{ number: 2 }, { unit }]);
  for (const [at, group] of (words.spans ?? "").split("|").entries()) {
    const unit = spanUnits[Math.floor(at / 3)] ?? 0;
    for (const word of wordsOf(group)) addWord(language, word, [{ shift: (at % 3) - 1 }, { unit }]);
  }
  for (const kind of plainKinds) addAll(kind, words[kind] ?? "");
}

/** The lists with a fixed order: what their words are, and the value of the first entry. */
function orderedLists(words: TimeWords): readonly (readonly [TimeKind, string, number])[] {
  return [
    ["month", words.months ?? "", 1],
    ["weekday", words.weekdays ?? "", 1],
    ["dayShift", words.days ?? "", -2],
    ["shift", words.shifts ?? "", -2],
    ["unit", words.units ?? "", 0],
    ["number", words.numbers ?? "", 1],
    ["ordinal", words.ordinals ?? "", 1],
    ["part", words.parts ?? "", 0],
  ];
}

function wordsOf(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

function addWord(language: TimeLanguage, written: string, meaning: readonly TimeMeaning[]): void {
  const isWeak = written.endsWith("~");
  const isStem = written.endsWith("*");
  const word = isWeak || isStem ? written.slice(0, -1) : written;
  const meanings = isWeak ? meaning.map((one) => ({ ...one, weak: 1 })) : meaning;
  const isLatin = latinTimeLanguages.has(language);
  if (joinedLanguages.has(language)) {
    const entry = joined.get(word) ?? { more: undefined, written, isLatin, meanings: new Map() };
    joined.set(word, entry);
    joinedLengthMax = Math.max(joinedLengthMax, word.length);
    addMeaning(entry, language, meanings);
    return;
  }
  const [first = "", ...rest] = word.split("_");
  const ending = isStem ? "\\p{L}*" : "(?!\\p{L})";
  const between = String.raw`(?:\s{1,3}|[-'’])`;
  const more =
    rest.length === 0
      ? undefined
      : new RegExp(`${rest.map((one) => between + one).join("")}${ending}`, "uy");
  const created = { more, written: isStem ? `${word}*` : word, isLatin, meanings: new Map() };
  if (isStem && more === undefined) {
    const key = first.slice(0, stemKeyLength);
    const same = stems.get(key) ?? [];
    stems.set(key, same);
    const entry = same.find(({ stem }) => stem === first) ?? { ...created, stem: first };
    if (!same.includes(entry)) same.push(entry);
    entry.isLatin ||= isLatin;
    addMeaning(entry, language, meanings);
    return;
  }
  const same = wholeWords.get(first) ?? [];
  wholeWords.set(first, same);
  const entry = same.find((one) => one.written === created.written) ?? created;
  if (!same.includes(entry)) same.push(entry);
  entry.isLatin ||= isLatin;
  addMeaning(entry, language, meanings);
}

function addMeaning(
  { meanings }: LexiconEntry,
  language: TimeLanguage,
  added: readonly TimeMeaning[],
): void {
  const [meaning = {}, ...rest] = meanings.get(language) ?? [];
  const [first, ...others] = added;
  meanings.set(language, [{ ...meaning, ...first }, ...rest, ...others]);
}
