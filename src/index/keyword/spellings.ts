import { isWithinEdits } from "../../core/text/edits.js";
import { unspaced } from "../../core/text/words.js";
import { empty, gathered, withRoom } from "../columns/column.js";
import type { TextTable } from "../columns/text-table.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";

/**
 * The least and the greatest length of the terms that are compared, in UTF-16 units. Other terms
 * are ignored.
 */
const lettersMin = 3;
const lettersMax = 30;
/** Shorter words are not looked up, because too many terms are similar to them. */
const soughtLettersMin = 4;
/**
 * A near term may differ from a word of up to this length by one edit, from a longer word by two.
 */
const oneEditLettersMax = 5;

/**
 * The signature of a term is a number with its letters and its length (`signatureOf`). This many
 * low bits stand for letters. The bits above hold the length.
 */
const letterBits = 27;
const letterMask = 2 ** letterBits - 1;

const onlyLetters = /^[\p{L}\p{M}]+$/u;

/** The terms nearest to a word, in any order, and the number of edits between them and the word. */
export interface NearestTerms {
  readonly terms: readonly string[];
  readonly edits: number;
}

/**
 * Look-ups by similar spelling among the terms that are words of letters. A look-up compares the
 * word with the signatures of all terms, which rule out nearly all of them in one loop over
 * numbers: 0.2 ms for 100,000 terms.
 */
export class Spellings {
  readonly #terms: TextTable;
  /** By number of a term: its signature; 0 for a term that is ignored. */
  #signatures = empty.int32;

  constructor(terms: TextTable) {
    this.#terms = terms;
  }

  get bytes(): number {
    return this.#signatures.byteLength;
  }

  /** Adds a term of the table. */
  add(number: number, term: string): void {
    this.#signatures = withRoom(this.#signatures, number + 1);
    this.#signatures[number] = isComparable(term) ? signatureOf(term) : 0;
  }

  /** @param numbers The numbers of the terms that are saved. */
  async save(image: ImageWriter, numbers: Int32Array): Promise<void> {
    await image.put("signatures", gathered(this.#signatures, numbers));
  }

  async load(image: ImageReader): Promise<void> {
    this.#signatures = await image.column("signatures", Int32Array);
  }

  /**
   * Returns the terms nearest to a word that is not among the terms: the terms one edit away, or
   * else the terms two edits away. A near term has the same first letter as the word.
   *
   * - A word of up to three letters has no near terms.
   * - A near term of a word of four or five letters differs by one edit.
   * - A near term of a longer word differs by up to two edits.
   *
   * @param isInUse Whether the term of a number counts.
   */
  nearest(sought: string, isInUse: (number: number) => boolean): NearestTerms {
    const { length } = sought;
    let edits = length > oneEditLettersMax ? 2 : 1;
    let terms: string[] = [];
    if (length < soughtLettersMin || !isComparable(sought)) return { terms, edits };
    const signature = signatureOf(sought);
    const first = sought.charCodeAt(0);
    const { count } = this.#terms;
    for (let number = 0; number < count; number++) {
      const other = this.#signatures[number] as number;
      const longer = (other >>> letterBits) - length;
      if (longer > edits || -longer > edits) continue;
      // An insertion or deletion leaves one letter that only one of the two terms has. A
      // replacement leaves two. So at most `left` letters differ in a near term. The loop clears
      // that many, and a term with a letter left over is not near.
      let letters = (other ^ signature) & letterMask;
      for (let left = 2 * edits - Math.abs(longer); left > 0; left--) letters &= letters - 1;
      if (letters !== 0 || this.#terms.firstUnit(number) !== first || !isInUse(number)) continue;
      const term = this.#terms.at(number);
      if (!isWithinEdits(sought, term, edits)) continue;
      if (edits === 2 && isWithinEdits(sought, term, 1)) {
        edits = 1;
        terms = [];
      }
      terms.push(term);
    }
    return { terms, edits };
  }
}

/** Whether a term is a word of letters, in a script that separates words. */
function isComparable(term: string): boolean {
  return (
    term.length >= lettersMin &&
    term.length <= lettersMax &&
    onlyLetters.test(term) &&
    !unspaced.test(term)
  );
}

/** Returns a number that holds the length of a term and its letters, one bit for each letter. */
function signatureOf(term: string): number {
  let letters = 0;
  for (let i = 0; i < term.length; i++) letters |= 1 << (term.charCodeAt(i) % letterBits);
  return letters | (term.length << letterBits);
}
