import { type Language, latinLanguages, stopWordsByLanguage } from "./stop-words.js";

/** For each script that several languages share: the language of a text in this script. */
export interface TextLanguages {
  /** `undefined`: the text has too few signs of a language. */
  readonly latin: Language | undefined;
  /**
   * Whether the text is in English, or may be: too few signs of a language, and no letters that
   * English lacks.
   */
  readonly mayBeEnglish: boolean;
  readonly cyrillic: Language;
  readonly arabic: Language;
}

/** Number of UTF-16 units that decide about the language of a text, from its start. */
const readLength = 2048;
/**
 * Minimum number of signs, which are stop words and telling letters, to detect a language other
 * than English. Words with letters of other languages are taken off.
 */
const signsMin = 2;

/** A stop word of languages in Latin script. */
interface StopWord {
  /** The languages that have it, as bits in the order of `latinLanguages`. */
  bits: number;
  /** The number of the last text that had it. */
  text: number;
}

const latinStopWords = new Map<string, StopWord>();
for (const [bit, language] of latinLanguages.entries())
  for (const word of stopWordsByLanguage[language]) {
    const stopWord = latinStopWords.get(word) ?? { bits: 0, text: 0 };
    stopWord.bits |= 1 << bit;
    latinStopWords.set(word, stopWord);
  }
/** Number of the texts that `detectLatin` has read. */
let texts = 0;

/**
 * Letters that only one or a few languages have. If a text has any letter of a line, it has one
 * sign of each language of the line.
 */
const tellingLetters: readonly (readonly [RegExp, readonly Language[]])[] = [
  [/ß/, ["german"]],
  [/[äöü]/, ["german"]],
  [/[äöå]/, ["swedish", "finnish"]],
  [/[æøå]/, ["danish", "norwegian"]],
  [/[ñ¿¡]/, ["spanish"]],
  [/[áéíóú]/, ["spanish"]],
  [/[ãõ]/, ["portuguese"]],
  [/[çáâéêíóôú]/, ["portuguese"]],
  [/[àâçèéêëîïôùûœ]/, ["french"]],
  [/[àèéìòù]/, ["italian"]],
  [/[őű]/, ["hungarian"]],
  [/[ğşı]/, ["turkish"]],
  [/[ăâîșşțţ]/, ["romanian"]],
  [/[ąćęłńśźż]/, ["polish"]],
  [/[ěřůčšž]/, ["czech"]],
  [/[đơư]/, ["vietnamese"]],
  [/[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/, ["vietnamese"]],
];

/**
 * The letters of each language beyond a to z. A word with another letter is a sign against the
 * language. English has those of the words and names that English texts borrow most.
 */
const alphabets: readonly (readonly [Language, string])[] = [
  ["english", "àáâäåæçèéêëíîïñóôöøœúûüß"],
  ["german", "äöüßéè"],
  ["french", "àâæçéèêëîïôœùûüÿ"],
  ["spanish", "áéíñóúü"],
  ["italian", "àèéìíîòóùú"],
  ["portuguese", "àáâãçéêíóôõúü"],
  ["dutch", "àáçèéêëíïóöúü"],
  ["swedish", "àåäéöü"],
  ["danish", "åäæéøö"],
  ["norwegian", "åäæéêòóôøö"],
  ["finnish", "åäéöšž"],
  ["hungarian", "áéíóöőúüű"],
  ["turkish", "âçğıîöşûü"],
  ["romanian", "ăâîșşțţ"],
  ["indonesian", "é"],
  ["polish", "ąćęéłńóśźż"],
  ["czech", "áčďéěíňóöřšťúůüýž"],
  ["vietnamese", "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"],
];

/** By letter: the languages that have it, as bits in the order of `latinLanguages`. */
const languagesOfLetter = new Map<string, number>();
for (const [language, letters] of alphabets)
  for (const letter of letters)
    languagesOfLetter.set(
      letter,
      (languagesOfLetter.get(letter) ?? 0) | (1 << latinLanguages.indexOf(language)),
    );

/** Matches the letters of languages in Latin script beyond a to z, without signs such as º. */
const accentedLetter = /[\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]/g;

const onlyAscii = /^\p{ASCII}*$/u;
const asciiWord = /[a-z]+/gi;
const word = /[\p{L}\p{M}]+/gu;
const scripts: readonly (readonly [RegExp, Language])[] = [
  [/\p{sc=Hebrew}/u, "hebrew"],
  [/\p{sc=Greek}/u, "greek"],
  [/\p{sc=Devanagari}/u, "hindi"],
  [/\p{sc=Armenian}/u, "armenian"],
  [/\p{sc=Tamil}/u, "tamil"],
];
const latin = /\p{sc=Latin}/u;
const cyrillic = /\p{sc=Cyrillic}/u;
const arabic = /\p{sc=Arabic}/u;

/** The languages of a text of at most this many UTF-16 units are remembered. */
const rememberedLength = 256;
/** The last text without expected languages. Each search asks for its query's languages often. */
let latest: { readonly text: string; readonly languages: TextLanguages } | undefined;

/**
 * Detects the languages of a text by its script, its stop words and its letters. Reads the first
 * 2,048 UTF-16 units.
 *
 * A word with a capital does not count as a stop word: Ben, Kim and Mia are names in one language
 * and stop words in others.
 *
 * @param expected Languages that win against others with the same number of signs, except against
 *   English. Default: none.
 */
export function languagesOfText(text: string, expected: readonly Language[] = []): TextLanguages {
  if (expected.length > 0) return detect(text, expected);
  if (latest?.text === text) return latest.languages;
  const languages = detect(text, expected);
  if (text.length <= rememberedLength) latest = { text, languages };
  return languages;
}

function detect(text: string, expected: readonly Language[]): TextLanguages {
  const beginning = text.slice(0, readLength);
  const isAscii = onlyAscii.test(beginning);
  const words = beginning.match(isAscii ? asciiWord : word) ?? [];
  if (isAscii) return detectLatin(words, [], expected);
  const others = words
    .filter((one) => !onlyAscii.test(one))
    .map((one) => one.normalize().toLowerCase());
  const other = others.join(" ");
  const { latin, mayBeEnglish } = detectLatin(words, others, expected);
  return {
    latin,
    mayBeEnglish,
    cyrillic: cyrillic.test(other) ? detectCyrillic(other) : "russian",
    // Persian and Urdu.
    arabic: /[پچژگکی]/.test(other) ? "persian" : "arabic",
  };
}

/** Returns the language of a word, by its script; `undefined` if unknown. */
export function languageOfWord(word: string, languages: TextLanguages): Language | undefined {
  if (onlyAscii.test(word) || latin.test(word)) return languages.latin;
  if (cyrillic.test(word)) return languages.cyrillic;
  if (arabic.test(word)) return languages.arabic;
  return scripts.find(([script]) => script.test(word))?.[1];
}

/** The bits of all languages in Latin script. */
const allLatin = (1 << latinLanguages.length) - 1;
/** By language: the number of signs. All calls of `detectLatin` share it. */
const signCounts = new Int32Array(latinLanguages.length);

/**
 * Detects the language of the words in Latin script. Counts the signs of each language, each word
 * once: code repeats words such as `c`. English needs one sign, and wins against an equal count.
 */
function detectLatin(
  words: readonly string[],
  otherWords: readonly string[],
  expected: readonly Language[],
): TextLanguages {
  const counts = signCounts.fill(0);
  texts += 1;
  for (const one of words) {
    const stopWord = latinStopWords.get(one);
    if (stopWord === undefined || stopWord.text === texts) continue;
    stopWord.text = texts;
    count(counts, stopWord.bits, 1);
  }
  const isForeign = otherWords.length > 0 && countLetters(counts, otherWords) > 0;
  let most = 0;
  for (const signs of counts) if (signs > most) most = signs;
  if (most > 0 && counts[0] === most) return withLatin("english", true);
  if (most < signsMin) return withLatin(undefined, !isForeign);
  const best = latinLanguages.filter((_, bit) => counts[bit] === most);
  return withLatin(expected.find((language) => best.includes(language)) ?? best[0], false);
}

function withLatin(latin: Language | undefined, mayBeEnglish: boolean): TextLanguages {
  return { latin, mayBeEnglish, cyrillic: "russian", arabic: "arabic" };
}

/**
 * Counts the telling letters of words, and takes off the words that are of another language.
 * English texts name people and places of all languages, so these words count against English only
 * if they are no fewer than its own signs. Returns their number.
 */
function countLetters(counts: Int32Array, words: readonly string[]): number {
  const text = words.join(" ");
  const english = counts[0] as number;
  let foreignToEnglish = 0;
  for (const one of new Set(words)) {
    let having = -1;
    for (const [letter] of one.matchAll(accentedLetter))
      having &= languagesOfLetter.get(letter) ?? 0;
    if ((having & 1) === 0) foreignToEnglish += 1;
    count(counts, ~having & allLatin, -1);
  }
  counts[0] = english > foreignToEnglish ? english : 0;
  for (const [letters, languages] of tellingLetters) {
    if (!letters.test(text)) continue;
    for (const language of languages) count(counts, 1 << latinLanguages.indexOf(language), 1);
  }
  return foreignToEnglish;
}

/** Adds `step` to the counts of the languages of `bits`. */
function count(counts: Int32Array, bits: number, step: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const bit = 31 - Math.clz32(left & -left);
    counts[bit] = (counts[bit] as number) + step;
  }
}

function detectCyrillic(text: string): Language {
  if (/[іїєґ]/.test(text)) return "ukrainian";
  if (/[ђјљњћџ]/.test(text)) return "serbian";
  if (/[ыэё]/.test(text)) return "russian";
  const words = text.split(" ");
  const signs = (language: Language) =>
    words.filter((one) => stopWordsByLanguage[language].has(one)).length;
  return signs("bulgarian") > signs("russian") ? "bulgarian" : "russian";
}
