import { isStopWord, words } from "../../text/words.js";

/**
 * The one author that a query names, by any word of the name; `undefined` if it names none, or several.
 * What is asked about one person is mostly answered by that person; a query about two gives no hint.
 */
export function authorNamed(query: string, authors: Iterable<string>): string | undefined {
  const asked = new Set(words(query));
  let named: string | undefined;
  for (const author of authors) {
    if (!words(author).some((word) => asked.has(word) && !isStopWord(word))) continue;
    if (named !== undefined) return undefined;
    named = author;
  }
  return named;
}
