import { stem } from "porter2";
import type { Memory } from "../../core/model/memory.js";
import {
  type WordRole,
  type WrittenPart,
  type WrittenWord,
  writtenParts,
} from "../../core/text/written-words.js";
import { plainTerm, type QueryTerm } from "./query-term.js";

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

/**
 * Stop words have terms of their own, which only a query of stop words or of names searches for. A
 * stop word with a capital at the start of a sentence may be a name: "Will lives in Cork".
 */
const initialTerm = (word: string) => `^${word}`;
const functionTerm = (word: string) => `~${word}`;

/** Weight of a stop word at the start of a sentence for a query that has it as a name. */
const initialWeight = 0.6;
/** Weight of an ordinary stop word for a query that consists of a name that is one, such as "IT". */
const functionWeight = 0.2;
/** Weight of all words of an identifier together for a query with the identifier. */
const wordsWeight = 0.6;

/** Maximum number of words in the cache of terms; a full cache is emptied. */
const cachedWords = 32_768;

/**
 * Words of this length or more are not cached: for such a word, V8 would keep in memory the whole
 * text that it was cut from.
 */
const uncachedWordLength = 13;

/** Scripts with accents that writers often drop, or with vowel signs that are mostly left out. */
const accented = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}ـ\p{sc=Hebrew}]/u;
const accents = /\p{Mn}+/gu;

/**
 * Letters with two spellings: the German sharp s, the Arabic final ya and ta marbuta. The tatweel
 * only stretches a word.
 */
const variants: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ى", "ي"],
  ["ة", "ه"],
  ["ـ", ""],
]);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "g");
const onlyAscii = /^\p{ASCII}*$/u;

/**
 * Creates an analyzer. Terms are words without stop words, accents and vowel signs. A word of plain
 * letters then becomes its stem by Snowball's English stemmer (Porter 2).
 */
export function createAnalyzer(): Analyzer {
  const terms = new Map<string, string | undefined>();

  function cachedTermOf(word: string): string | undefined {
    const cached = terms.get(word);
    if (cached !== undefined || terms.has(word)) return cached;
    const term = termOf(word);
    if (word.length < uncachedWordLength) {
      if (terms.size >= cachedWords) terms.clear();
      terms.set(word, term);
    }
    return term;
  }

  /** Adds the terms of a part of a memory's text. */
  function addTerms({ words, wholes, characters }: WrittenPart, found: string[], extras: string[]) {
    for (const { word, role } of words) {
      const term = cachedTermOf(word);
      if (term === undefined) continue;
      if (role === "content" || role === "name") found.push(term);
      else extras.push(role === "initial" ? initialTerm(term) : functionTerm(term));
    }
    for (const whole of wholes) extras.push(cachedTermOf(whole) ?? whole);
    found.push(...characters);
  }

  /** `isAlone`: the query has no other words than stop words. */
  function queryTermsOf({ word, role }: WrittenWord, isAlone: boolean): QueryTerm[] {
    const term = cachedTermOf(word);
    if (term === undefined) return [];
    if (role === "content") return [plainTerm(term)];
    const isOrdinary = role === "function";
    const named = [
      { term, weight: 1 },
      { term: initialTerm(term), weight: isOrdinary ? 1 : initialWeight },
    ];
    // A name that no memory has is an ordinary word with a capital.
    if (!isAlone) return role === "name" ? [{ terms: named, fallback: [] }] : [];
    const ordinary = { term: functionTerm(term), weight: isOrdinary ? 1 : functionWeight };
    return [{ terms: [...named, ordinary] }];
  }

  function queryTermsOfPart(
    { words, wholes: [whole], hasJoints }: WrittenPart,
    isAlone: boolean,
  ): QueryTerm[] {
    const ofWords = words.flatMap((word) => queryTermsOf(word, isAlone));
    if (whole === undefined) return ofWords;
    const ofWhole = plainTerm(cachedTermOf(whole) ?? whole);
    if (hasJoints) return [...ofWords, { ...ofWhole, fallback: [] }];
    // Most memories write a name such as GitHub as one word, whose parts they do not have.
    const weight = wordsWeight / ofWords.length;
    const related = ofWords.flatMap(({ terms }) =>
      terms.map((related) => ({ term: related.term, weight: weight * related.weight })),
    );
    return [{ ...ofWhole, related, fallback: ofWords }];
  }

  return {
    indexTerms({ content, tags, kind }) {
      const terms: string[] = [];
      const extras: string[] = [];
      for (const part of writtenParts(content)) addTerms(part, terms, extras);
      for (const label of kind === undefined ? tags : [...tags, kind])
        for (const part of writtenParts(label)) addTerms(part, extras, extras);
      return { terms, extras };
    },
    queryTerms(query) {
      const parts = writtenParts(query);
      const has = (role: WordRole) => parts.some((part) => part.words.some((w) => w.role === role));
      const isAlone = !has("content");
      // In a query such as "Who is May?", the name alone counts.
      const counts = ({ role }: WrittenWord) => !isAlone || role === "name" || !has("name");
      return parts.flatMap(({ words, ...part }) =>
        queryTermsOfPart({ ...part, words: words.filter(counts) }, isAlone),
      );
    },
  };
}

function termOf(word: string): string | undefined {
  const plain = onlyAscii.test(word) ? word : withoutAccents(word);
  if (plain === "") return undefined;
  return onlyAscii.test(plain) ? stem(plain) : plain;
}

function withoutAccents(word: string): string {
  return accented.test(word)
    ? unified(word.normalize("NFD").replace(accents, "").normalize("NFC"))
    : word;
}

function unified(word: string): string {
  return word.replace(variant, (character) => variants.get(character) ?? character);
}
