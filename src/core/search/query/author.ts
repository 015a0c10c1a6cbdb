import { foldLetters } from "../../text/fold-letters.js";
import { languageOfWord, languagesOfText, type TextLanguages } from "../../text/languages.js";
import { sayingWords } from "../../text/saying-words.js";
import { type Language, stopWordsByLanguage } from "../../text/stop-words.js";
import { isStopWord, splitRun } from "../../text/words.js";
import { startsSentence } from "../../text/written-words.js";
import { nameOfAuthor, nameRuns } from "./author-name.js";

/** The authors whom a query names. */
export interface NamedAuthors {
  readonly authors: readonly string[];
  /**
   * Whether the query asks for what these authors said and for nothing else: "What did Ann say?",
   * or only "Ann". Then being by one of them is enough to match.
   */
  readonly isOnlyAboutThem: boolean;
  /** The same without queries of names alone: "What did Ann say?", "from Ann". */
  readonly asksWhatTheySaid: boolean;
}

/** Returns the stems of a word, in the languages that a namespace has. */
export type TermsOf = (word: string) => readonly string[];

/** A word of a query. */
interface Token {
  /** The position in the query, in UTF-16 units. */
  readonly start: number;
  /** In the form of `words`. */
  readonly word: string;
  readonly terms: readonly string[];
  /** Whether the word is written like a name, so that it can be a first or a last name. */
  readonly isName: boolean;
  /** Whether the word can be the whole name of an author who has one name. */
  readonly isOnlyName: boolean;
}

const capital = /^\p{Lu}/u;
const lowerCase = /\p{Ll}/u;
const cased = /[\p{Lu}\p{Ll}]/u;
const possessive = /^(?:['’]s\b|s?['’](?!\p{L}))/iu;
const months: ReadonlySet<string> = new Set(
  "january february march april may june july august september october november december".split(
    " ",
  ),
);
const beforeMonths: ReadonlySet<string> = new Set(
  `in on since until till before after by of during last next this from to every each early late mid
  and or between`.split(/\s+/),
);
/** Words between which and a verb a name stands: "where does mia live". */
const beforeNames: ReadonlySet<string> = new Set("did does has is was".split(" "));
/** Words after which a name can end a query: "a gift for mia". */
const beforeLastNames: ReadonlySet<string> = new Set("about from by with for of to and".split(" "));
/** Verbs after a name at the start of a sentence: "Green is late". */
const verbsAfterNames: ReadonlySet<string> = new Set(
  "is was has had did does will would can could and or".split(" "),
);
/** Words after a verb that looks like a name at the start of a sentence: "Mark this as done". */
const afterVerbs: ReadonlySet<string> = new Set(
  `this that these those the a an it them him her me us my your his our their all every as up down
  out off i you he she we they`.split(/\s+/),
);

const noAuthors: NamedAuthors = { authors: [], isOnlyAboutThem: false, asksWhatTheySaid: false };

/**
 * Finds the authors whom a query names: by the whole name, or by a first or last name that is
 * written like a name (a capital inside a sentence, a possessive, "by", a verb of saying). Never by
 * a mail domain, a number or a role such as "user". Words match by their stems, without accents.
 *
 * Leaves out an author if the query names another author with the same words and at least one more,
 * or by the whole name. Examples: the query "Ida Berg" names the author "Ida Berg" and not "Tom
 * Berg". If there is an author "Ann", the query "Ann" does not name the author "Mary Ann".
 *
 * @param termsOf Called for the words of the query, and for names that may match one of them.
 */
export function findAuthors(
  query: string,
  authors: Iterable<string>,
  termsOf: TermsOf,
): NamedAuthors {
  let read: ReadQuery | undefined;
  const found: ({ readonly author: string } & FoundName)[] = [];
  for (const author of authors) {
    // Read on demand, because most namespaces have no authors.
    read ??= new ReadQuery(query, termsOf);
    const name = read.find(author);
    if (name.at.size > 0) found.push({ author, ...name });
  }
  if (read === undefined || found.length === 0) return noAuthors;
  const isNamedBetter = (less: FoundName) =>
    found.some(({ at, isWhole }) => {
      const isBetter = at.size > less.at.size || (isWhole && !less.isWhole);
      return isBetter && [...less.at].every((index) => at.has(index));
    });
  const named = found.filter((name) => !isNamedBetter(name));
  const ofNames = new Set(named.flatMap(({ at }) => [...at]));
  return {
    authors: named.map(({ author }) => author),
    isOnlyAboutThem: read.asksOnlyAbout(ofNames),
    asksWhatTheySaid: read.hasMoreThan(ofNames) && read.asksOnlyAbout(ofNames),
  };
}

/** Where a query names an author. */
interface FoundName {
  /** The indexes of the words that name the author. */
  readonly at: ReadonlySet<number>;
  /** Whether they are the whole name. */
  readonly isWhole: boolean;
}

/** The words of a query, read once for all authors. */
class ReadQuery {
  readonly #tokens: readonly Token[];
  readonly #lower: string;
  readonly #initials: ReadonlySet<string>;
  #languages: TextLanguages | undefined;

  constructor(
    private readonly query: string,
    private readonly termsOf: TermsOf,
  ) {
    this.#tokens = tokensOf(query, termsOf);
    this.#lower = query.toLowerCase();
    this.#initials = new Set(this.#tokens.map(({ word }) => initialOf(word)));
  }

  /** Finds the words that name an author. */
  find(author: string): FoundName {
    const { text, words, parts } = nameOfAuthor(author);
    const whole = [...this.#indexesOfText(text), ...this.#wholeName(words)];
    if (whole.length > 0) return { at: new Set(whole), isWhole: true };
    const indexes = parts.flatMap((part) => this.#indexesOf(part));
    const named = indexes.filter((index) => this.#tokens[index]?.isName === true);
    return { at: new Set(named), isWhole: false };
  }

  /** Whether the query has other words than the names. */
  hasMoreThan(ofNames: ReadonlySet<number>): boolean {
    return this.#tokens.some((_, index) => !ofNames.has(index));
  }

  /**
   * Whether the other words ask what the named authors said, and nothing else. Names alone, with
   * capitals, ask so too.
   */
  asksOnlyAbout(ofNames: ReadonlySet<number>): boolean {
    const others = this.#tokens.filter((_, index) => !ofNames.has(index));
    if (others.length === 0) return ofNames.size > 1 || !/^\P{L}*\p{Ll}/u.test(this.query);
    if (others.every(({ word }) => word === "by" || word === "from")) return true;
    return (
      others.some(({ word }) => sayingWords.has(word)) &&
      others.every(({ word }) => {
        const language = this.#languageOf(word) ?? "english";
        return sayingWords.has(word) || stopWordsByLanguage[language].has(word);
      })
    );
  }

  #wholeName(words: readonly string[]): readonly number[] {
    const [first] = words;
    if (first === undefined) return [];
    return this.#indexesOf(first).flatMap((start) => {
      const indexes = words.map((_, offset) => start + offset);
      const isWhole = indexes.every((index, offset) => this.#matches(index, words[offset] ?? ""));
      const isName = words.length > 1 || this.#tokens[start]?.isOnlyName === true;
      return isWhole && isName ? indexes : [];
    });
  }

  #indexesOf(word: string): number[] {
    if (!this.#initials.has(initialOf(word))) return [];
    return [...this.#tokens.keys()].filter((index) => this.#matches(index, word));
  }

  #matches(index: number, word: string): boolean {
    const token = this.#tokens[index];
    if (token === undefined) return false;
    if (token.word === word || this.termsOf(word).some((term) => token.terms.includes(term)))
      return true;
    return token.isName && this.#inflects(token.word) && isCaseOf(token.word, word);
  }

  /** Whether a word is of a language whose names have endings. English has none. */
  #inflects(word: string): boolean {
    const language = this.#languageOf(word);
    return language !== undefined && language !== "english";
  }

  #languageOf(word: string): Language | undefined {
    this.#languages ??= languagesOfText(this.query);
    return languageOfWord(word, this.#languages);
  }

  /** Returns the indexes of the words of a text that stands in the query, such as an address. */
  #indexesOfText(text: string | undefined): readonly number[] {
    const start = text === undefined ? -1 : this.#lower.indexOf(text);
    if (text === undefined || start < 0) return [];
    const end = start + text.length;
    const isInWord = (at: number) => /[\p{L}\p{N}]/u.test(this.#lower[at] ?? "");
    if (isInWord(start - 1) || isInWord(end)) return [];
    return [...this.#tokens.keys()].filter((index) => {
      const at = this.#tokens[index]?.start ?? 0;
      return start <= at && at < end;
    });
  }
}

/** Maximum length of the ending of a name, such as `ому`. */
const endingMax = 3;

/**
 * Whether a word can be a name in another case: `Иваном` for `Иван`, `Annie` for `Anna`. Stemmers
 * know words, and often keep the ending of a name.
 */
function isCaseOf(word: string, name: string): boolean {
  const base = name.replace(/[aeoаяео]$/u, "");
  const ending = word.length - base.length;
  return base.length >= 3 && ending >= 0 && ending <= endingMax && word.startsWith(base);
}

/** Returns the first letter, folded. Words with different initials share no stem. */
function initialOf(word: string): string {
  return foldLetters(word).charAt(0);
}

function tokensOf(query: string, termsOf: TermsOf): Token[] {
  const runs = [...query.matchAll(nameRuns)];
  const ofRuns = runs.map(([run]) => splitRun(run));
  const isLoud = !lowerCase.test(query);
  return runs.flatMap(({ 0: run, index }, at) => {
    const before = ofRuns[at - 1]?.at(-1) ?? "";
    const after = ofRuns[at + 1]?.[0];
    const written: WrittenRun = {
      run,
      before,
      after,
      isCapital: !isLoud && capital.test(run),
      isInitial: startsSentence(query, index),
      isPossessive: possessive.test(query.slice(index + run.length, index + run.length + 3)),
    };
    const isAlone = runs.length === 1;
    return (ofRuns[at] ?? []).map((word) => {
      const isName = isWrittenAsName(written, word);
      const isOnlyName = isAlone || isName || isWrittenAsOnlyName(written, word);
      return { start: index, word, terms: termsOf(word), isName, isOnlyName };
    });
  });
}

/** How a run of letters is written in a query. */
interface WrittenRun {
  readonly run: string;
  /** The word before; empty for the first. */
  readonly before: string;
  /** The word after; `undefined` for the last. */
  readonly after: string | undefined;
  readonly isCapital: boolean;
  readonly isInitial: boolean;
  readonly isPossessive: boolean;
}

function isWrittenAsName(written: WrittenRun, word: string): boolean {
  const { run, before, after, isCapital, isInitial, isPossessive } = written;
  if (!cased.test(run)) return !isStopWord(word);
  if (isMonth(written, word)) return false;
  if (isPossessive || (after !== undefined && sayingWords.has(after))) return true;
  if (before === "by" && !isStopWord(word)) return true;
  if (!isCapital) return false;
  if (!isInitial) return true;
  if (isStopWord(word)) return false;
  return (
    after === undefined || verbsAfterNames.has(after) || /\p{L}{2}(?:[^s\P{L}]s|ed)$/u.test(after)
  );
}

/** Whether a word that is not written like a name can still be the only name of an author. */
function isWrittenAsOnlyName(written: WrittenRun, word: string): boolean {
  const { before, after, isCapital } = written;
  if (isStopWord(word) || isMonth(written, word)) return false;
  if (after !== undefined && afterVerbs.has(after)) return false;
  if (isCapital || beforeNames.has(before)) return true;
  return after === undefined && beforeLastNames.has(before);
}

function isMonth({ before, after = "" }: WrittenRun, word: string): boolean {
  return months.has(word) && (beforeMonths.has(before) || /^\d/.test(before) || /^\d/.test(after));
}
