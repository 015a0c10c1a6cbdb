import type { Memory } from "../../core/model/memory.js";
import { languageOfWord, type TextLanguages } from "../../core/text/languages.js";
import type { Language } from "../../core/text/stop-words.js";
import { readWords, type WrittenPart } from "../../core/text/written-words.js";
import { withoutPrefix } from "./prefixes.js";
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
  /** Number of `terms` that are pairs of characters. */
  readonly pairCount: number;
  /** The language of the text in Latin script; `undefined` if too few words tell. */
  readonly language: Language | undefined;
}

/** Turns texts into terms. */
export interface Analyzer {
  /** Returns the terms under which a memory is indexed: of its content, its tags and its kind. */
  readonly indexTerms: (memory: Pick<Memory, "content" | "tags" | "kind">) => IndexTerms;
  /**
   * Returns the terms that a query searches for.
   *
   * @param languages The languages of the namespace's memories in Latin script, the most frequent
   *   first. They count if the query does not tell its language.
   */
  readonly queryTerms: (query: string, languages?: readonly Language[]) => QueryTerm[];
}

/** Creates an analyzer. */
export function createAnalyzer(): Analyzer {
  const termOf = createTermOf();
  return {
    indexTerms({ content, tags, kind }) {
      const found = { terms: [], extras: [], pairCount: 0 };
      const { parts, languages } = readWords(content);
      for (const part of parts) addTerms(termOf, part, languages, found);
      const ofLabels = { terms: found.extras, extras: found.extras, pairCount: 0 };
      for (const label of kind === undefined ? tags : [...tags, kind])
        for (const part of readWords(label).parts) addTerms(termOf, part, languages, ofLabels);
      return { ...found, language: languages.latin };
    },
    queryTerms: (query, languages = []) => queryTermsOf(termOf, query, languages),
  };
}

/** Adds the terms of a part of a memory's text to what was found before it. */
function addTerms(
  termOf: TermOf,
  { words, wholes, characters }: WrittenPart,
  languages: TextLanguages,
  found: { readonly terms: string[]; readonly extras: string[]; pairCount: number },
): void {
  for (const { word, role } of words) {
    const language = languageOfWord(word, languages);
    const term = termOf(word, language);
    if (term === undefined) continue;
    if (role === "initial") found.extras.push(stopWordTerms.atSentenceStart(term));
    else if (role === "function") found.extras.push(stopWordTerms.ordinary(term));
    else {
      found.terms.push(term);
      const inner = withoutPrefix(word, language);
      const innerTerm = inner && termOf(inner, language);
      if (innerTerm !== undefined) found.extras.push(innerTerm);
    }
  }
  for (const whole of wholes) found.extras.push(termOf(whole, undefined) ?? whole);
  found.extras.push(...characters);
  if (characters.length > 0) found.pairCount += words.length;
}
