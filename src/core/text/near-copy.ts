import { isStopWord, words } from "./words.js";

/** Stop words that turn what is said round: dropped, `moved to Rome` would be a copy of `moved from Rome` and `eats no nuts` one of `eats nuts`. */
const decisive: ReadonlySet<string> = new Set(
  "no not don t up down in out on off over under from to more few".split(" "),
);

/**
 * A hash of the multiset of a text's words: equal for texts that differ only in case, punctuation, word order and stop words (but for those that negate or name a direction), which are near-copies.
 * 53 bits, so that two different texts of a namespace share one by chance about once in 10^16 pairs. `undefined` if no word is left, which makes a copy of nothing.
 */
export function wordSignature(text: string): number | undefined {
  let low = 0;
  let high = 0;
  let counted = 0;
  for (const word of words(text)) {
    if (isStopWord(word) && !decisive.has(word)) continue;
    // Sums do not depend on the order, and tell a word that comes twice from one that comes once.
    low = (low + hash(word, 0x01000193)) | 0;
    high = (high + hash(word, 0x5bd1e995)) | 0;
    counted += 1;
  }
  return counted === 0 ? undefined : (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** FNV-1a over UTF-16 units with a given multiplier, its bits then spread by MurmurHash3's finaliser, without which sums of similar words would meet. */
function hash(word: string, multiplier: number): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), multiplier);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
