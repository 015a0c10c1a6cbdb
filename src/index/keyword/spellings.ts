import { isWithinEdits } from "../../core/text/edits.js";
import { unspaced } from "../../core/text/words.js";

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
 * New terms are merged into the sorted terms when there are `newTermsMin` of them, plus
 * `newTermsShare` of the number of sorted terms.
 */
const newTermsMin = 64;
const newTermsShare = 1 / 32;

/**
 * The signature of a term is a number with its letters and its length (`signatureOf`). This many
 * low bits stand for letters. The bits above hold the length.
 */
const letterBits = 27;
const letterMask = 2 ** letterBits - 1;

const onlyLetters = /^[\p{L}\p{M}]+$/u;

/**
 * The terms of a namespace that are words of letters, for look-ups by similar spelling.
 *
 * Terms are sorted by their first letter and their length, so the terms to compare with lie side by
 * side. Signatures rule out nearly all of these terms in one loop over numbers. New terms wait in a
 * short list without order. Merging this list into the sorted terms takes a few milliseconds for
 * 100,000 terms.
 */
export class Spellings {
  #terms: string[] = [];
  /** The signatures of `#terms`; 0 for a removed term. */
  #signatures = new Int32Array(0);
  #removed = 0;
  #newTerms: string[] = [];
  /** The signatures of `#newTerms`. When it is full, the new terms are merged. */
  #newSignatures = new Int32Array(newTermsMin);

  /** `terms`: the first terms, all different. Default: none. */
  constructor(terms: Iterable<string> = []) {
    for (const term of terms) if (isComparable(term)) this.#newTerms.push(term);
    this.#merge();
  }

  /** Adds a term. Requires: the term was not added before, or was removed since. */
  add(term: string): void {
    if (!isComparable(term)) return;
    this.#newSignatures[this.#newTerms.length] = signatureOf(term);
    this.#newTerms.push(term);
    if (this.#newTerms.length === this.#newSignatures.length) this.#merge();
  }

  /** Removes a term. Requires: the term was added. */
  remove(term: string): void {
    if (!isComparable(term)) return;
    const newAt = this.#newTerms.indexOf(term);
    if (newAt >= 0) {
      this.#newTerms.splice(newAt, 1);
      this.#newSignatures.copyWithin(newAt, newAt + 1);
      return;
    }
    const end = this.#positionOf(term, term.length + 1);
    for (let at = this.#positionOf(term, term.length); at < end; at++) {
      if (this.#signatures[at] === 0 || this.#terms[at] !== term) continue;
      this.#signatures[at] = 0;
      this.#removed += 1;
      if (this.#removed * 2 > this.#terms.length) this.#merge();
      return;
    }
  }

  /**
   * Returns the terms nearest to a word that is not among the terms, in any order: the terms one
   * edit away, or else the terms two edits away. A near term has the same first letter as the word.
   *
   * - A word of up to three letters has no near terms.
   * - A near term of a word of four or five letters differs by one edit.
   * - A near term of a longer word differs by up to two edits.
   */
  nearest(sought: string): { readonly terms: readonly string[]; readonly edits: number } {
    const nearest = new Nearest(sought);
    if (sought.length < soughtLettersMin || !isComparable(sought)) return nearest;
    const start = this.#positionOf(sought, sought.length - nearest.edits);
    const end = this.#positionOf(sought, sought.length + nearest.edits + 1);
    nearest.search(this.#terms, this.#signatures, start, end);
    nearest.search(this.#newTerms, this.#newSignatures, 0, this.#newTerms.length);
    return nearest;
  }

  /** Returns the first position of a term with this first letter and at least this length. */
  #positionOf({ 0: first = "" }: string, length: number): number {
    let low = 0;
    let high = this.#terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTo(this.#terms[middle] as string, first, length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Merges the new terms into the sorted terms, and drops the removed ones. */
  #merge(): void {
    const added = sortedByPlace(this.#newTerms);
    const size = this.#terms.length - this.#removed + added.length;
    const terms: string[] = [];
    const signatures = new Int32Array(size);
    let from = 0;
    const takeUntil = (end: number) => {
      for (; from < end; from++) {
        if (this.#signatures[from] === 0) continue;
        signatures[terms.length] = this.#signatures[from] as number;
        terms.push(this.#terms[from] as string);
      }
    };
    for (const term of added) {
      takeUntil(Math.max(from, this.#positionOf(term, term.length)));
      signatures[terms.length] = signatureOf(term);
      terms.push(term);
    }
    takeUntil(this.#terms.length);
    this.#terms = terms;
    this.#signatures = signatures;
    this.#removed = 0;
    this.#newTerms = [];
    this.#newSignatures = new Int32Array(newTermsMin + Math.floor(size * newTermsShare));
  }
}

/** The terms nearest to a sought term, among those searched so far. */
class Nearest {
  terms: string[] = [];
  /**
   * The number of edits between `terms` and the sought term. Without terms: the greatest allowed
   * number.
   */
  edits: number;
  readonly #signature: number;

  constructor(private readonly sought: string) {
    this.edits = sought.length > oneEditLettersMax ? 2 : 1;
    this.#signature = signatureOf(sought);
  }

  /** Searches the terms from position `start` to `end`. */
  search(terms: readonly string[], signatures: Int32Array, start: number, end: number): void {
    const { length } = this.sought;
    const sought = this.#signature;
    let { edits } = this;
    for (let at = start; at < end; at++) {
      const signature = signatures[at] as number;
      const longer = (signature >>> letterBits) - length;
      if (longer > edits || -longer > edits) continue;
      // An insertion or deletion leaves one letter that only one of the two terms has. A
      // replacement leaves two. So at most `left` letters differ in a near term. The loop clears
      // that many, and a term with a letter left over is not near.
      let letters = (signature ^ sought) & letterMask;
      for (let left = 2 * edits - Math.abs(longer); left > 0; left--) letters &= letters - 1;
      if (letters !== 0) continue;
      this.#compare(terms[at] as string);
      edits = this.edits;
    }
  }

  #compare(term: string): void {
    if (term.charCodeAt(0) !== this.sought.charCodeAt(0)) return;
    if (!isWithinEdits(this.sought, term, this.edits)) return;
    if (this.edits === 2 && isWithinEdits(this.sought, term, 1)) {
      this.edits = 1;
      this.terms = [];
    }
    this.terms.push(term);
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

/** Sorts terms by their first letter, then by their length. */
function sortedByPlace(terms: readonly string[]): string[] {
  const byPlace = new Map<number, string[]>();
  for (const term of terms) {
    const place = term.charCodeAt(0) * (lettersMax + 1) + term.length;
    const same = byPlace.get(place);
    if (same === undefined) byPlace.set(place, [term]);
    else same.push(term);
  }
  return [...byPlace].sort(([a], [b]) => a - b).flatMap(([, same]) => same);
}

/** Returns a number that holds the length of a term and its letters, one bit for each letter. */
function signatureOf(term: string): number {
  let letters = 0;
  for (let i = 0; i < term.length; i++) letters |= 1 << (term.charCodeAt(i) % letterBits);
  return letters | (term.length << letterBits);
}

/** Compares a term with a first letter and a length, in the order of the sorted terms. */
function compareTo(term: string, first: string, length: number): number {
  return term.charCodeAt(0) - first.charCodeAt(0) || term.length - length;
}
