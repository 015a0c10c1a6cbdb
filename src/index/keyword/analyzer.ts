import { stem } from "porter2";
import { indexedWords, isStopWord, words } from "../../core/text/words.js";

/** Turns texts into terms; repeated words give repeated terms. */
export interface Analyzer {
  /** Returns the terms under which a memory is indexed. */
  readonly indexTerms: (content: string) => string[];
  /** Returns the terms that a query searches for. */
  readonly queryTerms: (query: string) => string[];
}

/** Maximum number of words in the cache of terms; a full cache is emptied. */
const cachedWords = 32_768;

/**
 * Words of this length or more are not cached: for such a word, V8 would keep in memory the whole
 * text that it was cut from.
 */
const uncachedWordLength = 13;

/** Scripts with accents that writers often drop, or with vowel signs that are mostly left out. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}ـ\p{sc=Hebrew}]/u;
const accents = /\p{Mn}+/gu;

/**
 * Letters with two spellings: the German sharp s, the Arabic final ya and ta marbuta. The tatweel
 * only stretches a word.
 */
const variants: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ى", "ي"],
  ["ة", "ه"],
  ["ـ", ""],
]);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");
const onlyAscii = /^\p{ASCII}*$/u;

/**
 * Creates an analyzer. Terms are words without stop words, accents and vowel signs. A word of plain
 * letters then becomes its stem by Snowball's English stemmer (Porter 2).
 */
export function createAnalyzer(): Analyzer {
  const terms = new Map<string, string | undefined>();

  function cachedTermOf(word: string): string | undefined {
    const cached = terms.get(word);
    if (cached !== undefined || terms.has(word)) return cached;
    const term = termOf(word);
    if (word.length < uncachedWordLength) {
      if (terms.size >= cachedWords) terms.clear();
      terms.set(word, term);
    }
    return term;
  }

  function termsOf(words: readonly string[]): string[] {
    const found: string[] = [];
    for (const word of words) {
      const term = cachedTermOf(word);
      if (term !== undefined) found.push(term);
    }
    return found;
  }

  return {
    indexTerms: (content) => termsOf(indexedWords(content)),
    queryTerms: (query) => termsOf(words(query)),
  };
}

function termOf(word: string): string | undefined {
  if (isStopWord(word)) return undefined;
  const plain = onlyAscii.test(word) ? word : withoutAccents(word);
  if (plain === "") return undefined;
  return onlyAscii.test(plain) ? stem(plain) : plain;
}

function withoutAccents(word: string): string {
  return accented.test(word)
    ? unified(word.normalize("NFD").replace(accents, "").normalize("NFC"))
    : word;
}

function unified(word: string): string {
  return word.replace(variant, (character) => variants.get(character) ?? character);
}
