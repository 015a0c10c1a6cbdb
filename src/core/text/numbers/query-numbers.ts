import { languageOfWord, languagesOfText } from "../languages.js";
import type { Language } from "../stop-words.js";
import { unspaced } from "../words.js";
import { NumberReader, orBetween, type TextNumber } from "./numbers-in-text.js";
import { plainNumbers } from "./plain-numbers.js";
import { isSameAmount } from "./units.js";

/** A number, code or id that a query asks for. */
interface Asked {
  readonly start: number;
  readonly end: number;
  /** Whether every text without it is about something else, as of a code or a great number. */
  readonly isName: boolean;
  /** Whether a text lacks it and is about another one. */
  readonly isOther: (text: NumberedText) => boolean;
}

/** The numbers, codes and ids that are others than those of a query. */
export interface OtherNumbers {
  /** Whether a text is about one of them. */
  readonly isIn: (text: string) => boolean;
  /** The numbers and codes of the query that every text must have, as they are written. */
  readonly written: readonly string[];
}

interface NumberedText {
  readonly text: string;
  readonly numbers: readonly TextNumber[];
}

/** Numbers of UTF-16 units of a memory and of a query that are read, from their start. */
const readLength = 4096;
const queryLength = 1024;
/** Maximum number of numbers and codes of a query. Further ones are ignored. */
const askedMax = 8;
/** The greatest number that a text may lack if it has no other number of the same things. */
const smallMax = 31;
/** Number of UTF-16 units of the longest code that is read. */
const codeLengthMax = 128;
/** A code of at least this many figures may be divided anywhere, such as an IBAN. */
const longLength = 7;
/** A phone number of at least this many figures may lack its country. */
const phoneLengthMin = 8;
const secondsInDay = 86_400;

const letterOrDigit = String.raw`[\p{L}\p{N}]`;
const digitRun = String.raw`[\p{L}\p{N}]{0,40}\p{N}[\p{L}\p{N}]*`;
/**
 * Matches words with digits that stand together, with the letters of the code before them; groups
 * of capitals with hyphens; or capitals that nobody can pronounce. Every repetition is bounded.
 */
const codes = new RegExp(
  String.raw`(?<!${letterOrDigit})(?:\+?\(?(?:\p{L}{1,16}[-_]|(?!(?:[AI]|ID|NO|NR)\s)\p{Lu}{1,2}\s(?=\d)|` +
    String.raw`(?<=\p{L}\s)[b-df-hjl-np-rtx]\s(?=\d))?` +
    String.raw`${digitRun}(?:[ \-_.'’/:()]{1,3}${digitRun}){0,15}` +
    String.raw`|(?:\p{Lu}{2,8}(?:[-/]\p{Lu}{2,8}){1,4}|` +
    `(?=[A-Z]*[B-DF-HJ-NP-TV-Z]{4})[A-Z]{6,8})(?!${letterOrDigit}))`,
  "gu",
);
/** Matches a capital with the word before it: "vitamin C". */
const lettered = /\p{L}+\s[A-HJ-Z](?![\p{L}\p{N}])(?!['’](?!s\b)|[.&-]\S|\.\s\p{Lu})/gu;
const phones = /\d[\d ()/.-]{5,24}\d/g;
const decade = /^\d{1,4}s$/iu;
const dates =
  /^(?:(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|(?:\d{1,2}[-/.]){2}(?:19|20)?\d\d|(?:19|20)\d\d[-/](?:19|20)\d\d)$/;
const hashes = /\b[0-9a-f]{7,64}\b/g;
const hash = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/;
/** Matches what stands between codes of which a text may have any. */
const and =
  /^[\s,]*(?:and|und|et|y|e|en|och|og|ja|és|a|i|ve|și|dan|và|и|та|και|ו|و|和|と)?\s*#?$/iu;

/**
 * Reads the numbers, codes and ids of a query. Digits in common are no likeness of meaning: a text
 * about another order answers nothing. Returns `undefined` if the query has none.
 *
 * @param namesDate Whether the query names a date. Its days and years are then no numbers.
 */
export function otherNumbersOf(query: string, namesDate: boolean): OtherNumbers | undefined {
  const text = plainNumbers(query.slice(0, queryLength));
  const languages = languagesIn(text);
  const numbers = NumberReader.of(languages).read(text);
  const named = [...codesIn(text, numbers, namesDate)];
  const asked = numbers
    .filter((number) => asks(text, number, namesDate))
    .filter((number) => !named.some(({ start, end }) => start < number.end && number.start < end))
    .map((number) => askedNumber(number, text));
  const all = [...named, ...asked].sort((a, b) => a.start - b.start).slice(0, askedMax);
  const groups = alternativesOf(text, all);
  if (groups.length === 0) return undefined;
  const isIn = (memory: string) => {
    const plain = plainNumbers(memory.slice(0, readLength));
    const read = { text: plain, numbers: NumberReader.of(languages).read(plain) };
    return groups.some((group) => group.every(({ isOther }) => isOther(read)));
  };
  const names = groups
    .filter((group) => group.length === 1)
    .flat()
    .filter(({ isName }) => isName);
  return { isIn, written: names.map(({ start, end }) => text.slice(start, end)) };
}

/** Languages that are hard to tell apart in a short text. */
const related: readonly (readonly Language[])[] = [
  ["french", "spanish", "portuguese", "italian", "romanian"],
  ["danish", "norwegian", "swedish"],
  ["german", "dutch"],
  ["polish", "czech"],
  ["russian", "ukrainian", "bulgarian", "serbian"],
  ["arabic", "persian"],
];
const scripts: readonly RegExp[] = [
  ...[/\p{sc=Latin}+/u, /\p{sc=Cyrillic}+/u, /\p{sc=Arabic}+/u, /\p{sc=Greek}+/u],
  ...[/\p{sc=Hebrew}+/u, /\p{sc=Devanagari}+/u, /\p{sc=Armenian}+/u, /\p{sc=Tamil}+/u],
];

/** Returns the languages in which numbers are read. The first ones are the most probable. */
function languagesIn(text: string): readonly Language[] {
  const languages = languagesOfText(text);
  const found = scripts.flatMap((script): Language[] => {
    const [word] = script.exec(text) ?? [];
    const language = word === undefined ? undefined : languageOfWord(word, languages);
    if (language === undefined) return word === undefined ? [] : ["english"];
    return [language, ...(related.find((group) => group.includes(language)) ?? [])];
  });
  return [...new Set(found)];
}

/** Groups the numbers and codes of which a text needs only one: "order 48231 or 48299". */
function alternativesOf(text: string, all: readonly Asked[]): Asked[][] {
  const groups: Asked[][] = [];
  for (const one of all) {
    const last = groups.at(-1)?.at(-1);
    const between = text.slice(last?.end, one.start);
    const isListed = and.test(between) && one.isName && last?.isName === true;
    if (last !== undefined && (isListed || orBetween.test(between))) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Whether a number of a query asks for itself: not for a date, nor as the word "first" alone. */
function asks(text: string, number: TextNumber, namesDate: boolean): boolean {
  const { value = 0, unit = {}, isOrdinal, pair, minutes, things } = number;
  const written = text.slice(number.start, number.end);
  const isWord = !/\d|^[IVXL]+$/.test(written);
  if (decade.test(written)) return false;
  if (namesDate && minutes === undefined) {
    if ("months" in unit || (unit["time"] ?? 0) >= secondsInDay) return false;
    const isBare = !isWord && pair === undefined && Object.keys(unit).length === 0;
    if (isBare && (value <= 31 || (value >= 1900 && value < 2100))) return false;
  }
  if (!isWord || value > (isOrdinal ? 2 : 1) || value === 0) return true;
  return !("time" in unit) && [...things].some((thing) => thing.startsWith(isOrdinal ? "<" : ">"));
}

function isSmall({ value, groups, pair }: TextNumber): boolean {
  const isPlain = Number.isInteger(value) && (groups ?? pair) === undefined;
  return isPlain && Math.abs(value as number) <= smallMax;
}

function askedNumber(number: TextNumber, query: string): Asked {
  const { start, end, value = 0, unit, groups, things, minutes } = number;
  const isName = !isSmall(number) || /^[IVXL]{2,}$/.test(query.slice(start, end));
  const isPlain = isName && Number.isInteger(value) && (unit ?? groups ?? minutes) === undefined;
  const code = isPlain && value > smallMax ? codePattern(String(value)) : undefined;
  const isOther = ({ text, numbers }: NumberedText) => {
    const same = numbers.filter((other) => isSame(number, other));
    const others = numbers.filter((other) => !same.includes(other));
    const rivals = others.filter((other) => sharesThing(number, other));
    // "Two brothers" are not the two sisters, if there is one sister.
    const areOthers = same.every((one) => one.isCount && !sharesThing(number, one));
    if (isName) return same.length === 0 && code?.test(text) !== true;
    if (same.length > 0) return areOthers && rivals.length > 0;
    if (unspaced.test(query)) return others.length > 0;
    return rivals.length > 0 || (things.size === 0 && others.some(isSmall));
  };
  return { start, end, isName, isOther };
}

function sharesThing(one: TextNumber, other: TextNumber): boolean {
  return [...one.things].some((thing) => other.things.has(thing));
}

function isSame(asked: TextNumber, other: TextNumber): boolean {
  if (asked.minutes !== undefined && other.minutes !== undefined) {
    const areExact = asked.isExact === true && other.isExact === true;
    return (asked.minutes - other.minutes) % (areExact ? 1440 : 720) === 0;
  }
  if (asked.pair !== undefined && other.pair !== undefined)
    return asked.pair.join() === other.pair.join();
  if (other.pair !== undefined && other.value === undefined) return isWithin(asked, other.pair);
  const hasUnit = (asked.unit ?? other.unit) !== undefined;
  const areVersions = [asked, other].every(
    ({ groups, value }) => groups ?? Number.isInteger(value),
  );
  if (!hasUnit && areVersions && (asked.groups ?? other.groups) !== undefined)
    return isPart(asked, other);
  if (asked.value === undefined || other.value === undefined)
    return isHour(asked, other) || isHour(other, asked);
  return isSameAmount(asked.value, asked.unit, other.value, other.unit);
}

function isWithin({ value = Number.NaN }: TextNumber, [first, last]: readonly [number, number]) {
  return value === first || value === last || (value > first && value < last);
}

function isHour({ minutes }: TextNumber, { value, unit }: TextNumber): boolean {
  return unit === undefined && value !== undefined && ((minutes ?? 1) / 60) % 12 === value % 12;
}

/** Whether one version is part of the other: 20 of "Node 20.11". Zeros at the end say nothing. */
function isPart(asked: TextNumber, other: TextNumber): boolean {
  const [own, all] = [asked, other].map(({ groups, value }) => {
    const written = groups ?? [String(value)];
    return written.slice(0, written.findLastIndex((one, at) => at === 0 || !/^0*$/.test(one)) + 1);
  }) as [string[], string[]];
  const isNegative = ({ value = 0 }: TextNumber) => value < 0;
  if (isNegative(asked) !== isNegative(other) || !own.every((one, at) => one === all[at]))
    return false;
  const isNamed = [...asked.things].some(
    (thing) => thing.startsWith("<") && other.things.has(thing),
  );
  return own.length === all.length || own.length > 1 || isNamed;
}

/** Finds the codes and ids of a query, and the numbers that are written like one. */
function* codesIn(
  text: string,
  numbers: readonly TextNumber[],
  namesDate: boolean,
): Generator<Asked> {
  const isRead = (from: number, to: number) =>
    numbers.some(({ start, end }) => start <= from && to <= end);
  for (const { 0: written, index: start } of text.matchAll(codes)) {
    const end = start + written.length;
    if (written.length > codeLengthMax) continue;
    const digits = written.replace(/\D/g, "");
    const isWord = /\p{L}/u.test(written);
    const isLong = digits.length >= longLength && !isWord && !isRead(start, end);
    const words = Array.from(written.matchAll(/[\p{L}\p{N}]+/gu));
    const isKnown = words.every(
      ({ 0: one, index: at }) => decade.test(one) || isRead(start + at, start + at + one.length),
    );
    if (isLong ? namesDate && dates.test(written) : isKnown || !isWord) continue;
    const pattern = codePattern(written);
    yield nameAt(
      start,
      end,
      (memory) =>
        pattern.test(memory) ||
        (isLong && hasPhone(memory, digits)) ||
        (hash.test(written) && (memory.match(hashes) ?? []).some((one) => written.startsWith(one))),
    );
  }
  for (const { 0: written, index: start } of text.matchAll(lettered)) {
    const end = start + written.length;
    const [pattern, capital] = [codePattern(written), codePattern(written.slice(-1), "u")];
    yield nameAt(end - 1, end, (memory) => pattern.test(memory) || capital.test(memory));
  }
}

function nameAt(start: number, end: number, isInText: (text: string) => boolean): Asked {
  return { start, end, isName: true, isOther: ({ text }) => !isInText(text) };
}

/** Whether a text has a phone number, with its country or as it is dialled inside the country. */
function hasPhone(text: string, digits: string): boolean {
  const own = digits.replace(/^0+/, "");
  return (text.match(phones) ?? []).some((phone) => {
    const other = phone.replace(/\D/g, "").replace(/^0+/, "");
    const isPart = other.endsWith(own) || own.endsWith(other);
    return other === own || (isPart && Math.min(other.length, own.length) >= phoneLengthMin);
  });
}

/** Returns a pattern that matches a code, however it is divided. A hash may be longer. */
function codePattern(code: string, flags = "iu"): RegExp {
  const joined = code.replace(/[^\p{L}\p{N}]/gu, "");
  const isLong = joined.length >= longLength;
  const parts = isLong ? Array.from(joined) : (code.match(/\p{L}+|\p{N}+/gu) ?? []);
  const pattern = hash.test(code) ? `${code}[0-9a-f]*` : parts.join("[\\s\\-_.,'’/:()]{0,3}");
  return new RegExp(`(?<!${letterOrDigit})${pattern}(?!${letterOrDigit})`, flags);
}
