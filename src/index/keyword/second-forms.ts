import { foldLetters } from "../../core/text/fold-letters.js";
import type { Language } from "../../core/text/stop-words.js";

/** Hebrew writes the words for "and", "in", "the", "to", "as", "from" and "that" as prefixes. */
const hebrewPrefixes: ReadonlySet<string> = new Set("ובהלכמש");
/** A word with a prefix has at least this many letters. */
const prefixedLengthMin = 4;

/** Another form of a word, under which memories with the word are found too. */
export interface SecondForm {
  readonly form: string;
  /** Weight of this form if a query has the word, 0 to 1. The word itself has weight 1. */
  readonly weight: number;
}

/**
 * Returns the second form of a word; `undefined` if it has none. Two languages need it, for which
 * Snowball has no stemmer:
 * - Hebrew: the word without its first letter if this letter may be a word of its own, because most
 *   nouns have a prefix.
 * - Vietnamese: the word without accents. Words that differ only by accents have nothing to do with
 *   each other, but many writers drop the accents.
 */
export function secondFormOf(word: string, language: Language | undefined): SecondForm | undefined {
  if (language === "vietnamese") {
    const form = foldLetters(word);
    return form === word ? undefined : { form, weight: 0.3 };
  }
  if (language !== "hebrew" || word.length < prefixedLengthMin) return undefined;
  return hebrewPrefixes.has(word.charAt(0)) ? { form: word.slice(1), weight: 0.8 } : undefined;
}
