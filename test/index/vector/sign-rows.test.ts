import { expect, test } from "vitest";
import { SignRows } from "../../../src/index/vector/sign-rows.js";
import { naiveCosine, randomNumbers } from "./naive-cosine.js";

/** Vectors in groups around random centres, as texts about the same things have. */
function groupedVectors(count: number, dimension: number): Float32Array[] {
  const random = randomNumbers(7);
  const spread = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: 40 }, () =>
    Float32Array.from({ length: dimension }, () => 0.3 + spread()),
  );
  return Array.from({ length: count }, (_, row) => {
    const centre = centres[row % centres.length] as Float32Array;
    const vector = centre.map((number) => number + spread());
    const length = Math.hypot(...vector);
    return vector.map((number) => number / length);
  });
}

/** The rows of these vectors. A row without a vector is `undefined`. */
function rowsOf(vectors: readonly (Float32Array | undefined)[], dimension: number) {
  return {
    dimension,
    read(row: number, target: Float32Array) {
      const vector = vectors[row];
      if (vector !== undefined) target.set(vector);
      return vector !== undefined;
    },
  };
}

async function filled(vectors: readonly (Float32Array | undefined)[], dimension: number) {
  const signs = new SignRows(rowsOf(vectors, dimension), vectors.length);
  await signs.fill(
    () => vectors.length,
    () => false,
  );
  return signs;
}

test.each([
  [256, 100],
  [384, 100],
  [100, 200],
])(
  "of 2,000 rows of %i numbers, the %i that sign bits choose hold the ten nearest",
  async (dimension, wanted) => {
    const vectors = groupedVectors(2_000, dimension);
    const signs = await filled(vectors, dimension);
    let found = 0;
    for (const query of groupedVectors(2_010, dimension).slice(2_000)) {
      const scores = vectors.map((vector) => naiveCosine(query, vector));
      const nearest = [...vectors.keys()]
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
        .slice(0, 10);
      const chosen = signs.nearest(query, vectors.length, wanted);
      expect(chosen.length).toBeGreaterThanOrEqual(wanted);
      expect(chosen.length).toBeLessThan(2 * wanted);
      expect(Array.from(chosen)).toEqual(Array.from(chosen).sort((a, b) => a - b));
      const set = new Set(chosen);
      found += nearest.filter((row) => set.has(row)).length;
    }
    expect(found / 100).toBeGreaterThan(0.97);
  },
);

test("sign bits follow rows that are changed, removed and added", async () => {
  const vectors: (Float32Array | undefined)[] = groupedVectors(300, 128);
  const signs = await filled(vectors, 128);
  const query = (vectors[7] as Float32Array).map((number) => -number);
  vectors[20] = query.slice();
  signs.follow(20);
  vectors.push(query.slice());
  expect(signs.isComplete(301)).toBe(false);
  signs.follow(300);
  expect(signs.isComplete(301)).toBe(true);
  expect(Array.from(signs.nearest(query, 301, 2))).toEqual(expect.arrayContaining([20, 300]));
  vectors[20] = undefined;
  signs.follow(20);
  expect(Array.from(signs.nearest(query, 301, 2))).not.toContain(20);
});

test("sign bits are outdated when most rows came after them", async () => {
  const signs = await filled(groupedVectors(100, 64), 64);
  expect(signs.isOutdated(200)).toBe(false);
  expect(signs.isOutdated(201)).toBe(true);
});

test("equal vectors are chosen together, and a query of zeros chooses rows too", async () => {
  const vector = (groupedVectors(1, 64)[0] as Float32Array).slice();
  const signs = await filled(
    Array.from({ length: 130 }, () => vector),
    64,
  );
  expect(signs.nearest(vector, 130, 10)).toHaveLength(130);
  expect(signs.nearest(new Float32Array(64), 130, 10)).toHaveLength(130);
});
