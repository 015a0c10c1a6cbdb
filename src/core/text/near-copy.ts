import { oneSpelling } from "./spelling.js";
import { unspaced } from "./words.js";

/**
 * Matches marks that end or divide sentences. Excludes the question mark: a question asserts
 * nothing, and in many languages only its mark tells it from a statement.
 */
const marks = /[.,;:!…。、،؛۔।॥]+|[¡¿]/g;
/** Matches what may follow a mark that ends or divides a sentence. */
const sentenceBreak = /^$|[\s?"'”’»)\]}」』】》]/;
const whiteSpace = /\s+/g;
const digit = /\p{N}/u;
const noLetters = /\P{L}+/gu;
/** Matches white space between words, and keeps it in a split. */
const spaces = /(\s+)/;

/**
 * Returns a hash of the sequence of a text's words. All words count, and so do signs, symbols and
 * digits: `-5`, `C++`, `$5`. Texts with equal hashes differ at most in
 * - upper and lower case, except of codes and of units after numbers,
 * - sentence punctuation and white space,
 * - the spelling of characters (`oneSpelling`).
 *
 * The hash has 53 bits. Two different texts have the same hash by chance in about 1 of 10^16 pairs.
 *
 * Returns `undefined` if nothing but punctuation is left.
 */
export function wordSignature(text: string): number | undefined {
  const sequence = inSmallLetters(oneSpelling(text))
    .replace(marks, dropSentenceMarks)
    .replace(whiteSpace, " ")
    .trim();
  return sequence === "" ? undefined : hash(sequence);
}

/** Maximum length of a unit after a number, such as `mW` and `MW`. */
const unitLengthMax = 3;

/** Returns a text in small letters, apart from words with digits and units after them. */
function inSmallLetters(text: string): string {
  if (!digit.test(text)) return text.toLowerCase();
  let followsNumber = false;
  return text
    .split(spaces)
    .map((word) => {
      if (word === "" || spaces.test(word)) return word;
      const isCode = digit.test(word);
      const isUnit = followsNumber && word.replace(noLetters, "").length <= unitLengthMax;
      followsNumber = isCode;
      return isCode || isUnit ? word : word.toLowerCase();
    })
    .join("");
}

/**
 * Drops marks that end or divide a sentence. `¡` and `¿` are always dropped. For other marks, the
 * next character decides:
 * - white space, the end of the text, a question mark, a closing quotation mark or bracket: the
 *   mark is dropped
 * - a letter of a script without spaces: the mark becomes a space
 * - anything else: the mark belongs to a word or number, such as `1.5`, `10:30` or `.env`
 */
function dropSentenceMarks(found: string, at: number, text: string): string {
  const next = text.charAt(at + found.length);
  if (found === "¡" || found === "¿" || sentenceBreak.test(next)) return "";
  return unspaced.test(next) ? " " : found;
}

/**
 * Hashes the UTF-16 units of a text by two multiplicative hashes. Takes 32 bits of the first hash
 * and 21 bits of the second.
 */
function hash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    // The rotation lets high bits change low ones, so that the two hashes are independent.
    high = Math.imul(((high << 5) | (high >>> 27)) ^ unit, 0x5bd1e995);
  }
  return (spread(high) >>> 11) * 2 ** 32 + (spread(low) >>> 0);
}

/** MurmurHash3's finaliser: lets every bit depend on all others. */
function spread(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
