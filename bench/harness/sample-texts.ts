import { readFileSync } from "node:fs";
import { join } from "node:path";

/** English words, most frequent first: the whole words in the vocabulary of the bundled model. */
const vocabularyFile = join("models", "static-256", "vocab.txt");

/** Words in a text: about 30 tokens. */
const wordsInText = 26;

/** Words in a query. */
const wordsInQuery = 7;

/**
 * Makes texts of about 30 tokens with the word frequencies of a language: the n-th word is 1/n as
 * frequent as the first. The same seed makes the same texts.
 */
export function sampleTexts(count: number, seed: number): readonly string[] {
  const words = readWords();
  const random = randomNumbers(seed);
  const sampleWord = () => words[Math.floor(words.length ** random())] ?? "";
  return Array.from({ length: count }, () =>
    Array.from({ length: wordsInText }, sampleWord).join(" "),
  );
}

/** Makes distinct words with the letters and about the lengths of English words. */
export function sampleWords(count: number): readonly string[] {
  const words = readWords();
  const made = new Set(words.slice(0, count));
  for (let distance = 1; distance < words.length; distance++)
    for (const [i, word] of words.entries()) {
      if (made.size === count) return [...made];
      const other = words[(i * 31 + distance) % words.length] ?? "";
      made.add(word.slice(0, Math.ceil(word.length / 2)) + other.slice(other.length / 2));
    }
  return [...made];
}

function readWords(): readonly string[] {
  return readFileSync(vocabularyFile, "utf8")
    .split("\n")
    .filter((word) => /^[a-z]{2,}$/.test(word));
}

/** Makes a query for each text: seven consecutive words of it. */
export function sampleQueries(texts: readonly string[], seed: number): readonly string[] {
  const random = randomNumbers(seed);
  return texts.map((text) => {
    const words = text.split(" ");
    const from = Math.floor(random() * (words.length - wordsInQuery));
    return words.slice(from, from + wordsInQuery).join(" ");
  });
}

/**
 * Returns a generator of numbers from 0 to 1. The same seed makes the same numbers.
 *
 * This is a linear congruential generator with the constants of Numerical Recipes (2nd edition,
 * section 7.1).
 */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
