import { type Language, latinLanguages, stopWordsByLanguage } from "./stop-words.js";

/** For each script that several languages share: the language of a text in this script. */
export interface TextLanguages {
  /** `undefined`: the text has too few signs of a language. */
  readonly latin: Language | undefined;
  readonly cyrillic: Language;
  readonly arabic: Language;
}

/** Number of UTF-16 units that decide about the language of a text, from its start. */
const readLength = 2048;
/**
 * Minimum number of signs, which are stop words and telling letters, to detect a language other
 * than English.
 */
const signsMin = 2;

/** By stop word: the languages that have it, as bits in the order of `latinLanguages`. */
const latinStopWords = new Map<string, number>();
for (const [bit, language] of latinLanguages.entries())
  for (const word of stopWordsByLanguage[language])
    latinStopWords.set(word, (latinStopWords.get(word) ?? 0) | (1 << bit));

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
];

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
  const beginning = text.slice(0, readLength);
  const isAscii = onlyAscii.test(beginning);
  const words = beginning.match(isAscii ? asciiWord : word) ?? [];
  if (isAscii)
    return { latin: detectLatin(words, "", expected), cyrillic: "russian", arabic: "arabic" };
  const other = words
    .filter((one) => !onlyAscii.test(one))
    .map((one) => one.normalize().toLowerCase())
    .join(" ");
  return {
    latin: detectLatin(words, other, expected),
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

/** By language: the number of signs. All calls of `detectLatin` share it. */
const signCounts = new Int32Array(latinLanguages.length);

/** Counts the signs of each language. English needs one sign, and wins against an equal count. */
function detectLatin(
  words: readonly string[],
  otherWords: string,
  expected: readonly Language[],
): Language | undefined {
  const counts = signCounts.fill(0);
  for (const one of words) {
    let bits = latinStopWords.get(one) ?? 0;
    for (; bits !== 0; bits &= bits - 1) {
      const bit = 31 - Math.clz32(bits & -bits);
      counts[bit] = (counts[bit] as number) + 1;
    }
  }
  if (otherWords !== "") {
    for (const [letters, languages] of tellingLetters) {
      if (!letters.test(otherWords)) continue;
      for (const language of languages) {
        const bit = latinLanguages.indexOf(language);
        counts[bit] = (counts[bit] as number) + 1;
      }
    }
  }
  let most = 0;
  for (const count of counts) if (count > most) most = count;
  if (most === 0) return undefined;
  const best = latinLanguages.filter((_, bit) => counts[bit] === most);
  if (best.includes("english")) return "english";
  if (most < signsMin) return undefined;
  return expected.find((language) => best.includes(language)) ?? best[0];
}

function detectCyrillic(text: string): Language {
  if (/[іїєґ]/.test(text)) return "ukrainian";
  if (/[ђјљњћџ]/.test(text)) return "serbian";
  if (/[ыэё]/.test(text)) return "russian";
  const words = text.split(" ");
  const count = (language: Language) =>
    words.filter((one) => stopWordsByLanguage[language].has(one)).length;
  return count("bulgarian") > count("russian") ? "bulgarian" : "russian";
}
