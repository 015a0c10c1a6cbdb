import type { Memory } from "../../core/model/memory.js";
import { type WrittenPart, writtenParts } from "../../core/text/written-words.js";
import type { QueryTerm } from "./query-term.js";
import { queryTermsOf } from "./query-terms.js";
import { stopWordTerms } from "./stop-word-terms.js";
import { createTermOf, type TermOf } from "./word-terms.js";

/** The terms of a memory. Repeated words give repeated terms. */
export interface IndexTerms {
  /** The terms of the words of its text, without stop words. Their number is its length. */
  readonly terms: readonly string[];
  /** Terms that find the memory and do not count for its length. */
  readonly extras: readonly string[];
}

/** Turns texts into terms. */
export interface Analyzer {
  /** Returns the terms under which a memory is indexed: of its content, its tags and its kind. */
  readonly indexTerms: (memory: Pick<Memory, "content" | "tags" | "kind">) => IndexTerms;
  /** Returns the terms that a query searches for. */
  readonly queryTerms: (query: string) => QueryTerm[];
}

/** Creates an analyzer. */
export function createAnalyzer(): Analyzer {
  const termOf = createTermOf();
  return {
    indexTerms({ content, tags, kind }) {
      const terms: string[] = [];
      const extras: string[] = [];
      for (const part of writtenParts(content)) addTerms(termOf, part, terms, extras);
      for (const label of kind === undefined ? tags : [...tags, kind])
        for (const part of writtenParts(label)) addTerms(termOf, part, extras, extras);
      return { terms, extras };
    },
    queryTerms: (query) => queryTermsOf(termOf, query),
  };
}

/** Adds the terms of a part of a memory's text. */
function addTerms(
  termOf: TermOf,
  { words, wholes, characters }: WrittenPart,
  terms: string[],
  extras: string[],
): void {
  for (const { word, role } of words) {
    const term = termOf(word);
    if (term === undefined) continue;
    if (role === "content" || role === "name") terms.push(term);
    else if (role === "initial") extras.push(stopWordTerms.atSentenceStart(term));
    else extras.push(stopWordTerms.ordinary(term));
  }
  for (const whole of wholes) extras.push(termOf(whole) ?? whole);
  terms.push(...characters);
}
