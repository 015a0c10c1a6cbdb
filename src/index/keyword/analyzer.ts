import { stem } from "porter2";
import { isStopWord, words } from "../../core/text/words.js";

/** Turns a text into the terms that it is indexed and searched by, in their order, repeats included. */
export type Analyzer = (text: string) => string[];

/** Words whose term is remembered; at this many all are forgotten. */
const cachedWords = 32_768;

/** From this length on V8 keeps the text that a word was cut from alive as long as the word. */
const uncachedWordLength = 13;

/** Scripts whose letters may have accents that are left out in haste. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u;
const accents = /[\u0300-\u036f]+/g;
const onlyAscii = /^\p{ASCII}*$/u;

/** Terms are words without stop words and accents, and of what is then written with plain letters the stem by Snowball's English stemmer (Porter 2). */
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

  return (text) => {
    const found: string[] = [];
    for (const word of words(text)) {
      const term = cachedTermOf(word);
      if (term !== undefined) found.push(term);
    }
    return found;
  };
}

function termOf(word: string): string | undefined {
  if (isStopWord(word)) return undefined;
  const plain = onlyAscii.test(word) ? word : withoutAccents(word);
  return onlyAscii.test(plain) ? stem(plain) : plain;
}

function withoutAccents(word: string): string {
  return accented.test(word) ? word.normalize("NFD").replace(accents, "").normalize("NFC") : word;
}
