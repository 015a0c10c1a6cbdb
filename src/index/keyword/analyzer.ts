import type { Memory } from "../../core/model/memory.js";
import { eachWrittenPart, type WrittenPart } from "../../core/text/written-words.js";
import type { QueryTerm } from "./query-term.js";
import { queryTermsOf } from "./query-terms.js";
import { stopWordTerms } from "./stop-word-terms.js";
import { createTermOf } from "./word-terms.js";

/** The terms of a memory. Repeated words give repeated terms. */
export interface IndexTerms {
  /** The words of its text, in the form of `words`, without stop words that are no names. */
  readonly words: readonly string[];
  /** The terms of the words of its text, without stop words. Their number is its length. */
  readonly terms: readonly string[];
  /** Terms that find the memory and do not count for its length. */
  readonly extras: readonly string[];
}

/** The parts of a memory that are indexed as words. */
export type IndexedTexts = Pick<Memory, "content" | "tags" | "kind">;

/** Cost after which `indexTermsInPieces` yields, in UTF-16 units of words: 1 to 3 ms. */
const pieceCost = 4096;
/** Cost of a part of a text besides the length of its words, for each word and at least once. */
const wordCost = 8;

/** Turns texts into terms. */
export class Analyzer {
  readonly #termOf = createTermOf();

  /** Returns the terms under which a memory is indexed: of its content, its tags and its kind. */
  readonly indexTerms = (memory: IndexedTexts): IndexTerms => {
    const pieces = this.indexTermsInPieces(memory);
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value;
    }
  };

  /** Returns the terms that a query searches for. */
  readonly queryTerms = (query: string): QueryTerm[] => queryTermsOf(this.#termOf, query);

  /**
   * Returns the terms of `indexTerms`. Yields every few milliseconds, so that other work can run.
   */
  *indexTermsInPieces({ content, tags, kind }: IndexedTexts): Generator<undefined, IndexTerms> {
    const textWords: string[] = [];
    const terms: string[] = [];
    const extras: string[] = [];
    let cost = 0;
    for (const part of eachWrittenPart(content)) {
      this.addTerms(part, terms, extras);
      for (const { word, role } of part.words)
        if (role === "content" || role === "name") textWords.push(word);
      cost += costOf(part);
      if (cost < pieceCost) continue;
      cost = 0;
      yield;
    }
    for (const label of kind === undefined ? tags : [...tags, kind])
      for (const part of eachWrittenPart(label)) this.addTerms(part, extras, extras);
    return { words: textWords, terms, extras };
  }

  /** Adds the terms of a part of a memory's text. */
  addTerms({ words, wholes, characters }: WrittenPart, terms: string[], extras: string[]): void {
    for (const { word, role } of words) {
      const term = this.#termOf(word);
      if (term === undefined) continue;
      if (role === "content" || role === "name") terms.push(term);
      else if (role === "initial") extras.push(stopWordTerms.atSentenceStart(term));
      else extras.push(stopWordTerms.ordinary(term));
    }
    for (const whole of wholes) extras.push(this.#termOf(whole) ?? whole);
    terms.push(...characters);
  }
}

function costOf({ words }: WrittenPart): number {
  let cost = wordCost;
  for (const { word } of words) cost += word.length + wordCost;
  return cost;
}

/** Creates an analyzer. */
export function createAnalyzer(): Analyzer {
  return new Analyzer();
}
