import type { Respelling } from "../../core/ports/search-index.js";
import type { KeywordIndex } from "./keyword-index.js";
import type { QueryTerm } from "./query-term.js";

/**
 * Weight of the occurrences of a term that stands in for a word of the query, by the number of
 * edits between word and term.
 */
const weightByEdits = [1, 0.6, 0.4];

/** Maximum number of terms that stand in for a word: the most frequent of the nearest. */
const termsPerWord = 4;

/** Maximum number of look-ups of similar terms for a query. Each takes up to about 50 µs. */
const lookupsMax = 16;

/** The terms of a query, with respellings. */
export interface RespelledTerms {
  readonly terms: readonly QueryTerm[];
  readonly respellings: readonly Respelling[];
}

/**
 * Lets terms of similar spelling stand in for the words of a query that no row has.
 *
 * @param isKnownWord whether a word is known to be spelled right. Such a word gets no stand-in,
 *   because it names something that no memory names.
 */
export function respellTerms(
  queryTerms: readonly QueryTerm[],
  keywords: KeywordIndex,
  isKnownWord: (word: string) => boolean,
): RespelledTerms {
  const respellings: Respelling[] = [];
  let lookups = 0;
  const respell = (queryTerm: QueryTerm): QueryTerm => {
    const { terms, word, fallback } = queryTerm;
    if (terms.some(({ term }) => keywords.countOf(term) > 0)) return queryTerm;
    if (fallback !== undefined) return { ...queryTerm, fallback: fallback.map(respell) };
    if (word === undefined || lookups >= lookupsMax || isKnownWord(word)) return queryTerm;
    let edits = Number.POSITIVE_INFINITY;
    let nearest = new Set<string>();
    for (const { term } of terms) {
      lookups += 1;
      const found = keywords.nearestTerms(term);
      if (found.terms.length === 0 || found.edits > edits) continue;
      nearest = new Set(found.edits < edits ? found.terms : [...nearest, ...found.terms]);
      edits = found.edits;
    }
    if (nearest.size === 0) return queryTerm;
    const chosen = [...nearest]
      .sort((a, b) => keywords.countOf(b) - keywords.countOf(a) || (a < b ? -1 : 1))
      .slice(0, termsPerWord);
    respellings.push({ word, terms: chosen });
    const weight = weightByEdits[edits] as number;
    const standIns = chosen.map((term) => ({ term, weight }));
    return { ...queryTerm, terms: [...terms, ...standIns], isRespelled: true };
  };
  return { terms: queryTerms.map(respell), respellings };
}
