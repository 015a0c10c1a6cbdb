import {
  type WordRole,
  type WrittenPart,
  type WrittenWord,
  writtenParts,
} from "../../core/text/written-words.js";
import { plainTerm, type QueryTerm } from "./query-term.js";
import { stopWordTerms } from "./stop-word-terms.js";
import type { TermOf } from "./word-terms.js";

/** Weight of a stop word at the start of a sentence for a query that has it as a name. */
const initialWeight = 0.6;
/** Weight of an ordinary stop word for a query that consists of such a name: "IT". */
const functionWeight = 0.2;
/** Weight of all words of an identifier together for a query with the identifier. */
const wordsWeight = 0.6;

/** Returns the terms that a query searches for. */
export function queryTermsOf(termOf: TermOf, query: string): QueryTerm[] {
  const parts = writtenParts(query);
  const has = (role: WordRole) => parts.some((part) => part.words.some((w) => w.role === role));
  const isAlone = !has("content");
  // In a query such as "Who is May?", the name alone counts.
  const counts = ({ role }: WrittenWord) => !isAlone || role === "name" || !has("name");
  return parts.flatMap(({ words, ...part }) =>
    ofPart(termOf, { ...part, words: words.filter(counts) }, isAlone),
  );
}

/** `isAlone`: the query has no other words than stop words. */
function ofWord(termOf: TermOf, { word, role }: WrittenWord, isAlone: boolean): QueryTerm[] {
  const term = termOf(word);
  if (term === undefined) return [];
  if (role === "content") return [plainTerm(term)];
  const isOrdinary = role === "function";
  const named = [
    { term, weight: 1 },
    { term: stopWordTerms.atSentenceStart(term), weight: isOrdinary ? 1 : initialWeight },
  ];
  // A name that no memory has is an ordinary word with a capital.
  if (!isAlone) return role === "name" ? [{ terms: named, fallback: [] }] : [];
  const ordinary = { term: stopWordTerms.ordinary(term), weight: isOrdinary ? 1 : functionWeight };
  return [{ terms: [...named, ordinary] }];
}

function ofPart(
  termOf: TermOf,
  { words, wholes: [whole], hasJoints }: WrittenPart,
  isAlone: boolean,
): QueryTerm[] {
  const ofWords = words.flatMap((word) => ofWord(termOf, word, isAlone));
  if (whole === undefined) return ofWords;
  const ofWhole = plainTerm(termOf(whole) ?? whole);
  if (hasJoints) return [...ofWords, { ...ofWhole, fallback: [] }];
  // Most memories write a name such as GitHub as one word, whose parts they do not have.
  const weight = wordsWeight / ofWords.length;
  const related = ofWords.flatMap(({ terms }) =>
    terms.map((related) => ({ term: related.term, weight: weight * related.weight })),
  );
  return [{ ...ofWhole, related, fallback: ofWords }];
}
