import { languageOfWord, languagesOfText, type TextLanguages } from "../../core/text/languages.js";
import { digitsOfDates, numberForms } from "../../core/text/number-forms.js";
import { type Language, latinLanguages } from "../../core/text/stop-words.js";
import {
  eachWrittenPart,
  type WordRole,
  type WrittenPart,
  type WrittenWord,
} from "../../core/text/written-words.js";
import { plainTerm, type QueryTerm, type WeightedTerm } from "./query-term.js";
import { secondFormOf } from "./second-forms.js";
import { stopWordTerms } from "./stop-word-terms.js";
import type { ReadWord, TextReading } from "./text-reading.js";
import type { TermOf } from "./word-terms.js";

/**
 * Weight of a stop word at the start of a sentence of a memory, if the query has the word as a
 * name.
 */
const initialWeight = 0.6;
/**
 * Weight of a stop word in its ordinary meaning in a memory, if the query is only this word as a
 * name, such as "IT".
 */
const functionWeight = 0.2;
/**
 * Multiplies these two weights if the query has the word in capitals. `IT` is hardly the first word
 * of "It was raining", even if this memory is much shorter than others.
 */
const acronymFactor = 0.15;
/**
 * Weight of the words of an identifier, all together, if the query has the identifier. The whole
 * identifier has weight 1.
 */
const wordsWeight = 0.6;
const onlyAscii = /^\p{ASCII}*$/u;
/** A word of a query is searched for in at most this many of the namespace's languages. */
const languagesMax = 6;

/** How the words of a query become terms. */
interface Context {
  readonly termOf: TermOf;
  /** The languages of a word, the most probable first. */
  readonly languagesOf: (word: string) => readonly (Language | undefined)[];
  /** Whether the query has no other words than stop words. */
  readonly isAlone: boolean;
}

/**
 * Returns the terms that a query searches for. See `Analyzer.queryTerms`.
 *
 * @param reading The reading of the query. Requires: `ofNamespace` would not change the language in
 *   which the query is read. Default: this function reads the query.
 */
export function queryTermsOf(
  termOf: TermOf,
  query: string,
  ofNamespace: readonly Language[],
  reading = readQuery(query, ofNamespace),
): QueryTerm[] {
  const { languages } = reading;
  const parts = withoutDates(reading.parts, query).filter(({ words }) => words.length > 0);
  const has = (role: WordRole) =>
    reading.parts.some((part) => part.words.some((one) => one.role === role));
  const isAlone = !has("content");
  const latin = latinLanguagesOf(languages, ofNamespace);
  const context: Context = {
    termOf,
    isAlone,
    languagesOf(word) {
      const language = languageOfWord(word, languages);
      // Other languages would drop the accents, which tell words of Vietnamese apart.
      if (language === "vietnamese" && !onlyAscii.test(word)) return [language];
      return language === languages.latin || isLatin(language) ? latin : [language];
    },
  };
  // In a query such as "Who is May?", the name alone counts.
  const onlyNames = isAlone && has("name");
  const isName = ({ role }: WrittenWord) => role === "name";
  const ofParts = parts.flatMap((part) =>
    ofPart(context, onlyNames ? { ...part, words: part.words.filter(isName) } : part),
  );
  // If no memory has the whole number, only its groups of digits count. `ofParts` contains them.
  const ofNumbers = numberForms(query).map((form) => ({ ...plainTerm(form), fallback: [] }));
  return [...ofParts, ...ofNumbers];
}

/**
 * Leaves out the digits of dates in figures. Two dates with digits in common are no likeness: only
 * the whole date is a keyword.
 */
function withoutDates(parts: readonly WrittenPart[], query: string): readonly WrittenPart[] {
  const digits = digitsOfDates(query);
  if (digits.size === 0) return parts;
  return parts.map((part) => ({
    ...part,
    words: part.words.filter(({ word }) => !digits.has(word)),
  }));
}

function readQuery(query: string, ofNamespace: readonly Language[]): TextReading {
  const languages = languagesOfText(query, ofNamespace);
  return { languages, parts: [...eachWrittenPart(query, languages)] };
}

/** Whether a language is written in Latin script. An unknown language counts as one. */
export function isLatin(language: Language | undefined): boolean {
  return language === undefined || latinLanguages.includes(language);
}

/**
 * Returns the languages of a query's words in Latin script. Includes languages of the namespace,
 * because the detected language may be wrong, or the query may mix languages. Includes English,
 * because memories of an unknown language are indexed with English stems.
 */
function latinLanguagesOf({ latin }: TextLanguages, ofNamespace: readonly Language[]) {
  const others = namespaceLanguages(ofNamespace);
  return [...new Set([...(latin === undefined ? ofNamespace.slice(0, 1) : [latin]), ...others])];
}

/** Returns English and the most frequent languages of a namespace in Latin script. */
export function namespaceLanguages(ofNamespace: readonly Language[]): readonly Language[] {
  return [...new Set<Language>(["english", ...ofNamespace.slice(0, languagesMax)])];
}

function ofPart(context: Context, part: WrittenPart): QueryTerm[] {
  const { words, wholes, hasJoints, characters } = part;
  const ofWords =
    words.length === 1 && words[0]
      ? ofWord(context, words[0])
      : words.flatMap((word) => ofWord(context, word));
  for (const character of characters) ofWords.push(plainTerm(character));
  const [whole] = wholes;
  if (whole === undefined) return ofWords;
  const ofWhole = plainTerm(context.termOf(whole, undefined) ?? whole);
  if (hasJoints) return [...ofWords, { ...ofWhole, fallback: [] }];
  // Most memories write a name such as GitHub as one word. Then the name is the main term, and its
  // parts ("git" and "hub") count with a lower weight.
  const weight = wordsWeight / ofWords.length;
  const related = ofWords.flatMap(({ terms }) =>
    terms.map((related) => ({ term: related.term, weight: weight * related.weight })),
  );
  return [{ ...ofWhole, related, fallback: ofWords }];
}

function ofWord(
  { termOf, languagesOf, isAlone }: Context,
  { word, role, isAcronym, term: known }: WrittenWord & Partial<ReadWord>,
): QueryTerm[] {
  // Beside other words, a stop word in its ordinary meaning is left out, because most texts have
  // it.
  if (!isAlone && (role === "function" || role === "initial")) return [];
  const languages = languagesOf(word);
  if (role === "content" && languages.length === 1 && languages[0] === "english") {
    const term = known ?? termOf(word, "english");
    return term === undefined ? [] : [{ terms: [{ term, weight: 1 }], word }];
  }
  const stems = languages.map((language) => termOf(word, language));
  const terms = [...new Set(stems)].filter((term) => term !== undefined);
  const weighted = (weight: number, named = (term: string) => term): WeightedTerm[] =>
    terms.map((term) => ({ term: named(term), weight }));
  if (terms.length === 0) return [];
  if (role === "content") {
    const second = secondFormOf(word, languages[0]);
    const term = second && termOf(second.form, languages[0]);
    const ofSecond = second && term ? [{ term, weight: second.weight }] : [];
    return [{ terms: [...weighted(1), ...ofSecond], word }];
  }
  const isOrdinary = role === "function";
  const factor = isAcronym === true ? acronymFactor : 1;
  const named = [
    ...weighted(1),
    ...weighted(isOrdinary ? 1 : factor * initialWeight, stopWordTerms.atSentenceStart),
  ];
  // If no memory has the word as a name, it is an ordinary word with a capital, and is left out.
  if (!isAlone) return [{ terms: named, fallback: [] }];
  return [
    {
      terms: [
        ...named,
        ...weighted(isOrdinary ? 1 : factor * functionWeight, stopWordTerms.ordinary),
      ],
    },
  ];
}
