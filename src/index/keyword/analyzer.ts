import type { Memory } from "../../core/model/memory.js";
import type { Log } from "../../core/ports/log.js";
import { languageOfWord, languagesOfText, type TextLanguages } from "../../core/text/languages.js";
import { numberForms } from "../../core/text/number-forms.js";
import type { Language } from "../../core/text/stop-words.js";
import { eachWrittenPart, type WrittenPart } from "../../core/text/written-words.js";
import type { QueryTerm } from "./query-term.js";
import { isLatin, namespaceLanguages, queryTermsOf } from "./query-terms.js";
import { secondFormOf } from "./second-forms.js";
import type { Stemmers } from "./stemmers.js";
import { stopWordTerms } from "./stop-word-terms.js";
import { type ReadWord, readText, TextReadings } from "./text-reading.js";
import { createTermOf, type TermOf } from "./word-terms.js";

/** The terms of a memory. Repeated words give repeated terms. */
export interface IndexTerms {
  /**
   * The words of the memory's text, in the form of `words` (core/text/words.ts). Leaves out stop
   * words, except those that are written like names.
   */
  readonly words: readonly string[];
  /** The terms of these words. Their number is the length of the memory. */
  readonly terms: readonly string[];
  /** Terms that find the memory and do not count for its length. */
  readonly extras: readonly string[];
  /** Number of `terms` that are pairs of Chinese or Japanese characters. */
  readonly pairCount: number;
  /** The language of the text in Latin script; `undefined` if too few words show it. */
  readonly language: Language | undefined;
}

/** What was found in the parts of a text so far. */
interface FoundTerms {
  readonly terms: string[];
  readonly extras: string[];
  pairCount: number;
}

/** The parts of a memory that are indexed as words. */
export type IndexedTexts = Pick<Memory, "content" | "tags" | "kind">;

/**
 * `indexTermsInTurns` pauses each time that the parts since the last pause have cost this much,
 * which takes 1 to 3 ms. The unit is one UTF-16 unit of a word.
 */
const pieceCost = 4096;
/** Cost of each part of a text, and of each word in the part in addition to the word's length. */
const wordCost = 8;

/** Turns texts into terms. */
export class Analyzer {
  readonly #termOf: TermOf;
  readonly #readings = new TextReadings();

  constructor(log: Log, stemmers?: Stemmers) {
    this.#termOf = createTermOf(log, stemmers);
  }

  /** Returns the terms under which a memory is indexed: of its content, its tags and its kind. */
  readonly indexTerms = (memory: IndexedTexts): IndexTerms => {
    const pieces = this.#indexTermsInPieces(memory);
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value;
    }
  };

  /**
   * Returns the terms that a query searches for.
   *
   * @param languages The languages of the namespace's memories in Latin script, the most frequent
   *   first. Default: none.
   * @param isIndexedNext Whether a memory with this content is probably indexed next. Default
   *   false.
   */
  readonly queryTerms = (
    query: string,
    languages: readonly Language[] = [],
    isIndexedNext = false,
  ): QueryTerm[] => {
    if (!isIndexedNext) return queryTermsOf(this.#termOf, query, languages);
    const reading = readText(query, this.#termOf);
    this.#readings.remember(query, reading);
    // If the language is known, memories with the same words have the same stems. So the languages
    // of the namespace are not needed.
    const others = reading.languages.latin === undefined ? languages : [];
    return queryTermsOf(this.#termOf, query, others, reading);
  };

  /** Returns the stems of a word in several languages. See `NamespaceIndex.nameTerms`. */
  nameTerms(word: string, languages: readonly Language[]): readonly string[] {
    const own = languageOfWord(word, languagesOfText(word));
    const spoken = isLatin(own) ? namespaceLanguages(languages) : [own];
    const terms = spoken.map((language) => this.#termOf(word, language));
    return [...new Set(terms)].filter((term) => term !== undefined);
  }

  /** Returns the terms of `indexTerms`. Calls `pause` after each piece of a long text. */
  async indexTermsInTurns(memory: IndexedTexts, pause: () => Promise<void>): Promise<IndexTerms> {
    const pieces = this.#indexTermsInPieces(memory);
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value;
      await pause();
    }
  }

  /** Returns the terms of `indexTerms`. Yields every few milliseconds. */
  *#indexTermsInPieces({ content, tags, kind }: IndexedTexts): Generator<undefined, IndexTerms> {
    const reading = this.#readings.take(content);
    const languages = reading?.languages ?? languagesOfText(content);
    const textWords: string[] = [];
    const found: FoundTerms = { terms: [], extras: [], pairCount: 0 };
    let cost = 0;
    for (const part of reading?.parts ?? eachWrittenPart(content, languages)) {
      this.addTerms(part, languages, found);
      for (const { word, role } of part.words)
        if (role === "content" || role === "name") textWords.push(word);
      cost += costOf(part);
      if (cost < pieceCost) continue;
      cost = 0;
      yield;
    }
    found.extras.push(...numberForms(content));
    const ofLabels = { terms: found.extras, extras: found.extras, pairCount: 0 };
    for (const label of kind === undefined ? tags : [...tags, kind])
      for (const part of eachWrittenPart(label, languages))
        this.addTerms(part, languages, ofLabels);
    const { terms, extras, pairCount } = found;
    return { words: textWords, terms, extras, pairCount, language: languages.latin };
  }

  /** Adds the terms of a part of a memory's text. */
  private addTerms(
    { words, wholes, characters }: WrittenPart,
    languages: TextLanguages,
    found: FoundTerms,
  ): void {
    for (const one of words) {
      const { word, role } = one;
      const language = languageOfWord(word, languages);
      const term = "term" in one ? (one as ReadWord).term : this.#termOf(word, language);
      if (term === undefined) continue;
      if (role === "initial") found.extras.push(stopWordTerms.atSentenceStart(term));
      else if (role === "function") found.extras.push(stopWordTerms.ordinary(term));
      else {
        found.terms.push(term);
        const second = secondFormOf(word, language);
        const secondTerm = second && this.#termOf(second.form, language);
        if (secondTerm !== undefined) found.extras.push(secondTerm);
      }
    }
    for (const whole of wholes) found.extras.push(this.#termOf(whole, undefined) ?? whole);
    found.extras.push(...characters);
    if (characters.length > 0) found.pairCount += words.length;
  }
}

function costOf({ words }: WrittenPart): number {
  let cost = wordCost;
  for (const { word } of words) cost += word.length + wordCost;
  return cost;
}

/**
 * Creates an analyzer.
 *
 * @param log Gets one line for each language whose stemmer throws. Default: nothing is logged.
 * @param stemmers Default: all stemmers
 */
export function createAnalyzer(log: Log = () => undefined, stemmers?: Stemmers): Analyzer {
  return new Analyzer(log, stemmers);
}
