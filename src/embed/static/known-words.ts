import { readFileSync } from "node:fs";
import { join } from "node:path";
import { englishWord } from "./word-pieces.js";

/**
 * Returns a function that tells whether a word is in the vocabulary of a static model: one of the
 * 20,000 most frequent words and names of English texts. The first call reads the vocabulary.
 *
 * @param folder Folder with `vocab.txt`, one entry a line. Parts of words begin with `##`.
 */
export function createKnownWords(folder: string): (word: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (word) => {
    known ??= new Set(readFileSync(join(folder, "vocab.txt"), "utf8").split("\n"));
    const english = englishWord(word);
    return english !== undefined && known.has(english);
  };
}
