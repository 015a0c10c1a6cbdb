import { stem } from "porter2";
import { isReversing } from "./reversing-words.js";
import { oneSpelling } from "./spelling.js";
import { unspaced } from "./words.js";

/**
 * Matches a word, a sign or a symbol. Hyphens count as minus sign or grade (`-5`, `A-`). Marks count
 * inside a number (`1.5`, `10:30`), and quotation marks behind one (`6'`).
 */
const parts = new RegExp(
  [
    String.raw`(?<word>[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*)`,
    String.raw`[\p{S}%#&@*/\\?؟]`,
    String.raw`-(?=\p{N})`,
    String.raw`(?<=[\p{L}\p{N}])-(?![\p{L}\p{N}])`,
    String.raw`(?<=\p{N})[.,:](?=\p{N})`,
    String.raw`(?<=\p{N})['"]`,
  ].join("|"),
  "gu",
);
const lowerCaseWord = /^[a-z]+$/;
const capitalOrDigit = /[\p{Lu}\p{Lt}\p{N}]/u;

/** Words that add nothing. The `s` is that of a possessive. */
const articles: ReadonlySet<string> = new Set(["a", "an", "the", "s"]);

/** A word or sign of a text. */
interface Part {
  /** The sign, or the word in lower case; the stem of an English word. */
  readonly form: string;
  /** Whether this part changes what a text says, such as a number or a negation. */
  readonly isDecisive: boolean;
}

/** The words and signs of a text in their order, without articles. */
export type Phrase = readonly Part[];

/** Splits a text into the words and signs that `isNearDuplicate` compares. */
export function phraseOf(text: string): Phrase {
  return [...partsOf(text)];
}

/**
 * Whether a text says nearly the same as a phrase. The one has all words and signs of the other, in
 * their order. It may have others beyond them, but none that is decisive: numbers, signs,
 * capitalised words, negations and the like (see `isReversing`), and words of scripts without
 * spaces.
 *
 * Reads the text only up to the word that decides against it.
 */
export function isNearDuplicate(phrase: Phrase, text: string): boolean {
  // The position in the phrase that the comparison has reached. `inText`: while the text may
  // contain the phrase; `ofText`: while the phrase may contain the text. `undefined`: it does not.
  let inText: number | undefined = 0;
  let ofText: number | undefined = 0;
  for (const part of partsOf(text)) {
    if (inText !== undefined) {
      if (part.form === phrase[inText]?.form) inText += 1;
      else if (part.isDecisive) inText = undefined;
    }
    if (ofText !== undefined) ofText = endOf(part, phrase, ofText);
    if (inText === undefined && ofText === undefined) return false;
  }
  const containsPhrase = inText === phrase.length && phrase.length > 0;
  const isContained =
    ofText !== undefined &&
    ofText > 0 &&
    !phrase.slice(ofText).some(({ isDecisive }) => isDecisive);
  return containsPhrase || isContained;
}

/**
 * Returns the position after the next occurrence of a part in a phrase, from `start` on. Returns
 * `undefined` if there is no occurrence, or if a decisive part comes before it.
 */
function endOf({ form }: Part, phrase: Phrase, start: number): number | undefined {
  for (let at = start; at < phrase.length; at++) {
    const candidate = phrase[at] as Part;
    if (candidate.form === form) return at + 1;
    if (candidate.isDecisive) return undefined;
  }
  return undefined;
}

function* partsOf(text: string): Iterable<Part> {
  for (const found of oneSpelling(text).matchAll(parts)) {
    const part = partOf(found);
    if (!articles.has(part.form)) yield part;
  }
}

function partOf([found, word]: RegExpMatchArray): Part {
  if (word === undefined) return { form: found, isDecisive: true };
  const lower = word.toLowerCase();
  return {
    form: lowerCaseWord.test(lower) ? stem(lower) : lower,
    isDecisive: capitalOrDigit.test(word) || isReversing(lower) || unspaced.test(word),
  };
}
