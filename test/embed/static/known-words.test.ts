import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKnownWords } from "../../../src/embed/static/known-words.js";
import { readVocabulary } from "../../../src/embed/static/vocabulary.js";

test("a word of letters is known if it is an entry of the vocabulary, with or without accents", () => {
  const isKnownWord = createKnownWords(["cafe", "##teria", "1250"]);
  expect(["cafe", "café", "teria", "1250", "cafes"].filter(isKnownWord)).toEqual(["cafe", "café"]);
});

test("a vocabulary is read once, and again only after a failure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-vocabulary-"));
  try {
    await expect(readVocabulary(folder)).rejects.toThrow("vocab.txt");
    await writeFile(join(folder, "vocab.txt"), "cat\n##s\n");
    const vocabulary = await readVocabulary(folder);
    expect(vocabulary).toEqual(["cat", "##s"]);
    await writeFile(join(folder, "vocab.txt"), "dog\n");
    expect(await readVocabulary(folder)).toBe(vocabulary);
  } finally {
    await rm(folder, { recursive: true });
  }
});
