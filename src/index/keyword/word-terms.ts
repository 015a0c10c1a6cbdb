import { stem as english } from "porter2";
import type { Language } from "../../core/text/stop-words.js";
import { stemmers } from "./stemmers.js";

/** Maximum number of words in the cache of terms. A full cache is emptied. */
const cachedWords = 32_768;

/**
 * Words of this many UTF-16 units or more are not cached. V8 keeps a long word as a slice of the
 * text that the word was cut from, so the whole text would stay in RAM.
 */
const uncachedWordLength = 13;

/** Scripts with accents that writers often drop, or with vowel signs that are mostly left out. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}ـ\p{sc=Hebrew}]/u;
const accents = /\p{Mn}+/gu;

/**
 * Letters with two spellings, each with the spelling in terms: the German sharp s, the Arabic final
 * ya and ta marbuta. The tatweel (ـ) is removed, because it only stretches a word.
 */
const variants: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ى", "ي"],
  ["ة", "ه"],
  ["ـ", ""],
]);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");
/** Words of more UTF-16 units are not stemmed, because such words have no inflected forms. */
const stemmedLengthMax = 1_024;

const onlyAscii = /^\p{ASCII}*$/u;

/**
 * Returns the term of a word; `undefined` if its stem is empty. The word is in the form of `words`
 * (core/text/words.ts). If its language is unknown and it has only ASCII letters, apart from
 * accents, it counts as English.
 */
export type TermOf = (word: string, language: Language | undefined) => string | undefined;

/**
 * Creates a function that turns words into terms. The term of a word is its stem by Snowball's
 * stemmer for the language, without accents and vowel signs. The function caches terms.
 */
export function createTermOf(): TermOf {
  const termsByLanguage = new Map<Language | undefined, Map<string, string | undefined>>();
  let count = 0;
  return (word, language) => {
    let terms = termsByLanguage.get(language);
    const cached = terms?.get(word);
    if (cached !== undefined || terms?.has(word)) return cached;
    const term = termOf(word, language);
    if (word.length < uncachedWordLength) {
      if (count >= cachedWords) {
        termsByLanguage.clear();
        count = 0;
        terms = undefined;
      }
      if (terms === undefined) {
        terms = new Map();
        termsByLanguage.set(language, terms);
      }
      terms.set(word, term);
      count += 1;
    }
    return term;
  };
}

function termOf(word: string, language: Language | undefined): string | undefined {
  if (word.length > stemmedLengthMax) return word;
  const term = stemOf(word, language);
  return term === "" ? undefined : term;
}

function stemOf(word: string, language: Language | undefined): string {
  const stem = language && stemmers[language];
  if (language === undefined || language === "english") {
    const plain = onlyAscii.test(word) ? word : withoutAccents(word);
    return onlyAscii.test(plain) && plain !== "" ? english(plain) : plain;
  }
  if (stem === undefined) return withoutAccents(word);
  // Writers mix up letters that an Arabic stemmer tells apart, so accents are removed first. The
  // second stemming removes an ending that the first cannot remove while the word has its article.
  if (language === "arabic") return stem(stem(withoutAccents(word)));
  return withoutAccents(stem(word));
}

function withoutAccents(word: string): string {
  return accented.test(word)
    ? unified(word.normalize("NFD").replace(accents, "").normalize("NFC"))
    : word;
}

function unified(word: string): string {
  return word.replace(variant, (character) => variants.get(character) ?? character);
}
