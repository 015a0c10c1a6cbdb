import type { Language } from "../../core/text/stop-words.js";

/** Hebrew writes the words for "and", "in", "the", "to", "as", "from" and "that" as prefixes. */
const hebrewPrefixes: ReadonlySet<string> = new Set("ובהלכמש");
/** A word with a prefix has at least this many letters. */
const prefixedLengthMin = 4;

/**
 * Returns a word without its first letter if this letter may be a word of its own; otherwise
 * `undefined`. Hebrew needs this: most nouns have a prefix, and Snowball has no stemmer for Hebrew.
 */
export function withoutPrefix(word: string, language: Language | undefined): string | undefined {
  if (language !== "hebrew" || word.length < prefixedLengthMin) return undefined;
  return hebrewPrefixes.has(word.charAt(0)) ? word.slice(1) : undefined;
}
