import { performance } from "node:perf_hooks";
import { insertMemory } from "../../src/core/memories/records.js";
import type { Memory } from "../../src/core/model/memory.js";
import { scopeOf } from "../../src/core/model/namespace.js";
import type { NamespaceIndex, Row } from "../../src/core/ports/search-index.js";
import { createSearchIndex, type HotSearchIndex } from "../../src/index/search-index.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { percentile } from "../harness/cost.js";
import { printLine } from "../harness/report.js";
import { sampleMemories } from "../harness/sample-memories.js";
import type { Sample } from "./samples.js";

const namespace = { userId: "graph", agentId: "bench" };
const { signal } = new AbortController();
const indexBytesMax = 8 * 1024 ** 3;
/** The number of rows that Search requests, unless it needs more hits. */
const searchCount = 256;
const hits = 10;
/** The steps of the benchmark: a filter that one memory in 1 passes, one memory in 2, and so on. */
const steps = [1, 2, 10, 100, 1_000];

/** The measurements of one selectivity. */
export interface FilterFigures {
  readonly selectivity: number;
  readonly recall: number;
  /** The share of searches that the graph answered. The other searches compared all vectors. */
  readonly byGraph: number;
  /** Median latencies in milliseconds: with graphs, and with an index that compares all vectors. */
  readonly ms: number;
  readonly exactMs: number;
}

/**
 * Searches for the nearest ten memories that pass a filter, with the index of a server and with an
 * index without graphs.
 */
export async function measureFilters({
  vectors,
  queries,
}: Sample): Promise<readonly FilterFigures[]> {
  const store = createInMemoryStore();
  const profile = { modelId: "bench", dimension: vectors[0]?.length ?? 0 };
  const memories = sampleMemories(vectors.length, 1).map((memory, i) => ({
    ...memory,
    tags: tagsOf(i),
  }));
  await store.update(scopeOf(namespace), async (tx) => {
    for (const [i, vector] of vectors.entries())
      insertMemory(tx, namespace, memories[i] as Memory, { vector, profile }, undefined);
  });
  const log = (_: string, message: string) => printLine(message);
  const index = createSearchIndex({
    store,
    maxBytes: indexBytesMax,
    graphs: { threshold: 1, log },
  });
  const exact = createSearchIndex({ store, maxBytes: indexBytesMax });
  for (const each of [index, exact]) await each.read(namespace, signal, () => undefined);
  await index.settled();
  const figures: FilterFigures[] = [];
  for (const step of steps) figures.push(await measureStep(step, { index, exact }, queries));
  await index.close();
  return figures;
}

async function measureStep(
  step: number,
  { index, exact }: { readonly index: HotSearchIndex; readonly exact: HotSearchIndex },
  queries: readonly Float32Array[],
): Promise<FilterFigures> {
  const times: number[] = [];
  const exactTimes: number[] = [];
  let right = 0;
  let all = 0;
  let byGraph = 0;
  for (const query of queries) {
    const actual = await nearest(index, query, step);
    const expected = await nearest(exact, query, step);
    times.push(actual.ms);
    exactTimes.push(expected.ms);
    if (actual.isByGraph) byGraph += 1;
    right += expected.ids.filter((id) => actual.ids.includes(id)).length;
    all += expected.ids.length;
  }
  return {
    selectivity: 1 / step,
    recall: right / all,
    byGraph: byGraph / queries.length,
    ms: percentile(times, 50),
    exactMs: percentile(exactTimes, 50),
  };
}

async function nearest(index: HotSearchIndex, vector: Float32Array, step: number) {
  const tag = String(step);
  const accepts = (current: NamespaceIndex, row: number): boolean =>
    current.at(row as Row).memory.tags.includes(tag);
  const began = performance.now();
  const result = await index.read(
    namespace,
    signal,
    (current, near) => {
      const {
        tier,
        count,
        rows,
        vector: scores,
      } = current.candidates({ text: "", vector, ...(near && { nearest: near }) });
      const best: { readonly row: number; readonly score: number }[] = [];
      for (let i = 0; i < count; i++) {
        const score = scores[i] as number;
        if (best.length === hits && score <= (best[hits - 1]?.score ?? 0)) continue;
        const row = rows[i] as number;
        if (!accepts(current, row)) continue;
        if (best.length === hits) best.pop();
        const position = best.findIndex((other) => other.score < score);
        best.splice(position < 0 ? best.length : position, 0, { row, score });
      }
      return {
        isByGraph: tier === "graph",
        ids: best.map(({ row }) => current.at(row as Row).memory.id),
      };
    },
    { vector, count: searchCount, accepts },
  );
  return { ...result, ms: performance.now() - began };
}

/**
 * Returns a tag for each step that the memory passes. The tags do not correlate with the vectors.
 */
function tagsOf(number: number): string[] {
  return steps.filter((step) => (number * 7_919) % step === 0).map(String);
}
