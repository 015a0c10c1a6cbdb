import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { VectorRows } from "../../../src/index/vector/vector-rows.js";
import { naiveCosine, randomNumbers } from "./naive-cosine.js";

const shared = new KernelMemory();

/** Maximum errors of an exact score and of an approximate score. */
const closely = 3e-5;
const roughly = 0.02;

function rowsOf(dimension: number, vectors: readonly (Float32Array | undefined)[]): VectorRows {
  const rows = new VectorRows(shared, dimension);
  for (const [row, vector] of vectors.entries()) rows.set(row, vector);
  return rows;
}

function scoresOf(rows: VectorRows, query: Float32Array, count: number): Float32Array {
  const scores = new Float32Array(count).fill(7);
  rows.score(query, count, scores);
  return scores;
}

/** Returns the row numbers in the order of falling scores. */
function ranked(scores: ArrayLike<number>): number[] {
  return Array.from(scores, (_, row) => row).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
}

function expectTopRight(scores: Float32Array, exact: readonly number[], top: number): void {
  const best = ranked(exact).slice(0, top);
  for (const [rank, row] of ranked(scores).slice(0, top).entries()) {
    expect(Math.abs((scores[row] ?? 0) - (exact[row] ?? 0)), `score of rank ${rank}`).toBeLessThan(
      closely,
    );
    // Another row may have this rank only if its score is equal.
    expect(
      Math.abs((exact[row] ?? 0) - (exact[best[rank] ?? 0] ?? 0)),
      `row at rank ${rank}`,
    ).toBeLessThan(2 * closely);
  }
}

describe("vector rows", () => {
  test.each([1, 2, 15, 16, 17, 100, 256, 1000, 1536, 4096])(
    "vector rows score %i dimensions as the cosine of floats does",
    (dimension) => {
      const random = randomNumbers(dimension);
      const vectors = Array.from({ length: 600 }, () =>
        Float32Array.from({ length: dimension }, () => random() * 3 - 1),
      );
      const query = Float32Array.from({ length: dimension }, () => random() * 3 - 1);
      const exact = vectors.map((vector) => naiveCosine(vector, query));
      const scores = scoresOf(rowsOf(dimension, vectors), query, vectors.length);
      expectTopRight(scores, exact, 256);
      for (const [row, cosine] of exact.entries())
        expect(Math.abs((scores[row] ?? 0) - cosine)).toBeLessThan(roughly);
    },
  );

  test("vector rows score the best rows exactly, whatever the size of the numbers", () => {
    const number = fc.float({ noNaN: true, noDefaultInfinity: true });
    const sets = fc.integer({ min: 1, max: 40 }).chain((dimension) => {
      const vector = fc.array(number, { minLength: dimension, maxLength: dimension });
      return fc.tuple(vector, fc.array(vector, { minLength: 1, maxLength: 100 }));
    });
    fc.assert(
      fc.property(sets, ([queryNumbers, vectorNumbers]) => {
        const query = Float32Array.from(queryNumbers);
        const vectors = vectorNumbers.map((numbers) => Float32Array.from(numbers));
        const exact = vectors.map((vector) => naiveCosine(vector, query));
        expectTopRight(scoresOf(rowsOf(query.length, vectors), query, vectors.length), exact, 256);
      }),
    );
  });

  test("vector rows are ranked correctly even if one large number makes their scanned scores nearly equal", () => {
    const random = randomNumbers(5);
    const dimension = 128;
    // The scan reads only the upper half of the bits of each number (the high plane). Beside the
    // large number, the small numbers almost vanish there. So the scan gives all rows nearly the
    // same score.
    const vectors = Array.from({ length: 2_000 }, () =>
      Float32Array.from({ length: dimension }, (_, i) => (i === 0 ? 100 : random() - 0.5)),
    );
    const query = Float32Array.from({ length: dimension }, (_, i) =>
      i === 0 ? 0.1 : random() - 0.5,
    );
    const exact = vectors.map((vector) => naiveCosine(vector, query));
    const scores = scoresOf(rowsOf(dimension, vectors), query, vectors.length);
    expectTopRight(scores, exact, 256);
    expect(Math.max(...exact) - Math.min(...exact)).toBeGreaterThan(50 * closely);
  });

  test("vector rows score 0 for a missing vector, a vector of zeros and a query of zeros", () => {
    const rows = rowsOf(3, [undefined, Float32Array.of(0, 0, 0), Float32Array.of(1, 2, 2)]);
    expect([...scoresOf(rows, Float32Array.of(2, 4, 4), 5)]).toEqual([
      0,
      0,
      expect.closeTo(1, 4),
      0,
      0,
    ]);
    expect([...scoresOf(rows, Float32Array.of(0, 0, 0), 3)]).toEqual([0, 0, 0]);
    expect(rows.cosine(1, 2)).toBe(0);
    expect(rows.cosine(2, 4_000)).toBe(0);
  });

  test("vector rows forget a removed or replaced vector", () => {
    const rows = rowsOf(2, [Float32Array.of(1, 0), Float32Array.of(1, 0)]);
    rows.set(0, undefined);
    rows.set(1, Float32Array.of(0, 5));
    expect([...scoresOf(rows, Float32Array.of(0, 1), 2)]).toEqual([0, expect.closeTo(1, 4)]);
  });

  test("vector rows return the cosine of two rows", () => {
    const random = randomNumbers(11);
    const vectors = Array.from({ length: 70 }, () =>
      Float32Array.from({ length: 384 }, () => random() * 2 - 1),
    );
    const rows = rowsOf(384, vectors);
    for (const [a, b] of [
      [0, 1],
      [3, 3],
      [69, 2],
    ] as const) {
      expect(rows.cosine(a, b)).toBeCloseTo(naiveCosine(vectors[a] ?? [], vectors[b] ?? []), 4);
    }
  });

  test("vector rows keep their vectors through growth and compaction", () => {
    const random = randomNumbers(3);
    const vectors = Array.from({ length: 3_000 }, () =>
      Float32Array.from({ length: 20 }, () => random() * 2 - 1),
    );
    const rows = rowsOf(20, vectors);
    const query = Float32Array.from({ length: 20 }, () => random() * 2 - 1);
    const before = scoresOf(rows, query, vectors.length);
    for (const [row, vector] of vectors.entries())
      expect(Math.abs((before[row] ?? 0) - naiveCosine(vector, query))).toBeLessThan(roughly);

    const kept = Int32Array.from(vectors.keys()).filter((row) => row % 3 === 1);
    rows.compact(kept);
    const after = scoresOf(rows, query, vectors.length);
    const exact = Array.from(after, (_, row) =>
      row < kept.length ? naiveCosine(vectors[kept[row] ?? 0] ?? [], query) : 0,
    );
    expectTopRight(after, exact, 256);
    expect(after.subarray(kept.length).every((score) => score === 0)).toBe(true);
  });

  test.each([3, 16, 100, 256])(
    "vector rows score some rows of %i dimensions as they score all rows",
    (dimension) => {
      const random = randomNumbers(dimension);
      const vectors = Array.from({ length: 200 }, () =>
        Float32Array.from({ length: dimension }, () => random() * 2 - 1),
      );
      const rows = rowsOf(dimension, [...vectors, undefined]);
      const query = Float32Array.from({ length: dimension }, () => random() * 9);
      const some = Int32Array.of(7, 199, 64, 200, 3);
      const scores = new Float32Array(6).fill(7);
      rows.scoreSome(query, some, 4, scores);
      for (const [place, row] of some.subarray(0, 4).entries()) {
        expect(
          Math.abs((scores[place] ?? 7) - naiveCosine(vectors[row] ?? [], query)),
          `row ${row}`,
        ).toBeLessThan(closely);
      }
      expect([scores[4], scores[5]]).toEqual([7, 7]);
      rows.scoreSome(new Float32Array(dimension), some, 5, scores);
      expect([...scores]).toEqual([0, 0, 0, 0, 0, 7]);
    },
  );

  test.each([513, 1_024, 1_500])(
    "vector rows score the best of %i given rows almost exactly, and the remaining rows approximately",
    (count) => {
      const random = randomNumbers(count);
      const dimension = 40;
      const vectors = Array.from({ length: 4_000 }, () =>
        Float32Array.from({ length: dimension }, () => random() * 2 - 1),
      );
      const rows = rowsOf(dimension, vectors);
      const query = Float32Array.from({ length: dimension }, () => random() * 2 - 1);
      const some = Int32Array.from({ length: count }, (_, i) => (i * 2_477) % 4_000);
      const scores = new Float32Array(count);
      rows.scoreSome(query, some, count, scores);
      const exact = Array.from(some, (row) => naiveCosine(vectors[row] ?? [], query));
      expectTopRight(scores, exact, 256);
      for (const [place, cosine] of exact.entries())
        expect(Math.abs((scores[place] ?? 7) - cosine)).toBeLessThan(roughly);
    },
  );

  test("vector rows give equal vectors equal fingerprints, and different vectors different ones", () => {
    const random = randomNumbers(4);
    const vectors = Array.from({ length: 2_000 }, () =>
      Float32Array.from({ length: 20 }, () => random() * 2 - 1),
    );
    const rows = rowsOf(20, [...vectors, ...vectors.slice(0, 10), new Float32Array(20), undefined]);
    const numbers = Array.from({ length: 2_010 }, (_, row) => rows.fingerprint(row));
    expect(numbers.slice(2_000)).toEqual(numbers.slice(0, 10));
    expect(new Set(numbers).size).toBe(2_000);
    expect(numbers.every((number) => Number.isSafeInteger(number))).toBe(true);
    expect([2_010, 2_011, 99_999].map((row) => rows.fingerprint(row))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("vector rows return a vector at unit length", () => {
    const rows = rowsOf(3, [Float32Array.of(9, 9, 9), Float32Array.of(3, 0, -4)]);
    const target = new Float32Array(5);
    rows.copy(1, target, 2);
    for (const [i, number] of [0, 0, 0.6, 0, -0.8].entries())
      expect(target[i]).toBeCloseTo(number, 4);
  });

  test("vector rows refuse a vector of another dimension", () => {
    expect(() => rowsOf(3, [Float32Array.of(1, 2)])).toThrow(
      "a vector of 2 numbers in a namespace of dimension 3",
    );
  });
});
