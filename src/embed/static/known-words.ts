import { englishWord } from "./word-pieces.js";

/**
 * Returns a function that tells whether a word is in the vocabulary of a static model. The
 * vocabulary of the bundled model has about 22,000 words and names of English texts.
 *
 * @param vocabulary See `readVocabulary`.
 */
export function createKnownWords(vocabulary: readonly string[]): (word: string) => boolean {
  // Many servers never need the set: only words that no memory has are looked up.
  let known: ReadonlySet<string> | undefined;
  return (word) => {
    known ??= new Set(vocabulary);
    const english = englishWord(word);
    return english !== undefined && known.has(english);
  };
}
