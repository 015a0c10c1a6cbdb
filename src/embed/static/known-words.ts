import { englishWord } from "./word-pieces.js";

/**
 * Returns a function that tells whether a word is in the vocabulary of a static model. The
 * vocabulary of the bundled model has about 22,000 words and names from English texts.
 *
 * @param vocabulary See `readVocabulary`.
 */
export function createKnownWords(vocabulary: readonly string[]): (word: string) => boolean {
  // A search looks up only words of its query that occur in no memory, so many servers never need
  // this set.
  let known: ReadonlySet<string> | undefined;
  return (word) => {
    known ??= new Set(vocabulary);
    const english = englishWord(word);
    return english !== undefined && known.has(english);
  };
}
