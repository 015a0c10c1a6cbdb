import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryFields } from "../../../src/core/model/memory.js";
import type { Row } from "../../../src/core/ports/search-index.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { PieceRows } from "../../../src/index/words/piece-rows.js";
import { SimilarWords } from "../../../src/index/words/similar-words.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { propertyRuns } from "../../suite.js";
import {
  sampleVocabulary as vocabulary,
  sampleWordPieces as wordPieces,
} from "./sample-word-pieces.js";

const profile = { modelId: "test@1", dimension: 2 };
const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
  wordPieces: (modelId: string) => (modelId === profile.modelId ? wordPieces : undefined),
};

function createIndex(modelId = profile.modelId): HotNamespaceIndex {
  return new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, { ...profile, modelId });
}

/** Returns the score of each memory by id, or `undefined` if the model knows no word of `text`. */
function scoresOf(
  index: HotNamespaceIndex,
  ids: readonly string[],
  text: string,
): Readonly<Record<string, number>> | undefined {
  const known = ids.filter((id) => index.rowOf(id) !== undefined);
  const rows = Int32Array.from(known, (id) => index.rowOf(id) as Row);
  const scores = new Float64Array(rows.length);
  if (!index.scoreSimilarWords(text, rows, rows.length, scores)) return undefined;
  return Object.fromEntries(known.map((id, at) => [id, scores[at] as number]));
}

test("a turn scores by its most similar word for each word of the query", () => {
  const pieces = new PieceRows();
  pieces.set(0, new Set([1, 3]));
  pieces.set(2, new Set([7]));
  const rows = Int32Array.of(2, 1, 0);
  const scores = new Float64Array(3);
  const query = [
    { piece: 0, weight: 3 },
    { piece: 4, weight: 1 },
  ];
  new SimilarWords(wordPieces).score(query, pieces, rows, 3, scores);
  // Row 0 has dog for puppy and tiger for lion, each with a cosine of 2/3. In row 2, road is not
  // similar to either.
  expect([...scores].map((score) => score.toFixed(4))).toEqual(["0.0000", "0.0000", "0.8889"]);
});

test("a turn that contains the only word of a query scores 1", () => {
  const pieces = new PieceRows();
  pieces.set(0, new Set([1]));
  pieces.set(1, new Set([2]));
  pieces.set(2, new Set([3]));
  // Piece 2 has a cosine of 0.8 to piece 1, and piece 3 a cosine of 0.6.
  const model = {
    ...wordPieces,
    similarTo: () => ({ pieces: Uint16Array.of(1, 2, 3), cosines: Float32Array.of(1, 0.8, 0.6) }),
  };
  const scores = new Float64Array(3);
  const query = [{ piece: 1, weight: 1 }];
  new SimilarWords(model).score(query, pieces, Int32Array.of(0, 1, 2), 3, scores);
  expect(scores[0]).toBe(1);
  expect(scores[1]).toBe(1);
  expect(scores[2]).toBeCloseTo(0.8, 6);
});

test("scores by similar words do not depend on earlier queries", () => {
  const pieces = new PieceRows();
  pieces.set(0, new Set([1]));
  const words = new SimilarWords(wordPieces);
  const score = (...query: number[]) => {
    const scores = new Float64Array(1);
    const weighted = query.map((piece) => ({ piece, weight: 1 }));
    words.score(weighted, pieces, Int32Array.of(0), 1, scores);
    return scores[0];
  };
  const first = score(0, 8);
  score(1, 2, 3);
  expect(score(0, 8)).toBe(first);
  expect(score(9)).toBe(0);
});

test("only the 32 word pieces with the highest weights count in a long query", () => {
  const pieces = new PieceRows();
  pieces.set(0, new Set([0]));
  const scores = new Float64Array(1);
  const others = Array.from({ length: 40 }, () => ({ piece: 9, weight: 1 }));
  const query = [...others, { piece: 0, weight: 0.5 }];
  new SimilarWords(wordPieces).score(query, pieces, Int32Array.of(0), 1, scores);
  expect(scores[0]).toBe(0);
});

test("similar words give scores to turns and other memories, but not to restricted ones", () => {
  const index = createIndex();
  const texts: Readonly<Record<string, Partial<MemoryFields>>> = {
    turn: { threadId: "t" },
    typed: { memoryType: "CONVERSATION" },
    fact: {},
    restricted: { threadId: "t", restricted: true },
    restrictedFact: { restricted: true },
  };
  for (const [id, fields] of Object.entries(texts))
    index.put(sampleMemory(id, "A puppy", fields), undefined);
  const scores = scoresOf(index, Object.keys(texts), "the dog");
  expect(scores?.["turn"]).toBeGreaterThan(0);
  expect(scores?.["typed"]).toBe(scores?.["turn"]);
  expect(scores?.["fact"]).toBe(scores?.["turn"]);
  expect([scores?.["restricted"], scores?.["restrictedFact"]]).toEqual([0, 0]);
});

test("similar words give no scores for a query without a known word, or with a model without word pieces", () => {
  const index = createIndex();
  index.put(sampleMemory("a", "A puppy", { threadId: "t" }), undefined);
  expect(scoresOf(index, ["a"], "What is this?")).toBeUndefined();
  const other = createIndex("other@1");
  other.put(sampleMemory("a", "A puppy", { threadId: "t" }), undefined);
  expect(scoresOf(other, ["a"], "dog")).toBeUndefined();
});

test("for similar words, a rare word of the query counts more than a common one", () => {
  const index = createIndex();
  for (let n = 0; n < 20; n++)
    index.put(sampleMemory(`m${n}`, "a road", { threadId: "t" }), undefined);
  index.put(sampleMemory("rare", "a cat", { threadId: "t" }), undefined);
  const scores = scoresOf(index, ["m0", "rare"], "road cat");
  expect(scores?.["rare"]).toBeGreaterThan(2 * (scores?.["m0"] ?? 0));
});

test("after any changes, similar words score the same as in a new index", () => {
  const idOf = (n: number) => `m${n}`;
  const ids = Array.from({ length: 24 }, (_, n) => idOf(n));
  const text = fc
    .array(fc.constantFrom(...vocabulary, "the", "zzz"), { maxLength: 6 })
    .map((words) => words.join(" "));
  const change = fc.record({
    id: fc.nat({ max: ids.length - 1 }).map(idOf),
    content: fc.option(text, { nil: undefined }),
    isTurn: fc.boolean(),
  });
  // An index that is built anew meets the languages of the namespace in another order.
  const frenchThenEnglish = [
    { id: "m11", content: "", isTurn: false },
    { id: "m0", content: "car car", isTurn: false },
    { id: "m11", content: "the", isTurn: false },
    { id: "m1", content: "puppy", isTurn: true },
  ];
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), text, (changes, query) => {
      const index = createIndex();
      const memories = new Map<string, ReturnType<typeof sampleMemory>>();
      for (const { id, content, isTurn } of changes) {
        if (content === undefined) {
          index.remove(id);
          memories.delete(id);
          continue;
        }
        const memory = sampleMemory(id, content, isTurn ? { threadId: "t" } : {});
        index.put(memory, undefined);
        memories.set(id, memory);
      }
      const rebuilt = createIndex();
      for (const memory of memories.values()) rebuilt.put(memory, undefined);
      expect(scoresOf(index, ids, query)).toEqual(scoresOf(rebuilt, ids, query));
    }),
    { numRuns: propertyRuns(200), examples: [[frenchThenEnglish, "tiger puppy"]] },
  );
});
