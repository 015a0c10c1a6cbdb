import fc from "fast-check";
import { expect, test } from "vitest";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { VectorRows } from "../../../src/index/vector/vector-rows.js";
import { randomNumbers } from "./naive-cosine.js";

/** The third and the fourth leave the shared memory when they grow. */
const dimensions = [3, 20, 512, 700];

const change = fc.record({
  namespace: fc.nat(dimensions.length - 1),
  row: fc.nat(300),
  seed: fc.nat(1_000),
  action: fc.constantFrom("set", "remove", "compact"),
});

function vectorOf(dimension: number, seed: number): Float32Array {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: dimension }, () => random() * 2 - 1);
}

test("namespaces that share a memory score as if each had a memory of its own", () => {
  const module = new KernelMemory();
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const shared = dimensions.map((dimension) => new VectorRows(module, dimension));
      const alone = dimensions.map(
        (dimension) => new VectorRows(module.separate() as KernelMemory, dimension),
      );
      const limits = dimensions.map(() => 0);
      for (const { namespace, row, seed, action } of changes) {
        const dimension = dimensions[namespace] as number;
        const pair = [shared[namespace], alone[namespace]] as [VectorRows, VectorRows];
        const limit = limits[namespace] as number;
        if (action === "compact") {
          const kept = Int32Array.from({ length: limit }, (_, at) => at).filter((at) => at % 3 > 0);
          for (const rows of pair) rows.compact(kept);
          limits[namespace] = kept.length;
        } else {
          const vector = action === "set" ? vectorOf(dimension, seed) : undefined;
          for (const rows of pair) rows.set(row, vector);
          limits[namespace] = Math.max(limit, row + 1);
        }
        for (const [at, dimensionOf] of dimensions.entries()) {
          const [figures, expected] = [shared[at], alone[at]].map((rows) => {
            const scores = new Float32Array(310);
            const greatest = rows?.score(vectorOf(dimensionOf, seed), 310, scores);
            return { greatest, scores, print: rows?.fingerprint(row), pair: rows?.cosine(row, 1) };
          });
          expect(figures).toEqual(expected);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("a small namespace takes no more than its vectors, beside the shared memory", () => {
  const rows = new VectorRows(new KernelMemory(), 256);
  rows.set(0, vectorOf(256, 1));
  expect(rows.bytes).toBeLessThan(1_000);
});
