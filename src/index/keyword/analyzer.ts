import { stem } from "porter2";
import { indexedWordPieces, indexedWords, isStopWord, words } from "../../core/text/words.js";

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
 * Turns texts into terms; repeated words give repeated terms. Terms are words without stop words,
 * accents and vowel signs. A word of plain letters then becomes its stem by Snowball's English
 * stemmer (Porter 2).
 */
export class Analyzer {
  readonly #terms = new Map<string, string | undefined>();

  /** Returns the terms under which a memory is indexed. */
  readonly indexTerms = (content: string): string[] => this.termsOf(indexedWords(content));

  /** Returns the terms that a query searches for. */
  readonly queryTerms = (query: string): string[] => this.termsOf(words(query));

  /** Yields the terms of `indexTerms` in pieces, in about the same order. */
  *indexTermPieces(content: string): Generator<readonly string[]> {
    for (const piece of indexedWordPieces(content)) yield this.termsOf(piece);
  }

  /** Returns the terms of words. */
  termsOf(found: readonly string[]): string[] {
    const terms: string[] = [];
    for (const word of found) {
      const term = this.#cachedTermOf(word);
      if (term !== undefined) terms.push(term);
    }
    return terms;
  }

  #cachedTermOf(word: string): string | undefined {
    const cached = this.#terms.get(word);
    if (cached !== undefined || this.#terms.has(word)) return cached;
    const term = termOf(word);
    if (word.length < uncachedWordLength) {
      if (this.#terms.size >= cachedWords) this.#terms.clear();
      this.#terms.set(word, term);
    }
    return term;
  }
}

/** Creates an analyzer. */
export function createAnalyzer(): Analyzer {
  return new Analyzer();
}

/** Words of more UTF-16 units stay as they are: nobody writes them in several forms. */
const stemmedLengthMax = 1_024;

function termOf(word: string): string | undefined {
  if (word.length > stemmedLengthMax) return word;
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
