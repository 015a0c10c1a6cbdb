/** What does the search index cost: a query by keywords, by vector and by both, an addition, a memory in memory? Beside a general library and a plain scan. */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import type { Memory } from "../src/core/memory.js";
import { createAnalyzer } from "../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../src/index/namespace-index.js";
import { contextWeights } from "../src/index/thread/context-weights.js";
import { loadKernelModule } from "../src/index/vector/kernel.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { randomNumbers, sampleQueries, sampleTexts } from "./harness/sample-texts.js";

const usage = `Usage: npm run bench:index -- [--million]

--million measures 1,000,000 memories too, without the library.`;

const explanation = `Microseconds: the median, and in parentheses the best, which tells more where the machine is busy.
A query has seven words; it comes to all scores of the namespace; the library sorts its hits too.
add: analysing and indexing text and vector, in batches. plain scan: a loop over a Float32Array in JavaScript.
bytes: growth of heap and buffers a memory, object and text included; estimate: what the index itself reckons.`;

const dimension = 256;
const queryCount = 200;
/** Queries are measured for this time, and at least 10. */
const measuredMs = 1_000;

/** How long something took, in microseconds. */
interface Cost {
  readonly median: number;
  readonly best: number;
}

/** What one size comes to. */
interface Figures {
  readonly memories: number;
  readonly keyword: Cost;
  readonly vector: Cost;
  readonly both: Cost;
  readonly add: Cost;
  readonly bytes: number;
  readonly estimatedBytes: number;
  readonly plainScan: Cost;
  readonly library: { readonly keyword: Cost; readonly add: Cost } | undefined;
}

const { values } = parseArgs({ options: { million: { type: "boolean", default: false }, help: { type: "boolean", default: false } } });
if (values.help) printLine(usage);
else {
  printMachine();
  const sizes = [1_000, 10_000, 100_000, ...(values.million ? [1_000_000] : [])];
  const results = sizes.map((size) => measure(size));
  printTable(
    ["memories", "keyword", "vector", "both", "add", "bytes", "estimate", "library: keyword", "library: add", "plain scan: vector"],
    results.map((figures) => [
      figures.memories.toLocaleString("en"),
      ...[figures.keyword, figures.vector, figures.both, figures.add].map(cell),
      ...[figures.bytes, figures.estimatedBytes].map((bytes) => bytes.toFixed(0)),
      ...[figures.library?.keyword, figures.library?.add, figures.plainScan].map(cell),
    ]),
  );
  printLine();
  printLine(explanation);
  saveResults("index", { dimension, results });
}

function measure(size: number): Figures {
  const texts = sampleTexts(size, 1);
  const queries = sampleQueries(texts.slice(0, queryCount), 2);
  const vectors = sampleVectors(queryCount, 3);

  const bytesBefore = usedBytes();
  const index = new HotNamespaceIndex(
    { analyzer: createAnalyzer(), context: contextWeights, kernel: loadKernelModule() },
    { epoch: "bench", seq: 1 },
    { modelId: "bench", dimension },
  );
  const add = addAll(texts, (i, text, vector) => index.put(sampleMemory(i, text), vector));
  const bytes = (usedBytes() - bytesBefore) / size;
  return {
    memories: size,
    keyword: costOf((i) => index.candidates({ text: at(queries, i) }).count),
    vector: costOf((i) => index.candidates({ text: "", vector: at(vectors, i) }).count),
    both: costOf((i) => index.candidates({ text: at(queries, i), vector: at(vectors, i) }).count),
    add,
    bytes,
    estimatedBytes: index.bytes / size,
    plainScan: measurePlainScan(size, vectors),
    library: size > 100_000 ? undefined : measureLibrary(texts, queries),
  };
}

/** What it costs to add each text, those of making the vectors left out. */
function addAll(texts: readonly string[], add: (i: number, text: string, vector: Float32Array) => void): Cost {
  const batch = 250;
  const figures: number[] = [];
  for (let from = 0; from < texts.length; from += batch) {
    const vectors = sampleVectors(batch, from + 4);
    const start = performance.now();
    for (const [i, vector] of vectors.entries()) add(from + i, at(texts, from + i), vector);
    figures.push(((performance.now() - start) * 1000) / batch);
  }
  return summaryOf(figures);
}

function measureLibrary(texts: readonly string[], queries: readonly string[]): { keyword: Cost; add: Cost } {
  const library = new MiniSearch({ fields: ["content"] });
  const add = addAll(texts, (id, content) => library.add({ id, content }));
  return { add, keyword: costOf((i) => library.search(at(queries, i)).length) };
}

function measurePlainScan(size: number, queries: readonly Float32Array[]): Cost {
  const rows = new Float32Array(size * dimension);
  for (const [i, number] of sampleVectors(Math.min(size, 1_000), 4)
    .flatMap((vector) => [...vector])
    .entries())
    rows[i] = number;
  const scores = new Float32Array(size);
  return costOf((i) => {
    const query = at(queries, i);
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let column = 0; column < dimension; column++) sum += (rows[row * dimension + column] as number) * (query[column] as number);
      scores[row] = sum;
    }
    return scores[0] as number;
  });
}

/** How long calls take after warming up. */
function costOf(query: (i: number) => number): Cost {
  const figures: number[] = [];
  for (let i = 0; i < 20; i++) query(i);
  const end = performance.now() + measuredMs;
  for (let i = 0; figures.length < 10 || performance.now() < end; i++) {
    const start = performance.now();
    query(i);
    figures.push((performance.now() - start) * 1000);
  }
  return summaryOf(figures);
}

function summaryOf(figures: readonly number[]): Cost {
  const sorted = figures.toSorted((a, b) => a - b);
  return { median: at(sorted, sorted.length >> 1), best: at(sorted, 0) };
}

function cell(cost: Cost | undefined): string {
  if (cost === undefined) return "";
  const [median, best] = [cost.median, cost.best].map((us) => us.toFixed(us < 100 ? 1 : 0));
  return `${median} (${best})`;
}

/** Vectors whose cosines spread about 0.33, as those of texts do. */
function sampleVectors(count: number, seed: number): readonly Float32Array[] {
  const common = randomNumbers(1);
  const shared = Float32Array.from({ length: dimension }, () => common() - 0.5);
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => shared.map((number) => 0.7 * number + random() - 0.5));
}

function sampleMemory(number: number, content: string): Memory {
  const time = { seconds: 1_760_000_000 + number, nanos: 0 };
  return {
    id: `019a0000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`,
    content,
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    createTime: time,
    updateTime: { ...time },
    version: 1,
    tokenCount: 30,
  };
}

/** Bytes of this process' heap and buffers that are in use. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function at<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T;
}
