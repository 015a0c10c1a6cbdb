import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { similarCosineMin, type WordPieces } from "../../../src/core/ports/embedder.js";
import { ModelRows } from "../../../src/embed/static/model-rows.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";

const folder = join(import.meta.dirname, "../../../models/static-256");

let wordPieces: WordPieces;
let vocabulary: readonly string[];
beforeAll(async () => {
  const embedder = await openStaticEmbedder({ folder });
  if (embedder.wordPieces === undefined) throw new Error("the bundled model has no word pieces");
  wordPieces = embedder.wordPieces;
  vocabulary = (await readFile(join(folder, "vocab.txt"), "utf8")).trimEnd().split("\n");
});

function namesOf(pieces: Iterable<number>): string[] {
  return Array.from(pieces, (piece) => vocabulary[piece] ?? "");
}

test.each([
  ["dog", ["dog"]],
  ["café", ["cafe"]],
  ["lighthouses", ["lighthouse", "##s"]],
  ["2024", []],
  ["b2b", []],
  ["собака", []],
  ["狗", []],
  ["🐶", []],
])("the pieces of the word %s are %j", (word, pieces) => {
  expect(namesOf(wordPieces.piecesOf(word))).toEqual(pieces);
});

test("the pieces similar to a word are the word and words of similar meaning", () => {
  const [dog] = wordPieces.piecesOf("dog");
  const { pieces, cosines } = wordPieces.similarTo(dog ?? 0);
  const similar = namesOf(pieces);
  expect(similar).toEqual(expect.arrayContaining(["dog", "puppy", "pet", "dogs"]));
  expect(similar).not.toContain("lake");
  expect(cosines[similar.indexOf("dog")]).toBeCloseTo(1, 5);
  expect(Math.min(...cosines)).toBeGreaterThan(similarCosineMin);
});

test("ModelRows finds the same similar rows as a direct computation of all cosines", () => {
  const [count, dimension] = [300, 48];
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 256;
  };
  const numbers = Int8Array.from({ length: count * dimension }, () => random() - 128);
  // A row of zeros, two rows of the most extreme numbers, and a copy of another row.
  numbers.fill(0, 0, dimension);
  numbers.fill(-128, dimension, 2 * dimension);
  numbers.fill(127, 2 * dimension, 3 * dimension);
  numbers.copyWithin(3 * dimension, 4 * dimension, 5 * dimension);
  const rows = new ModelRows({ rows: numbers, scales: new Float32Array(count), dimension });
  const dot = (a: number, b: number) => {
    let sum = 0;
    for (let i = 0; i < dimension; i++)
      sum += (numbers[a * dimension + i] ?? 0) * (numbers[b * dimension + i] ?? 0);
    return sum;
  };
  for (let row = 0; row < 20; row++) {
    const expected = Array.from({ length: count }, (_, other) => other)
      .map((other) => [other, dot(row, other) / Math.sqrt(dot(row, row) * dot(other, other))])
      .filter(([, cosine]) => (cosine ?? 0) > similarCosineMin);
    const { pieces, cosines } = rows.similarTo(row);
    expect([...pieces]).toEqual(expected.map(([other]) => other));
    for (const [at, [, cosine]] of expected.entries())
      expect(cosines[at]).toBeCloseTo(cosine ?? 0, 5);
  }
});

test("ModelRows finds the same pieces again after more searches than fit its cache", () => {
  const numbers = Int8Array.from({ length: 3_000 * 16 }, (_, i) => ((i * 7919) % 255) - 127);
  const rows = new ModelRows({ rows: numbers, scales: new Float32Array(3_000), dimension: 16 });
  const first = rows.similarTo(5);
  for (let row = 0; row < 2_100; row++) rows.similarTo(row);
  expect(rows.similarTo(5)).toEqual(first);
});

test("the sum of rows equals a sum in float64 that is rounded to float32 after each row", () => {
  const [count, dimension] = [50, 48];
  const numbers = Int8Array.from({ length: count * dimension }, (_, i) => ((i * 7919) % 256) - 128);
  const scales = Float32Array.from({ length: count }, (_, row) => 0.001 + row / 3_000);
  const rows = new ModelRows({ rows: numbers, scales, dimension });
  const counts = new Map([...scales.keys()].map((row) => [row, 1 + (row % 4)]));
  const expected = new Float32Array(dimension);
  for (const [row, times] of counts)
    for (let i = 0; i < dimension; i++)
      expected[i] =
        (expected[i] ?? 0) + times * (scales[row] ?? 0) * (numbers[row * dimension + i] ?? 0);
  expect(rows.sumOf(counts)).toEqual(expected);
  expect(rows.sumOf(counts)).toEqual(expected);
  expect(rows.sumOf(new Map())).toEqual(new Float32Array(dimension));
});
