import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HnswGraph } from "../../../src/index/graph/hnsw-graph.js";
import { describeWithGraphs, requireAddon } from "./graph-addon.js";
import { nearestOf, unit, unitVectors } from "./unit-vectors.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vademecum-graph-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function graphOf(
  vectors: readonly Float32Array[],
  dimension: number,
  capacity = vectors.length,
): HnswGraph {
  const graph = HnswGraph.create(requireAddon(), dimension, capacity);
  for (const [label, vector] of vectors.entries()) graph.add(label, vector);
  return graph;
}

describeWithGraphs("a graph", () => {
  test("a graph finds the nearest vectors, nearest first", () => {
    const vectors = unitVectors(1_000, 16, 1);
    const graph = graphOf(vectors, 16);
    for (const query of unitVectors(50, 16, 2))
      expect([...graph.search(query, 10)]).toEqual(nearestOf(vectors, query, 10));
  });

  test("a graph grows when it is full", () => {
    const vectors = unitVectors(500, 8, 3);
    const graph = graphOf(vectors, 8, 1);
    expect(graph.count).toBe(500);
    expect([...graph.search(vectors[321] as Float32Array, 1)]).toEqual([321]);
  });

  test("a graph returns all its vectors if a search wants more, and none if it is empty", () => {
    expect(
      graphOf(unitVectors(3, 4, 1), 4, 100)
        .search(Float32Array.of(1, 0, 0, 0), 50)
        .sort(),
    ).toEqual(Uint32Array.of(0, 1, 2));
    expect([...graphOf([], 4, 10).search(Float32Array.of(1, 0, 0, 0), 5)]).toEqual([]);
    expect([...graphOf(unitVectors(3, 4, 1), 4).search(Float32Array.of(1, 0, 0, 0), 0)]).toEqual(
      [],
    );
  });

  test("a graph finds the remaining vectors after all near vectors were removed", () => {
    const near = unitVectors(300, 16, 4).map((vector) =>
      unit(vector.map((number, i) => (i === 0 ? 50 : number))),
    );
    const far = unitVectors(50, 16, 5).map((vector) =>
      unit(vector.map((number, i) => (i === 0 ? -50 : number))),
    );
    const graph = graphOf([...near, ...far], 16);
    for (let label = 0; label < near.length; label++) graph.remove(label);
    const found = graph.search(near[0] as Float32Array, 20);
    expect(found.length).toBe(20);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(near.length);
  });

  test("a graph finds each vector once after a fifth of its vectors are replaced by others", () => {
    const vectors = unitVectors(1_200, 16, 6);
    const graph = graphOf(vectors.slice(0, 1_000), 16);
    const isThere = (label: number): boolean => label >= 1_000 || label % 5 > 0;
    for (let label = 0; label < 1_000; label++) if (!isThere(label)) graph.remove(label);
    for (let label = 1_000; label < 1_200; label++)
      graph.add(label, vectors[label] as Float32Array);
    for (const query of unitVectors(50, 16, 7)) {
      const expected = nearestOf(vectors, query, 1_200).filter(isThere);
      expect([...graph.search(query, 20)]).toEqual(expected.slice(0, 20));
    }
  });

  // The addon ends the process for NaN, and returns infinite vectors before all others.
  test.each([
    ["an undefined number", [1, undefined]],
    ["a text", [1, "2"]],
    ["NaN", [1, Number.NaN]],
    ["infinity", [1, Number.POSITIVE_INFINITY]],
    ["too few numbers", [1]],
    ["too many numbers", [1, 0, 0]],
  ])("a graph refuses vectors with %s", (_, numbers) => {
    const graph = graphOf([Float32Array.of(1, 0)], 2, 10);
    const vector = numbers as unknown as Float32Array;
    expect(() => graph.add(1, vector)).toThrow(RangeError);
    expect(() => graph.search(vector, 1)).toThrow(RangeError);
    expect([graph.count, ...graph.search(Float32Array.of(0, 1), 1)]).toEqual([1, 0]);
  });

  // The addon takes labels modulo 2^32.
  test.each([-1, 0.5, Number.NaN, 2 ** 32, 2 ** 32 + 1])(
    "a graph refuses the label %d",
    (label) => {
      const graph = graphOf([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2, 10);
      expect(() => graph.add(label, Float32Array.of(1, 1))).toThrow(RangeError);
      expect(() => graph.remove(label)).toThrow(RangeError);
      expect([...graph.search(Float32Array.of(0, 1), 2)]).toEqual([1, 0]);
    },
  );

  // For a used label, the addon would move the node of the label, or bring a removed node back.
  test("a graph refuses a used label, even a removed one", () => {
    const graph = graphOf([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2, 10);
    graph.remove(1);
    expect(() => graph.add(0, Float32Array.of(0, 1))).toThrow(RangeError);
    expect(() => graph.add(1, Float32Array.of(0, 1))).toThrow(RangeError);
    expect([...graph.search(Float32Array.of(0, 1), 2)]).toEqual([0]);
  });

  test("a graph throws when asked to remove a missing or already removed label", () => {
    const graph = graphOf([Float32Array.of(1, 0)], 2);
    graph.remove(0);
    expect(() => graph.remove(0)).toThrow();
    expect(() => graph.remove(7)).toThrow();
  });

  test("a freed graph has no vectors", () => {
    const graph = graphOf(unitVectors(100, 8, 1), 8);
    graph.free();
    expect(graph.count).toBe(0);
  });
});

describeWithGraphs("a graph that was saved and loaded", () => {
  test("a loaded graph finds the same vectors, keeps removed vectors removed, and accepts new vectors", () => {
    const vectors = unitVectors(3_000, 32, 6);
    const graph = graphOf(vectors, 32);
    for (let label = 0; label < 300; label++) graph.remove(label);
    graph.write(join(folder, "graph"));
    const read = HnswGraph.read(requireAddon(), 32, join(folder, "graph"), vectors.length);
    const queries = unitVectors(100, 32, 7);
    // With the addon's default number of candidates, which is small, many answers of the loaded
    // graph would differ.
    for (const query of queries)
      expect([...read.search(query, 5)]).toEqual([...graph.search(query, 5)]);
    const [added] = unitVectors(1, 32, 8) as [Float32Array];
    read.add(vectors.length, added);
    expect([...read.search(added, 1)]).toEqual([vectors.length]);
    expect(() => read.add(vectors.length - 1, added)).toThrow(RangeError);
  });

  // After a failed read, the addon's object keeps a pointer to freed memory, and its next use ends
  // the process.
  test("a saved graph can be loaded after other files failed to load", () => {
    const graph = graphOf([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2);
    graph.write(join(folder, "good"));
    writeFileSync(join(folder, "bad"), Buffer.alloc(1_000));
    for (let i = 0; i < 20; i++) {
      expect(() => HnswGraph.read(requireAddon(), 2, join(folder, "bad"), 2)).toThrow();
      expect(() => HnswGraph.read(requireAddon(), 2, join(folder, "missing"), 2)).toThrow();
      expect([
        ...HnswGraph.read(requireAddon(), 2, join(folder, "good"), 2).search(
          Float32Array.of(1, 0),
          1,
        ),
      ]).toEqual([0]);
    }
    expect([...graph.search(Float32Array.of(0, 1), 1)]).toEqual([1]);
  });
});
