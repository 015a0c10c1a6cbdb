import { afterEach, beforeEach, expect, test } from "vitest";
import type { Memory } from "../../../src/core/model/memory.js";
import { createGraphWorker } from "../../../src/index/graph/graph-worker.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { bySuite, isFullSuite } from "../../suite.js";
import { describeWithGraphs } from "./graph-addon.js";
import {
  dimension,
  GraphFixture,
  idsOf,
  notes,
  others,
  queries,
  roomy,
  rowOf,
  vectors,
} from "./graph-fixture.js";
import { nearestOf, unitVectors } from "./unit-vectors.js";
import { watchThread } from "./watched-thread.js";

let graphs: GraphFixture;

beforeEach(() => {
  graphs = new GraphFixture();
});

afterEach(() => graphs.end());

describeWithGraphs("a namespace with a graph", () => {
  test("a namespace gets a graph above the threshold, and loses the graph below half the threshold", async () => {
    const index = graphs.openIndex();
    await graphs.write(vectors.slice(0, 49));
    await graphs.settle(index);
    expect((await graphs.find(index, queries[0] as Float32Array)).tier).toBe("exact");
    await graphs.write(vectors.slice(49, 60), { from: 49 });
    await graphs.settle(index);
    await graphs.expectNearest(index, "near", { count: 60 });
    await graphs.remove(...idsOf(Array.from({ length: 35 }, (_, i) => i)));
    await graphs.settle(index);
    await graphs.expectNearest(index, "near", { count: 25 });
    await graphs.remove("m35");
    await graphs.settle(index);
    expect((await graphs.find(index, queries[0] as Float32Array)).tier).toBe("exact");
    expect(graphs.thread.kinds.at(-1)).toBe("drop");
    expect(graphs.logged).toEqual([]);
  });

  test("while the graph of a namespace is built, searches compare all vectors", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    const gate = graphs.holdChanges();
    await graphs.touch(index);
    await graphs.expectNearest(index, "exact");
    gate.letGo();
    await index.settled();
    await graphs.expectNearest(index, "near");
  });

  test("a namespace shows additions, changes and deletions immediately, although its graph lags behind", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    const gate = graphs.holdChanges();
    const [query] = queries as [Float32Array];
    const [first, second] = idsOf(nearestOf(vectors, query, 2)) as [string, string];
    await graphs.write([query], { from: 1_000 });
    await graphs.remove(first);
    await graphs.write([query.map((number) => -number)], { from: rowOf(second) });
    const found = await graphs.find(index, query);
    expect(found.tier).toBe("near");
    expect(found.ids[0]).toBe("m1000");
    expect(found.scores.get("m1000")).toBeCloseTo(1, 4);
    expect(found.ids).not.toContain(first);
    expect(found.ids).not.toContain(second);
    gate.letGo();
    await index.settled();
    const later = await graphs.find(index, query);
    expect(later.tier).toBe("near");
    expect(later.ids.slice(0, 10)).toEqual(found.ids.slice(0, 10));
  });

  test("while the graph of a namespace lacks too many vectors, searches compare all vectors", async () => {
    await graphs.write(vectors.slice(0, 300));
    const index = graphs.openIndex();
    await graphs.settle(index);
    const gate = graphs.holdChanges();
    await graphs.write(vectors.slice(300), { from: 300 });
    await graphs.touch(index);
    await graphs.expectNearest(index, "exact");
    gate.letGo();
  });

  test("the graph of a namespace is rebuilt after a quarter of its vectors are removed", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    await graphs.remove(...idsOf([...vectors.keys()].filter((i) => i % 4 === 0)));
    graphs.thread.kinds = [];
    const gate = graphs.holdChanges();
    await graphs.touch(index);
    await graphs.expectNearest(index, undefined);
    gate.letGo();
    await graphs.settle(index);
    expect(graphs.thread.kinds.filter((kind) => kind === "create" || kind === "drop")).toEqual([
      "create",
      "drop",
    ]);
    await graphs.expectNearest(index, "near");
  });

  test("changes that keep the vectors of a namespace send nothing to its graph", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    graphs.thread.kinds = [];
    await graphs.write(vectors, { more: () => ({ importance: 0.9, version: 2 }) });
    await graphs.settle(index);
    expect(graphs.thread.kinds).toEqual([]);
    expect((await graphs.find(index, queries[0] as Float32Array)).tier).toBe("near");
  });

  test("a search of a namespace with a graph finds hundreds of memories with equal vectors", async () => {
    const [same] = queries as [Float32Array];
    await graphs.write([...Array.from({ length: 300 }, () => same), ...vectors]);
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.sent).toBe(401);
    const there = await graphs.find(index, same, { count: 5 });
    expect(there.tier).toBe("near");
    expect(there.ids.slice(0, 300).sort()).toEqual(
      idsOf(Array.from({ length: 300 }, (_, i) => i)).sort(),
    );
    const elsewhere = await graphs.find(index, queries[1] as Float32Array, { count: 5 });
    const expected = nearestOf(vectors, queries[1] as Float32Array, 5).map((i) => i + 300);
    expect(elsewhere.ids.filter((id) => rowOf(id) >= 300).slice(0, 5)).toEqual(idsOf(expected));
  });

  // The addon (hnswlib-node) accepts a vector of zeros, and may return it before all others.
  test("a search of a namespace with a graph finds the right memories if other vectors are zeros", async () => {
    await graphs.write([
      ...vectors,
      ...Array.from({ length: 50 }, () => new Float32Array(dimension)),
    ]);
    const index = graphs.openIndex();
    await graphs.settle(index);
    expect(graphs.thread.sent).toBe(vectors.length);
    await graphs.expectNearest(index, "near");
    await graphs.write([new Float32Array(dimension)], { from: 3 });
    await graphs.settle(index);
    await graphs.expectNearest(index, "near");
    expect(graphs.logged).toEqual([]);
  });

  // The addon can lose a node that it moves or reuses, or keep two nodes under one label.
  test("a search of a namespace with a graph finds the right memories after many changes", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    for (let round = 0; round < 12; round++) {
      const from = (round * 35) % 350;
      await graphs.write(unitVectors(50, dimension, 100 + round), { from });
      await graphs.remove(...idsOf([from + 1, from + 7, from + 30]));
      await graphs.settle(index);
    }
    await graphs.expectNearest(index, "near");
    expect(graphs.logged).toEqual([]);
  });

  test("a search through a graph scores turns of threads like a comparison of all vectors", async () => {
    const more = (i: number): Partial<Memory> => ({
      ...(i % 5 !== 0 && { threadId: `t${Math.floor(i / 40)}` }),
      eventTime: { seconds: i, nanos: 0 },
    });
    await graphs.write(vectors, { more });
    const index = graphs.openIndex();
    await graphs.settle(index);
    const exact = createSearchIndex({ codec: memoryRecords, store: graphs.store, maxBytes: roomy });
    for (const query of queries) {
      const near = await graphs.find(index, query, { count: 40 });
      const all = await graphs.find(exact, query);
      expect([near.tier, all.tier]).toEqual(["near", "exact"]);
      for (const [id, score] of near.scores)
        expect(score, id).toBeCloseTo(all.scores.get(id) ?? Number.NaN, 4);
      expect(near.ids.slice(0, 10)).toEqual(all.ids.slice(0, 10));
    }
  });

  test("a namespace has no graph if index and graph together exceed the byte limit", async () => {
    await graphs.write(vectors);
    for (const maxBytes of [250_000, 1]) {
      const index = graphs.openIndex(maxBytes);
      await graphs.settle(index);
      await graphs.expectNearest(index, "exact");
    }
    expect(graphs.thread.kinds).toEqual([]);
  });
});

describeWithGraphs("a filtered search of a namespace with a graph", () => {
  const many = unitVectors(4_000, dimension, 3);

  // The filter passes 50, 10, 1 or 0.1 % of the memories, independently of their vectors.
  test.each(bySuite({ quick: [10], full: [2, 10, 100, 1_000] }))(
    "a search with a graph finds 95 % of the ten best matches if every %i-th memory passes the filter",
    async (step) => {
      await graphs.write(many);
      const index = graphs.openIndex();
      await graphs.settle(index);
      const passes = (row: number): boolean => (row * 7_919) % step === 0;
      let right = 0;
      let all = 0;
      for (const query of queries) {
        const { ids } = await graphs.find(index, query, { accepts: (id) => passes(rowOf(id)) });
        const expected = nearestOf(many, query, many.length).filter(passes).slice(0, 10);
        // A vector at an angle of 90 degrees or more to the query is no candidate.
        const near = expected.filter((row) => dot(many[row] ?? [], query) > 0);
        right += idsOf(near).filter((id) => ids.slice(0, 10).includes(id)).length;
        all += near.length;
      }
      expect(right / all).toBeGreaterThanOrEqual(0.95);
    },
  );

  test("a filtered search compares all vectors when the accepted memories are far from the query", async () => {
    await graphs.write(many);
    const index = graphs.openIndex();
    await graphs.settle(index);
    const [query] = queries as [Float32Array];
    const order = nearestOf(many, query, many.length);
    const far = new Set(idsOf(order.slice(1_500)));
    const { tier, ids } = await graphs.find(index, query, { accepts: (id) => far.has(id) });
    expect(tier).toBe("exact");
    // The scores of vectors so far from the query have errors of about 0.005.
    const tenth = dot(many[order[1_509] ?? 0] ?? [], query);
    for (const id of ids.slice(0, 10))
      expect(dot(many[rowOf(id)] ?? [], query)).toBeGreaterThan(tenth - 0.02);
  });

  // If a callback throws inside the addon, the process ends. So the index must notice a filter that
  // throws before it calls the addon.
  test("a search fails when its filter throws, and the next search works", async () => {
    await graphs.write(many);
    const index = graphs.openIndex();
    await graphs.settle(index);
    const [query] = queries as [Float32Array];
    const accepts = (): never => {
      throw new Error("no such field");
    };
    await expect(graphs.find(index, query, { accepts })).rejects.toThrow("no such field");
    expect((await graphs.find(index, query)).tier).toBe("near");
  });

  test.runIf(isFullSuite)(
    "a filtered search uses the graph when nearly all memories pass",
    async () => {
      await graphs.write(many);
      const index = graphs.openIndex();
      await graphs.settle(index);
      expect(
        (
          await graphs.find(index, queries[0] as Float32Array, {
            accepts: (id) => !id.endsWith("7"),
          })
        ).tier,
      ).toBe("near");
    },
  );
});

function dot(a: ArrayLike<number>, b: Float32Array): number {
  return b.reduce((sum, number, i) => sum + number * (a[i] ?? 0), 0);
}

describeWithGraphs("without the worker thread of graphs", () => {
  test("after the index is closed, searches compare all vectors", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    await graphs.settle(index);
    await index.close();
    await graphs.expectNearest(index, "exact");
    await graphs.settle(index);
    await graphs.expectNearest(index, "exact");
    expect(graphs.logged).toEqual([]);
  });

  test("after the worker ends during a build of a graph, searches compare all vectors", async () => {
    await graphs.write(vectors);
    const index = graphs.openIndex();
    const gate = graphs.holdChanges();
    await graphs.touch(index);
    await graphs.thread.end();
    gate.letGo();
    await index.settled();
    await graphs.expectNearest(index, "exact");
  });
});

test("without the package of graphs, searches compare all vectors at any size, and one warning is logged", async () => {
  graphs.thread = watchThread(
    createGraphWorker({ log: graphs.log, addon: "a-package-that-is-not-there" }),
  );
  await graphs.write(vectors);
  await graphs.write(vectors, { namespace: others });
  const index = graphs.openIndex();
  for (const namespace of [notes, others, notes]) {
    await graphs.settle(index, namespace);
    await graphs.expectNearest(index, "exact", {}, namespace);
  }
  expect(graphs.logged).toEqual([
    expect.stringMatching(
      /^warn: the worker thread of graphs failed; .* need the optional package a-package-that/,
    ),
  ]);
});
