/**
 * Does an HNSW graph find the nearest vectors? How much faster is it than comparing all vectors,
 * and what does it cost? Measured without filters, and with filters as Search uses the graph.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { graphParameters, type HnswAddon, HnswGraph } from "../src/index/graph/hnsw-graph.js";
import { graphBytes } from "../src/index/graph/namespace-graph.js";
import { loadKernelModule } from "../src/index/vector/kernel.js";
import { VectorRows } from "../src/index/vector/vector-rows.js";
import { type FilterFigures, measureFilters } from "./graph/filters.js";
import { randomSample, type Sample, topicSample } from "./graph/samples.js";
import { type Cost, costOf } from "./harness/cost.js";
import {
  factor,
  printLine,
  printMachine,
  printTable,
  saveResults,
  writeResults,
} from "./harness/report.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const usage = `Usage: npm run bench:graph -- [--vectors 100000]`;

const dimension = 256;
const queryCount = 300;
const hits = 10;
/** A little more than the smallest number of rows that Search requests from a graph. */
const searchCount = 282;
/** Scores within this distance count as equal, because of rounding. */
const sameScore = 1e-5;

/** The measurements of one sample. */
interface Figures {
  readonly sample: string;
  /**
   * The share of the ten nearest vectors that the graph returns, for a request of ten and for the
   * request of Search.
   */
  readonly recallOfTen: number;
  readonly recallAsSearch: number;
  /** The cost of one query, in microseconds. */
  readonly ten: Cost;
  readonly asSearch: Cost;
  readonly exact: Cost;
  readonly buildSeconds: number;
  readonly fileBytes: number;
  readonly memoryBytes: number;
}

const { values } = parseArgs({
  options: {
    vectors: { type: "string", default: "100000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) printLine(usage);
else {
  printMachine();
  const count = Number(values.vectors);
  const topical = await topicSample(count, queryCount);
  const parameters = { vectors: count, dimension, ...graphParameters };
  // Writes the figures of each part immediately, so that an interrupted run keeps them. Random
  // directions take the longest, so they come last.
  const results = [measure(topical)];
  writeResults("graph", { ...parameters, results });
  const filters = await measureFilters(topical);
  writeResults("graph", { ...parameters, results, filters });
  results.push(measure(randomSample(count, queryCount, dimension)));
  report(count, results);
  reportFilters(filters);
  saveResults("graph", { ...parameters, results, filters });
}

function measure({ name, vectors, queries }: Sample): Figures {
  const addon = createRequire(import.meta.url)("hnswlib-node") as HnswAddon;
  const rows = new VectorRows(loadKernelModule(), dimension);
  for (const [row, vector] of vectors.entries()) rows.set(row, vector);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const graph = HnswGraph.create(addon, dimension, vectors.length);
  for (const [label, vector] of vectors.entries()) graph.add(label, vector);
  const buildSeconds = (performance.now() - began) / 1000;
  const memoryBytes = (process.memoryUsage.rss() - before) / vectors.length;
  const scores = new Float32Array(vectors.length);
  const query = (i: number) => queries[i % queries.length] as Float32Array;
  const figures = {
    sample: name,
    recallOfTen: recallOf(graph, rows, queries, hits),
    recallAsSearch: recallOf(graph, rows, queries, searchCount),
    ten: costOf((i) => graph.search(query(i), hits).length),
    asSearch: costOf((i) => graph.search(query(i), searchCount).length),
    exact: costOf((i) => {
      rows.score(query(i), vectors.length, scores);
      return scores[0] as number;
    }),
    buildSeconds,
    fileBytes: fileBytesOf(graph) / vectors.length,
    memoryBytes,
  };
  graph.free();
  return figures;
}

/** Returns the mean share of the ten nearest vectors among `count` that the graph returns. */
function recallOf(
  graph: HnswGraph,
  rows: VectorRows,
  queries: readonly Float32Array[],
  count: number,
): number {
  const scores = new Float32Array(graph.count);
  let right = 0;
  for (const query of queries) {
    rows.score(query, graph.count, scores);
    const tenth = scores.toSorted().at(-hits) ?? 0;
    const near = [...graph.search(query, count)].filter(
      (label) => (scores[label] as number) >= tenth - sameScore,
    );
    right += Math.min(hits, near.length);
  }
  return right / (hits * queries.length);
}

function fileBytesOf(graph: HnswGraph): number {
  using folder = createTemporaryFolder();
  const file = join(folder.path, "graph");
  graph.write(file);
  return statSync(file).size;
}

function report(count: number, results: readonly Figures[]): void {
  printLine(
    `${count.toLocaleString("en")} vectors of ${dimension} numbers, ef ${graphParameters.ef}. ` +
      "Microseconds per query, median (best).",
  );
  printTable(
    [
      "vectors",
      "recall@10, ef 128",
      "as Search asks",
      "query, ef 128",
      "as Search asks",
      "comparing all",
      "all / as Search",
    ],
    results.map(({ sample, recallOfTen, recallAsSearch, ten, asSearch, exact }) => [
      sample,
      recallOfTen.toFixed(4),
      recallAsSearch.toFixed(4),
      ...[ten, asSearch, exact].map(
        ({ median, best }) => `${median.toFixed(0)} (${best.toFixed(0)})`,
      ),
      factor(exact.median, asSearch.median),
    ]),
  );
  printLine();
  printTable(
    ["vectors", "build s", "bytes per vector: RAM", "on disk", "estimate"],
    results.map(({ sample, buildSeconds, memoryBytes, fileBytes }) => [
      sample,
      buildSeconds.toFixed(1),
      ...[memoryBytes, fileBytes, graphBytes(1, dimension)].map((bytes) => bytes.toFixed(0)),
    ]),
  );
}

function reportFilters(filters: readonly FilterFigures[]): void {
  printLine();
  printLine("With a filter, as Search uses it: the nearest ten that pass. Milliseconds per query.");
  printTable(
    ["pass", "recall@10", "by the graph", "with graph", "comparing all", "all / with graph"],
    filters.map(({ selectivity, recall, byGraph, ms, exactMs }) => [
      `${(100 * selectivity).toFixed(1)} %`,
      recall.toFixed(4),
      `${(100 * byGraph).toFixed(0)} %`,
      ms.toFixed(2),
      exactMs.toFixed(2),
      factor(exactMs, ms),
    ]),
  );
}
