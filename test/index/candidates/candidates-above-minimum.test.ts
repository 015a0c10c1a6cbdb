import fc from "fast-check";
import { expect, test } from "vitest";
import { fusedScore } from "../../../src/core/search/query/scores.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { type Hit, hitsOf } from "../../contract/index-hits.js";
import { memoryOf } from "../../core/memory-fixture.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const profile = { modelId: "model", dimension: 3 };

test("a search with a minimum score finds the same candidates above the minimum as a search without one", () => {
  const text = fc
    .array(fc.constantFrom(..."red green blue wine oslo likes kim 7".split(" ")), {
      minLength: 1,
      maxLength: 8,
    })
    .map((words) => words.join(" "));
  const number = fc.integer({ min: -3, max: 3 });
  const vector = fc.tuple(number, number, number).map((numbers) => Float32Array.from(numbers));
  const memory = fc.record({ text, vector: fc.option(vector, { nil: undefined }) });
  fc.assert(
    fc.property(
      fc.array(memory, { minLength: 1, maxLength: 30 }),
      memory,
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (memories, query, score, vectorWeight) => {
        const index = new HotNamespaceIndex(parts, { epoch: "epoch", seq: 1 }, profile);
        for (const [at, { text: content, vector: own }] of memories.entries())
          index.put(memoryOf({ id: `m${at}`, content }), own);
        const search = { text: query.text, ...(query.vector && { vector: query.vector }) };
        const above = (hits: ReadonlyMap<string, Hit>) => {
          const calibration = { vectorWeight, randomScore: 0, paraphraseScore: 1 };
          const scored = Array.from(hits, ([id, { keyword, vector: cosine }]) => ({
            id,
            score: fusedScore(keyword, cosine, calibration),
          }));
          return scored
            .filter((hit) => hit.score >= score)
            .map(({ id, score: found }) => `${id} ${found.toFixed(4)}`)
            .sort();
        };
        const minimum = { score, vectorWeight };
        expect(above(hitsOf(index, { ...search, minimum }))).toEqual(above(hitsOf(index, search)));
      },
    ),
  );
});
