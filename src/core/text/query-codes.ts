import { countsOthers } from "./counted-words.js";
import { languageOfWord, languagesOfText, type TextLanguages } from "./languages.js";
import { numberForms } from "./number-forms.js";
import {
  type NumberLanguage,
  smallNumberMax,
  smallNumberOf,
  spellingsOfNumber,
  valueOfRoman,
} from "./number-spellings.js";
import { checkOf, type IsIn } from "./quantities.js";
import { type Language, latinLanguages } from "./stop-words.js";
import { type TimeLanguage, timeWordsByLanguage } from "./times/time-words.js";
import { unspaced } from "./words.js";

/** A number, code or id in a query, such as `48231`, `ABC-DEF`, "two", `VI` or an IBAN. */
export interface QueryCode {
  /** The spellings in which a text may have it, each as a text to search for. */
  readonly spellings: readonly string[];
  /**
   * A text without the code is about something else if it has one of these. Absent: any text
   * without the code is.
   */
  readonly rivals?: readonly string[];
  /** With `rivals`: whether a text that has one of them counts the same things as the query. */
  readonly isAbout?: (text: string) => boolean;
  /** Absent: a text has the code if it has the words of a spelling. */
  readonly isIn?: IsIn;
}

/** A code, or a small number with its value. */
type FoundCode = QueryCode & { readonly number?: number };

const digitRun = String.raw`[\p{L}\p{N}]{0,40}\p{N}[\p{L}\p{N}]*`;
/**
 * Matches words with digits that stand together, with the letters of the code before them; groups
 * of capitals with hyphens; or capitals that nobody can pronounce. Every repetition is bounded.
 */
const codes = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:\p{L}{1,16}[-_]|(?!(?:[AI]|ID|NO|NR)\s)\p{Lu}{1,2}\s(?=\d))?` +
    String.raw`${digitRun}(?:[ \-_.,'’/:()]{1,3}${digitRun}){0,15}` +
    String.raw`|(?:\p{Lu}{2,8}(?:[-/]\p{Lu}{2,8}){1,4}|(?=[A-Z]*[B-DF-HJ-NP-TV-Z]{4})[A-Z]{5,8})(?![\p{L}\p{N}]))`,
  "gu",
);
/** Matches a capital or a Roman number after a word: "vitamin C", "chapter VI". */
const capitals = /(?<=\p{L}\s)(?:[A-HJ-Z]|[IVXL]{2,7})(?![\p{L}\p{N}])(?!['’](?!s\b)|[.&-]\S)/gu;
/** Matches the Roman number one, and not the pronoun "I". */
const romanOne =
  /\b(?:war|chapter|part|volume|book|act|phase|type|level|class|stage|section)\sI(?!\p{L}|['’])/iu;
/** Matches the places between figures and letters of a script without spaces. */
const figureBesideUnspaced = new RegExp(
  String.raw`(?<=${unspaced.source})(?=\d)|(?<=\d)(?=${unspaced.source})`,
  "gu",
);
const words = /[\p{L}\p{M}]+/gu;
/** Matches a Chinese numeral before a word that counts things. */
const hanAmount =
  /[二两兩三四五六七八九十](?=[个個只隻本张張条條位名次杯瓶块塊天年月岁歳人匹枚台件双份])/gu;
/** Matches the word after a figure: "50 mg". */
const afterFigure = /^\s(\p{L}{1,12})(?![\p{L}\p{N}])/u;
/** Matches a version or its like, with or without the letter before it. */
const version = /^v?(\d{1,4}(?:\.\d{1,6}){1,4})$/iu;
const fractionAfterFigure = /(?<=\d)[½¼¾]/g;
const decimalsOf: Readonly<Record<string, string>> = { "½": ".5", "¼": ".25", "¾": ".75" };
/** Matches a letter that stands before a figure, such as the "b" of "room b 204". */
const letterBefore = /(?<![\p{L}\p{N}])(\p{L})\s$/u;
/** Matches ordinals that often mean something else, where they count: "the second floor". */
const earlyOrdinal = /\b(?:the|my|his|her|our|their|your|its)\s(first|second)\s\p{L}/iu;
const separators = /[^\p{L}\p{N}]+/gu;
const decade = /^\d{1,4}s$/iu;
const dayOrMonth = /^(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/;
const year = /^(?:19|20)\d\d$/;
/** Matches the places between the letters and the digits of a code. */
const letterBesideDigit = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;
/** Matches a code that is often written in groups of four, such as an IBAN. */
const longCode = /^[\p{L}\p{N}]{12,40}$/u;
/** Maximum number of codes of a query. Further ones are ignored. */
const codesMax = 8;
/** Maximum number of figures and codes that are read. Some of them may belong to a date. */
const figuresMax = 32;

/**
 * Finds the numbers, codes and ids in a query.
 *
 * @param namesDate Whether the query names a date. Its days and years are then no codes.
 */
export function codesOfQuery(query: string, namesDate: boolean): readonly QueryCode[] {
  const text = query
    .replace(fractionAfterFigure, (sign) => decimalsOf[sign] ?? sign)
    .normalize("NFKC")
    .replace(figureBesideUnspaced, " ");
  const languages = languagesOfText(text);
  const main = unspaced.test(text) ? "chinese" : languages.latin;
  const inFigures = figuresIn(text, namesDate, main);
  const inWords = numbersIn(text, namesDate, languages);
  const found = [...inFigures, ...capitalsIn(text, main), ...inWords].slice(0, codesMax);
  return found.map(({ number, ...code }) =>
    number === undefined
      ? code
      : { ...code, isAbout: (memory) => countsOthers(memory, text, number, languages.latin) },
  );
}

/** Finds small numbers in words and in Chinese numerals, each once. */
function numbersIn(text: string, namesDate: boolean, languages: TextLanguages): FoundCode[] {
  const found = new Map<number, FoundCode>();
  for (const { 0: written, index } of text.matchAll(words)) {
    const word = written.toLowerCase();
    const [language, number] = numberIn(word, languageOfWord(word, languages));
    if (number === undefined || found.has(number)) continue;
    const next = text.slice(index + written.length, index + written.length + 32).trimStart();
    if (!(namesDate && startsWithUnit(next, language)))
      found.set(number, checked(numberCode(number, language), String(number), "", ` ${next}`));
    if (found.size === codesMax) break;
  }
  for (const [numeral] of text.matchAll(hanAmount)) {
    const number = smallNumberOf(numeral, "chinese") ?? 0;
    if (number > 0 && !found.has(number)) found.set(number, numberCode(number, "chinese"));
    if (found.size === codesMax) break;
  }
  const [, early] = earlyOrdinal.exec(text) ?? [];
  const number = early?.toLowerCase() === "first" ? 1 : 2;
  if (early !== undefined && !found.has(number)) found.set(number, numberCode(number));
  return [...found.values()];
}

/** Adds the check of a figure that may be part of another number, or spelled otherwise. */
function checked<Code extends QueryCode>(
  code: Code,
  written: string,
  before: string,
  after: string,
): Code {
  const isIn = checkOf({ written, before, after }, code.spellings);
  return isIn === undefined ? code : { ...code, isIn };
}

/**
 * Returns the number that a word stands for, with its language. Languages such as Spanish and
 * Portuguese are hard to tell apart in a short query, so another language than English may be any.
 */
function numberIn(
  word: string,
  language: Language = "english",
): readonly [Language, number | undefined] {
  const number = smallNumberOf(word, language);
  if (number !== undefined || language === "english") return [language, number];
  for (const other of latinLanguages) {
    const found = other === "english" ? undefined : smallNumberOf(word, other);
    if (found !== undefined) return [other, found];
  }
  return [language, undefined];
}

function figuresIn(text: string, namesDate: boolean, language?: NumberLanguage): FoundCode[] {
  const found = Array.from(text.matchAll(codes)).slice(0, figuresMax);
  return found.flatMap(({ 0: written, index }): FoundCode[] => {
    const before = text.slice(Math.max(0, index - 8), index);
    const after = text.slice(index + written.length, index + written.length + 24);
    const [, unit = ""] = afterFigure.exec(after) ?? [];
    const groups = written.split(separators).filter((group) => group !== "");
    if (groups.every((group) => decade.test(group))) return [];
    const isTime = written.includes(":");
    if (namesDate && !isTime && groups.every((group) => dayOrMonth.test(group) || year.test(group)))
      return [];
    const [only = "", ...others] = groups;
    const number = others.length === 0 ? smallNumberOf(only.toLowerCase(), language) : undefined;
    if (number !== undefined) {
      const code = numberCode(number, language);
      const afterNoon = /pm$/iu.test(only + unit) ? [String(number + 12)] : [];
      const spellings = [...code.spellings, ...afterNoon];
      return [checked({ ...code, spellings }, written, before, after)];
    }
    const withUnit = /^\d+$/.test(written) && unit !== "" ? [written + unit] : [];
    const [, letter] = letterBefore.exec(before) ?? [];
    const withLetter = letter === undefined ? [] : [letter + only];
    const spellings = [...spellingsOf(written, groups, language), ...withUnit, ...withLetter];
    return [checked({ spellings }, written, before, after)];
  });
}

function capitalsIn(text: string, language?: NumberLanguage): FoundCode[] {
  const matches = Array.from(text.matchAll(capitals)).slice(0, codesMax);
  const found = matches.map(([written]): FoundCode => {
    const value = valueOfRoman(written);
    const others = value === undefined ? [] : spellingsOfNumber(value, language);
    return { spellings: [written, ...others] };
  });
  return romanOne.test(text) ? [...found, numberCode(1)] : found;
}

/** Returns a small number. Only another number of a memory contradicts it: "my 2 cats". */
function numberCode(number: number, language?: NumberLanguage): FoundCode {
  const spellings = spellingsOfNumber(number, language);
  const own = new Set(spellings);
  const all = Array.from({ length: smallNumberMax }, (_, i) => spellingsOfNumber(i + 1, language));
  // The words for one are articles in many languages.
  const rivals = all.flatMap((list, i) => (i === 0 ? [...list.slice(0, 2), "one"] : list));
  const certain = rivals.filter((one) => !own.has(one) && one !== "V");
  return { number, spellings, rivals: certain.filter((one) => one !== "X") };
}

function spellingsOf(
  written: string,
  groups: readonly string[],
  language?: NumberLanguage,
): readonly string[] {
  const joined = groups.join("");
  const inFours = longCode.test(joined) ? [(joined.match(/.{1,4}/gu) ?? []).join(" ")] : [];
  const number = /^\d{1,6}$/.test(joined) ? Number(joined) : 0;
  const [, bare] = version.exec(written) ?? [];
  return [
    ...new Set([
      written,
      joined,
      joined.toLowerCase(),
      groups.join(" ").replace(letterBesideDigit, " "),
      ...inFours,
      ...numberForms(written),
      ...(bare === undefined ? [] : [bare, `v${bare}`]),
      ...(number > 0 ? spellingsOfNumber(number, language) : []),
      ...(joined === "0" ? ["zero"] : []),
    ]),
  ];
}

/** Whether a text begins with a unit of time. */
function startsWithUnit(text: string, language: Language | undefined): boolean {
  const [next = ""] = text.toLowerCase().match(/^[\p{L}\p{M}]+/u) ?? [];
  const units: string = timeWordsByLanguage[(language ?? "english") as TimeLanguage]?.units ?? "";
  return units.split(/[\s|]+/).includes(next) && next !== "";
}
