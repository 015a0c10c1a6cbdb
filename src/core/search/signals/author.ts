import { isStopWord, words } from "../../text/words.js";

/**
 * Finds the authors whom a query names, by any word of the name that is no stop word. If a query
 * names more words of one author than of another, only the first is named: "Ida Berg" does not name
 * "Tom Berg".
 */
export function findAuthors(query: string, authors: Iterable<string>): readonly string[] {
  const queryWords = new Set(words(query));
  const found: { readonly author: string; readonly named: ReadonlySet<string> }[] = [];
  for (const author of authors) {
    const named = words(author).filter((word) => queryWords.has(word) && !isStopWord(word));
    if (named.length > 0) found.push({ author, named: new Set(named) });
  }
  const isNamedBetter = (less: ReadonlySet<string>) =>
    found.some(({ named }) => named.size > less.size && [...less].every((word) => named.has(word)));
  return found.filter(({ named }) => !isNamedBetter(named)).map(({ author }) => author);
}
