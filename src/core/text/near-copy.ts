import { isStopWord, words } from "./words.js";

/**
 * Stop words that reverse the meaning of a text, so the signature counts them. Otherwise `moved to
 * Rome` would be a near-copy of `moved from Rome`, and `eats no nuts` of `eats nuts`.
 */
const meaningfulStopWords: ReadonlySet<string> = new Set(
  "no not don t up down in out on off over under from to more few".split(" "),
);

/**
 * Returns a hash of the multiset of a text's words. Texts with equal hashes are near-copies: they
 * differ only in case, punctuation, word order and stop words. Stop words that negate or name a
 * direction count as words.
 *
 * The hash has 53 bits. Two different texts share one by chance in about 1 of 10^16 pairs.
 *
 * Returns `undefined` if the text has no such word. Such a text is a near-copy of no other.
 */
export function wordSignature(text: string): number | undefined {
  let low = 0;
  let high = 0;
  let count = 0;
  for (const word of words(text)) {
    if (isStopWord(word) && !meaningfulStopWords.has(word)) continue;
    // A sum ignores the order of words, and distinguishes one occurrence of a word from two.
    low = (low + hash(word, 0x01000193)) | 0;
    high = (high + hash(word, 0x5bd1e995)) | 0;
    count += 1;
  }
  return count === 0 ? undefined : (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/**
 * Hashes a word by FNV-1a over its UTF-16 units, with the given multiplier. MurmurHash3's finaliser
 * then spreads the bits: without it, sums of similar words would collide.
 */
function hash(word: string, multiplier: number): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), multiplier);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
