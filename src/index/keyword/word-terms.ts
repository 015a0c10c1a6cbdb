import type { Log } from "../../core/ports/log.js";
import { foldLetters, withUmlauts } from "../../core/text/fold-letters.js";
import type { Language } from "../../core/text/stop-words.js";
import { allStemmers, type Stemmers } from "./stemmers.js";

/** Maximum number of words in the cache of terms. A full cache is emptied. */
const cachedWords = 32_768;

/**
 * Words of this many UTF-16 units or more are not cached. V8 keeps a long word as a slice of the
 * text that the word was cut from, so the whole text would stay in RAM.
 */
const uncachedWordLength = 13;

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
 * Creates a function that turns words into terms. The term of a word is its stem by the stemmer of
 * its language, without accents and vowel signs except in Vietnamese. The function caches terms.
 *
 * If a stemmer throws, its word is not stemmed. The first time for a language, this is logged.
 *
 * @param stemmers Default: all stemmers
 */
export function createTermOf(log: Log, stemmers: Stemmers = allStemmers): TermOf {
  const stemOf = createStemOf(log, stemmers);
  const termsByLanguage = new Map<Language | undefined, Map<string, string | undefined>>();
  let count = 0;
  return (word, language) => {
    let terms = termsByLanguage.get(language);
    const cached = terms?.get(word);
    if (cached !== undefined || terms?.has(word)) return cached;
    const term = termOf(word, language, stemOf);
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

/** Returns the stem of a word; the word itself if its language has no stemmer. */
type StemOf = (word: string, language: Language) => string;

function createStemOf(log: Log, stemmers: Stemmers): StemOf {
  const failed = new Set<Language>();
  return (word, language) => {
    try {
      return stemmers[language]?.(word) ?? word;
    } catch (error) {
      if (failed.has(language)) return word;
      failed.add(language);
      // Not the error itself: its message may contain the word.
      const reason = error instanceof Error ? error.name : typeof error;
      const message = "a stemmer failed; words on which it fails are not stemmed";
      log("error", message, { language, reason });
      return word;
    }
  };
}

function termOf(word: string, language: Language | undefined, stemOf: StemOf): string | undefined {
  if (word.length > stemmedLengthMax) return word;
  const term = accentlessStem(word, language, stemOf);
  return term === "" ? undefined : term;
}

function accentlessStem(word: string, language: Language | undefined, stemOf: StemOf): string {
  if (language === undefined || language === "english") {
    const plain = onlyAscii.test(word) ? word : foldLetters(word);
    return onlyAscii.test(plain) && plain !== "" ? stemOf(plain, "english") : plain;
  }
  // Words that differ only by accents have nothing to do with each other.
  if (language === "vietnamese") return word;
  // Writers mix up letters that an Arabic stemmer tells apart, so accents are removed first. The
  // second stemming removes an ending that the first cannot remove while the word has its article.
  if (language === "arabic") return stemOf(stemOf(foldLetters(word), language), language);
  return foldLetters(stemOf(language === "german" ? withUmlauts(word) : word, language));
}
