import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexQuery } from "../../../src/core/ports/search-index.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { sampleMemory } from "../../contract/sample-records.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const words = ["red", "wine", "nuts", "table", "door", "zebra"];
const dimension = 4;
/** Maximum error of a vector score from the scan, whether or not the row is in a thread. */
const roughly = 0.02;

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: dimension,
    maxLength: dimension,
  })
  .map((numbers) => Float32Array.from(numbers));
const memory = fc.record({
  content: fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
    .map((some) => some.join(" ")),
  vector: fc.option(vector, { nil: undefined }),
  threadId: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined, freq: 2 }),
});
const asked = fc.record({
  text: fc.constantFrom("red", "red wine", "zebra", "nuts nuts table"),
  vector,
  nearest: fc.array(fc.nat(), { maxLength: 4 }),
  comparesBest: fc.boolean(),
});

interface Scores {
  readonly keyword: number;
  readonly vector: number;
}

/** Returns the candidates of a query by row. Fails if a row occurs twice. */
function candidatesOf(index: HotNamespaceIndex, query: IndexQuery): Map<number, Scores> {
  const { count, rows, keyword, vector } = index.candidates(query);
  const byRow = new Map<number, Scores>();
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    expect(byRow.has(row), `row ${row} once`).toBe(false);
    byRow.set(row, {
      keyword: keyword[i] as number,
      vector: vector[i] as number,
    });
  }
  return byRow;
}

test("a search with the nearest rows of a graph finds all rows with a query word, and scores rows like a full scan", () => {
  fc.assert(
    fc.property(
      fc.array(memory, { minLength: 20, maxLength: 150 }),
      fc.boolean(),
      fc.array(asked, { minLength: 4 }),
      (memories, threads, queries) => {
        const index = new HotNamespaceIndex(
          parts,
          { epoch: "e", seq: 1 },
          { modelId: "test@1", dimension },
        );
        for (const [i, { content, vector: numbers, threadId }] of memories.entries()) {
          const changes =
            threads && threadId !== undefined
              ? { threadId, eventTime: { seconds: i, nanos: 0 } }
              : {};
          index.put(sampleMemory(`m${i}`, content, changes), numbers);
        }
        for (let i = 1; i < memories.length / 6; i++) index.remove(`m${i * 5}`);
        const rows = [...candidatesOf(index, { text: "" }).keys()];
        for (const { text, vector: query, nearest: near, comparesBest } of queries) {
          const nearest = Int32Array.from(near, (n) => rows[n % rows.length] ?? 0);
          const all = candidatesOf(index, { text, vector: query });
          const found = candidatesOf(index, { text, vector: query, nearest, comparesBest });
          for (const [row, { keyword }] of all)
            if (keyword > 0) expect(found.has(row), `row ${row} has a keyword`).toBe(true);
          let uncompared = 0;
          for (const [row, scores] of found) {
            const expected = all.get(row);
            expect(scores.keyword).toBe(expected?.keyword);
            if (Math.abs(scores.vector - (expected?.vector ?? 9)) < roughly) continue;
            uncompared += 1;
            expect(scores.vector).toBe(0);
            expect(scores.keyword).toBeGreaterThan(0);
            expect(nearest).not.toContain(row);
          }
          if (!comparesBest || index.hasThreads) expect(uncompared).toBe(0);
          expect(candidatesOf(index, { text, vector: query })).toEqual(all);
        }
      },
    ),
  );
});
