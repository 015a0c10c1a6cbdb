import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The vocabularies that were read, by folder. */
const vocabularies = new Map<string, Promise<readonly string[]>>();

/**
 * Reads the vocabulary of a static model: `vocab.txt`, one entry a line. An entry that continues a
 * word begins with `##`. Reads each file once.
 */
export function readVocabulary(folder: string): Promise<readonly string[]> {
  let vocabulary = vocabularies.get(folder);
  if (vocabulary === undefined) {
    vocabulary = readFile(join(folder, "vocab.txt"), "utf8").then((text) =>
      text.trimEnd().split("\n"),
    );
    vocabulary.catch(() => vocabularies.delete(folder));
    vocabularies.set(folder, vocabulary);
  }
  return vocabulary;
}
