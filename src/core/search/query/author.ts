import { isStopWord, words } from "../../text/words.js";

/**
 * Finds the authors whom a query names. One word of a name is enough if it is not a stop word.
 *
 * Leaves out an author if the query names another author with the same words and at least one more.
 * Example: the query "Ida Berg" names the author "Ida Berg" and not "Tom Berg".
 */
export function findAuthors(query: string, authors: Iterable<string>): readonly string[] {
  // Found on demand, because most namespaces have no authors.
  let queryWords: ReadonlySet<string> | undefined;
  const found: { readonly author: string; readonly named: ReadonlySet<string> }[] = [];
  for (const author of authors) {
    queryWords ??= new Set(words(query));
    const ofQuery = queryWords;
    const named = words(author).filter((word) => ofQuery.has(word) && !isStopWord(word));
    if (named.length > 0) found.push({ author, named: new Set(named) });
  }
  const isNamedBetter = (less: ReadonlySet<string>) =>
    found.some(({ named }) => named.size > less.size && [...less].every((word) => named.has(word)));
  return found.filter(({ named }) => !isNamedBetter(named)).map(({ author }) => author);
}
