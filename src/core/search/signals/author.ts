import { isStopWord, words } from "../../text/words.js";

/**
 * Finds the author whom a query names. Any word of the author's name counts, except stop words. A
 * question about a person is mostly answered by that person's own memories.
 *
 * Returns `undefined` if the query names no author, or several: a question about two persons gives
 * no hint.
 */
export function findAuthor(query: string, authors: Iterable<string>): string | undefined {
  const queryWords = new Set(words(query));
  let found: string | undefined;
  for (const author of authors) {
    if (!words(author).some((word) => queryWords.has(word) && !isStopWord(word))) continue;
    if (found !== undefined) return undefined;
    found = author;
  }
  return found;
}
