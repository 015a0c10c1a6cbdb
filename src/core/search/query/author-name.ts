import { splitRun } from "../../text/words.js";

/** Names of the sides of a conversation. They name no one, so no query names them. */
const roles: ReadonlySet<string> = new Set(
  "user assistant system tool human ai bot agent model function developer operator".split(" "),
);

/** Words before a name that are no part of it. */
const titles: ReadonlySet<string> = new Set(
  "dr mr mrs ms miss prof professor sir madam herr frau señor señora don doña monsieur madame".split(
    " ",
  ),
);

/** Runs of letters and digits. */
export const nameRuns = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const hasLetter = /\p{L}/u;
const startsWithLetter = /^\p{L}/u;
const hasDigit = /\p{N}/u;

/** The words of an author's name, by which a query can name the author. */
export interface AuthorName {
  /** The author in lower case, if a query that has this text names the author: several words. */
  readonly text: string | undefined;
  /** The whole name without titles, in the form of `words`. Empty for a role. */
  readonly words: readonly string[];
  /** The first and the last name, where they are no whole name. */
  readonly parts: readonly string[];
}

/** Maximum number of names in the cache. A full cache is emptied. */
const cachedNames = 16_384;
const names = new Map<string, AuthorName>();

/** Reads the name of an author. A mail address has the words before its `@`. */
export function nameOfAuthor(author: string): AuthorName {
  let name = names.get(author);
  if (name === undefined) {
    name = readName(author);
    if (names.size >= cachedNames) names.clear();
    names.set(author, name);
  }
  return name;
}

function readName(author: string): AuthorName {
  const person = author.replace(/<[^>]*>|(?<=\S)@\S*$/gu, "");
  const all = (person.match(nameRuns) ?? []).flatMap(splitRun);
  const firstOfName = all.findIndex((word) => !titles.has(word));
  const hasTitle = firstOfName > 0;
  const words = hasTitle ? all.slice(firstOfName) : all;
  const text = (author.match(nameRuns) ?? []).length > 1 ? author.toLowerCase() : undefined;
  const [only = ""] = words.length === 1 ? words : [];
  // An account such as `bob92` is a name, but no part of one.
  if (only !== "" && !canName(only) && (!startsWithLetter.test(only) || roles.has(only)))
    return { text, words: [], parts: [] };
  // A title tells that the word after it is a part of the name.
  if (words.length === 1 && !hasTitle) return { text, words, parts: [] };
  const parts = [words[0] ?? "", words.at(-1) ?? ""].filter(canName);
  return { text, words: words.length === 1 ? [] : words, parts };
}

function canName(word: string): boolean {
  return hasLetter.test(word) && !hasDigit.test(word) && !roles.has(word);
}
