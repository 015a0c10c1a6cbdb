import { stem } from "porter2";
import { indexedWords, isStopWord, words } from "../../core/text/words.js";

/** Turns texts into terms, repeats included. */
export interface Analyzer {
  /** The terms that a memory is found by. */
  readonly indexTerms: (content: string) => string[];
  /** The terms that a query looks for. */
  readonly queryTerms: (query: string) => string[];
}

/** Words whose term is remembered; at this many all are forgotten. */
const cachedWords = 32_768;

/** From this length on V8 keeps the text that a word was cut from alive as long as the word. */
const uncachedWordLength = 13;

/** Scripts whose letters may have accents that are left out in haste, or vowel signs that are mostly left out. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}ـ\p{sc=Hebrew}]/u;
const accents = /\p{Mn}+/gu;

/** What is written in two ways: the German sharp s, the Arabic final ya and ta marbuta; the tatweel only stretches a word. */
const variants: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ى", "ي"],
  ["ة", "ه"],
  ["ـ", ""],
]);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");
const onlyAscii = /^\p{ASCII}*$/u;

/** Terms are words without stop words, accents and vowel signs, and of what is then written with plain letters the stem by Snowball's English stemmer (Porter 2). */
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
