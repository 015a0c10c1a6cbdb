import fc from "fast-check";
import { expect, test } from "vitest";
import { fusedScore } from "../../../src/core/search/query/scores.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { hitsOf } from "../../contract/index-hits.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { propertyRuns } from "../../suite.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const profile = { modelId: "model", dimension: 3 };

const text = fc
  .array(fc.constantFrom(..."red green blue wine oslo likes kim 7".split(" ")), {
    minLength: 1,
    maxLength: 6,
  })
  .map((words) => words.join(" "));
const number = fc.integer({ min: -9, max: 9 });
const vector = fc.tuple(number, number, number).map((numbers) => Float32Array.from(numbers));
const memory = fc.record({ text, vector: fc.option(vector, { nil: undefined }) });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test("a query with a floor finds the candidates above the floor, the named ones and those with its own vector, all with the same scores", () => {
  fc.assert(
    fc.property(
      // More than the 256 memories that always get exact scores.
      fc.array(memory, { minLength: 1, maxLength: 600, size: "max" }),
      fc.record({ text, vector }),
      fc.record({ score: fc.double({ min: 0.01, max: 1, noNaN: true }), vectorWeight: share }),
      fc.uniqueArray(fc.nat(599), { maxLength: 3 }),
      fc.nat(599),
      (memories, query, floor, namedNumbers, removed) => {
        const index = new HotNamespaceIndex(parts, { epoch: "epoch", seq: 1 }, profile);
        for (const [at, { text: content, vector: own }] of memories.entries())
          index.put(memoryOf({ id: `m${at}`, content }), own);
        index.remove(`m${removed}`);
        const named = Int32Array.from(namedNumbers.flatMap((at) => index.rowOf(`m${at}`) ?? []));
        const all = hitsOf(index, { ...query, named });
        const found = hitsOf(index, { ...query, named, floor });
        const { sameVector } = index.candidates({ ...query, named, floor });
        const calibration = {
          vectorWeight: floor.vectorWeight,
          randomScore: 0,
          paraphraseScore: 1,
        };
        for (const [id, hit] of all) {
          const isNeeded =
            fusedScore(hit.keyword, hit.vector, calibration) >= floor.score ||
            hit.vector >= 0.9995 ||
            named.includes(index.rowOf(id) ?? -1);
          if (isNeeded || found.has(id)) expect(found.get(id)).toEqual(hit);
        }
        expect(all.size).toBeGreaterThanOrEqual(found.size);
        const same = index.candidates({ ...query, named }).sameVector;
        expect(new Set(sameVector)).toEqual(new Set(same));
      },
    ),
    { numRuns: propertyRuns(40) },
  );
});
