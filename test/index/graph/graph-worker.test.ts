import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGraphWorker, type GraphWorker } from "../../../src/index/graph/graph-worker.js";
import { compileChildren, runToEnd } from "../../faults/child-process.js";
import { isFullSuite } from "../../suite.js";
import { describeWithGraphs } from "./graph-addon.js";
import { unitVectors } from "./unit-vectors.js";

const profile = { modelId: "test@1", dimension: 64 };
const none = new Uint32Array(0);
const projectFolder = join(import.meta.dirname, "..", "..", "..");

let folder: string;
let thread: GraphWorker;
let logged: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vademecum-thread-"));
  logged = [];
  thread = createGraphWorker({ log: (level, message) => logged.push(`${level}: ${message}`) });
});

afterEach(async () => {
  await thread.end();
  rmSync(folder, { recursive: true });
});

/** Returns a request to add vectors in random directions. */
function changeOf(graph: number, count: number) {
  const vectors = new Float32Array(count * profile.dimension);
  for (const [i, vector] of unitVectors(count, profile.dimension, 1).entries())
    vectors.set(vector, i * profile.dimension);
  return {
    graph,
    removed: none,
    labels: Uint32Array.from({ length: count }, (_, label) => label),
    vectors,
  };
}

test("the build includes the entry file of the worker thread of graphs", () => {
  expect(
    existsSync(join(projectFolder, "dist", "graph-worker.js")),
    "run `npm run build`, as `npm test` does",
  ).toBe(true);
});

describeWithGraphs("the worker thread of graphs", () => {
  test.runIf(isFullSuite)(
    "the worker thread of graphs answers searches while it adds vectors",
    async () => {
      const [small, large] = [thread.nextGraph(), thread.nextGraph()];
      await thread.request("create", { graph: small, profile, capacity: 10 });
      await thread.request("create", { graph: large, profile, capacity: 10 });
      await thread.request("change", changeOf(small, 10));
      const ends: string[] = [];
      const adding = thread
        .request("change", changeOf(large, 4_000))
        .then(() => ends.push("added"));
      for (let i = 0; i < 3; i++) {
        const [vector] = unitVectors(1, profile.dimension, 2) as [Float32Array];
        expect((await thread.request("search", { graph: small, vector, count: 10 })).length).toBe(
          10,
        );
        ends.push("searched");
      }
      await adding;
      expect(ends).toEqual(["searched", "searched", "searched", "added"]);
    },
  );

  // The addon blocks the thread that calls it.
  test("the worker thread of graphs leaves the calling thread free while it adds vectors", async () => {
    const graph = thread.nextGraph();
    await thread.request("create", { graph, profile, capacity: 10 });
    let isAdded = false;
    const adding = thread.request("change", changeOf(graph, 2_000)).finally(() => {
      isAdded = true;
    });
    let turns = 0;
    for (; !isAdded; turns++) await setImmediate();
    await adding;
    expect(turns).toBeGreaterThan(100);
  });

  test("the worker thread of graphs runs all requests except searches in order", async () => {
    const graph = thread.nextGraph();
    const done = Promise.all([
      thread.request("create", { graph, profile, capacity: 10 }),
      thread.request("change", changeOf(graph, 500)),
      thread.request("change", { ...changeOf(graph, 0), removed: Uint32Array.of(499) }),
      thread.request("drop", { graph }),
    ]);
    await done;
    await expect(thread.request("change", changeOf(graph, 1))).rejects.toThrow(
      `there is no graph ${graph}`,
    );
  });

  test("the worker thread of graphs reports a failed request and continues", async () => {
    const graph = thread.nextGraph();
    await thread.request("create", { graph, profile, capacity: 10 });
    const labels = { next: 0, labels: none, fingerprints: new Float64Array(0) };
    await expect(
      thread.request("save", {
        graph,
        folder: "/dev/null/folder",
        labels,
        head: { epoch: "epoch", seq: 1 },
      }),
    ).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(
      thread.request("search", { graph, vector: Float32Array.of(Number.NaN), count: 1 }),
    ).rejects.toThrow("allowed: 64");
    await thread.request("change", changeOf(graph, 3));
    expect(logged).toEqual([]);
  });

  // Terminating a thread while the addon reads a vector would end the process.
  test("the worker thread of graphs can be ended during changes and searches", async () => {
    for (let round = 0; round < 10; round++) {
      const ending = createGraphWorker({ log: () => undefined });
      const graph = ending.nextGraph();
      await ending.request("create", { graph, profile, capacity: 2_000 });
      const cut = ending.request("change", changeOf(graph, 2_000));
      const searched = Promise.allSettled(
        unitVectors(round * 10, profile.dimension, 3).map((vector) =>
          ending.request("search", { graph, vector, count: 10 }),
        ),
      );
      const ended = ending.end();
      await expect(cut).rejects.toThrow("ended");
      await Promise.all([ended, searched]);
      expect(ending.hasEnded).toBe(true);
      await expect(ending.request("drop", { graph })).rejects.toThrow("ended");
    }
  });

  test("the worker thread of graphs does not keep an idle process alive", async () => {
    const children = await compileChildren(join(import.meta.dirname, "children"));
    const { output } = await runToEnd(children.spawn("search-once", []));
    await children.remove();
    expect(output).toBe("[0]");
  });
});

describe("a worker thread that cannot start", () => {
  test("a worker thread that cannot start logs one warning and fails every request", async () => {
    thread = createGraphWorker({
      log: (level, message) => logged.push(`${level}: ${message}`),
      addon: "a-package-that-is-not-there",
    });
    const requests = [1, 2].map((graph) =>
      thread.request("create", { graph, profile, capacity: 10 }),
    );
    for (const request of requests) await expect(request).rejects.toThrow("failed");
    expect(thread.hasEnded).toBe(true);
    await expect(thread.request("drop", { graph: 1 })).rejects.toThrow("ended");
    expect(logged.length).toBe(1);
  });
});
