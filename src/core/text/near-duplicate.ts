import { stem } from "porter2";
import { isReversing } from "./reversing-words.js";
import { oneSpelling } from "./spelling.js";
import { unspaced } from "./words.js";

/**
 * Matches a mark of a task (`[ ]`, `[x]`), an emoticon, a word, a sign or a symbol. Some characters
 * match only in these places:
 * - a hyphen as a minus sign, before an option or at the end of a grade: `-5`, `-rf`, `A-`
 * - a dot before a number, and a comma or colon inside a number: `.5`, `1,5`, `10:30`
 * - a quotation mark after a number: `6'`
 * - an exclamation mark that negates: `!=`, `!ready`
 */
const parts = new RegExp(
  [
    String.raw`\[[ xX✓✔-]?\]`,
    String.raw`(?<!\p{N})[:;=][-']?[()DPpOo|/\\](?![\p{L}\p{N}])`,
    String.raw`(?<word>[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*)`,
    String.raw`[\p{S}%#&@*/\\?؟]`,
    String.raw`-(?=\p{N})`,
    String.raw`(?<![\p{L}\p{N}])-(?=\p{L})`,
    String.raw`!(?=[=\p{L}\p{N}])`,
    String.raw`(?<=[\p{L}\p{N}])-(?![\p{L}\p{N}])`,
    String.raw`\.(?=\p{N})`,
    String.raw`(?<=\p{N})[,:](?=\p{N})`,
    String.raw`(?<=\p{N})['"]`,
  ].join("|"),
  "gu",
);
const lowerCaseWord = /^[a-z]+$/;
const capitalOrDigit = /[\p{Lu}\p{Lt}\p{N}]/u;

/** Words that do not change what a text says. The `s` comes from possessives. */
const articles: ReadonlySet<string> = new Set(["a", "an", "the", "s"]);

/** A word or sign of a text. */
interface Part {
  /**
   * The sign, the word in lower case, or the stem of a word of plain letters. The stem of a past
   * tense is marked: who lived in Rome may live elsewhere.
   */
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
 * Whether a text is a near-duplicate of a phrase. One of the two must have all words and signs of
 * the other, in the same order. The words and signs that only one of them has must not be decisive.
 * Decisive are:
 * - numbers, signs and capitalised words
 * - negations and similar words (`isReversing`)
 * - words of scripts without spaces
 *
 * Stops reading the text at the first word that rules out a near-duplicate.
 */
export function isNearDuplicate(phrase: Phrase, text: string): boolean {
  // Two comparisons run at the same time. Each variable is the position that a comparison has
  // reached in the phrase. `phraseInText` is set while the text may contain the phrase.
  // `textInPhrase` is set while the phrase may contain the text.
  let phraseInText: number | undefined = 0;
  let textInPhrase: number | undefined = 0;
  for (const part of partsOf(text)) {
    if (phraseInText !== undefined) {
      if (part.form === phrase[phraseInText]?.form) phraseInText += 1;
      else if (part.isDecisive) phraseInText = undefined;
    }
    if (textInPhrase !== undefined) textInPhrase = positionAfter(part, phrase, textInPhrase);
    if (phraseInText === undefined && textInPhrase === undefined) return false;
  }
  const containsPhrase = phraseInText === phrase.length && phrase.length > 0;
  const isContained =
    textInPhrase !== undefined &&
    textInPhrase > 0 &&
    !phrase.slice(textInPhrase).some(({ isDecisive }) => isDecisive);
  return containsPhrase || isContained;
}

/**
 * Returns the position after the next occurrence of a part in a phrase, from `start` on. Returns
 * `undefined` if there is no occurrence, or if a decisive part comes before it.
 */
function positionAfter({ form }: Part, phrase: Phrase, start: number): number | undefined {
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

function stemWithTense(word: string): string {
  const stemmed = stem(word);
  return word.endsWith("ed") && stemmed !== word ? `${stemmed}+ed` : stemmed;
}

function partOf([found, word]: RegExpMatchArray): Part {
  if (word === undefined) return { form: found, isDecisive: true };
  const lower = word.toLowerCase();
  return {
    form: lowerCaseWord.test(lower) ? stemWithTense(lower) : lower,
    isDecisive: capitalOrDigit.test(word) || isReversing(lower) || unspaced.test(word),
  };
}
