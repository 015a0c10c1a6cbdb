import { stem } from "porter2";

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

/** Returns the term of a word, in the form of `words`; `undefined` if nothing is left of it. */
export type TermOf = (word: string) => string | undefined;

/**
 * Creates a function that turns words into terms: words without accents and vowel signs. A word of
 * plain letters then becomes its stem by Snowball's English stemmer (Porter 2). Remembers words.
 */
export function createTermOf(): TermOf {
  const terms = new Map<string, string | undefined>();
  return (word) => {
    const cached = terms.get(word);
    if (cached !== undefined || terms.has(word)) return cached;
    const term = termOf(word);
    if (word.length < uncachedWordLength) {
      if (terms.size >= cachedWords) terms.clear();
      terms.set(word, term);
    }
    return term;
  };
}

/** Words of more UTF-16 units stay as they are: nobody writes them in several forms. */
const stemmedLengthMax = 1_024;

function termOf(word: string): string | undefined {
  if (word.length > stemmedLengthMax) return word;
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
