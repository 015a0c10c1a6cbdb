import { lengthWeight } from "../../../src/index/keyword/keyword-index.js";

/** Normalised BM25 of each text (as its terms) for a query, as the formula has it; `undefined` texts are not there. */
export function naiveBm25(texts: readonly (readonly string[] | undefined)[], query: readonly string[]): number[] {
  const present = texts.filter((terms) => terms !== undefined);
  const meanTerms = present.reduce((sum, terms) => sum + terms.length, 0) / present.length;
  const b = lengthWeight(meanTerms);
  const idf = (term: string): number => {
    const holding = present.filter((terms) => terms.includes(term)).length;
    return Math.log(1 + (present.length - holding + 0.5) / (holding + 0.5));
  };
  const best = query.reduce((sum, term) => sum + 2.2 * idf(term), 0);
  return texts.map((terms = []) => {
    let score = 0;
    for (const term of query) {
      const frequency = terms.filter((other) => other === term).length;
      if (frequency > 0) score += (idf(term) * frequency * 2.2) / (frequency + 1.2 * (1 - b + (b * terms.length) / meanTerms));
    }
    return score === 0 ? 0 : score / best;
  });
}
