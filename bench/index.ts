/** What does the search index cost: a query by keywords, by vector and by both, an addition, a memory in memory? Beside a general library and a plain scan. */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import type { Memory } from "../src/core/memory.js";
import { createAnalyzer } from "../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../src/index/namespace-index.js";
import { loadKernelModule } from "../src/index/vector/kernel.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { randomNumbers, sampleQueries, sampleTexts } from "./harness/sample-texts.js";

const usage = `Usage: npm run bench:index -- [--million]

--million measures 1,000,000 memories too, without the library.`;

const explanation = `Medians, in microseconds a query of seven words, by all scores of the namespace; the library also sorts its hits.
add: analysing and indexing text and vector. plain scan: a loop over Float32Arrays in JavaScript.
bytes: growth of heap and buffers a memory, object and text included; estimate: what the index itself reckons.`;

const dimension = 256;
const queryCount = 200;
/** A figure is the median of queries during this time, and of at least 10. */
const measuredMs = 1_000;

/** What one size comes to. */
interface Figures {
  readonly memories: number;
  readonly keywordUs: number;
  readonly vectorUs: number;
  readonly bothUs: number;
  readonly addUs: number;
  readonly bytes: number;
  readonly estimatedBytes: number;
  readonly plainScanUs: number;
  readonly library: { readonly keywordUs: number; readonly addUs: number } | undefined;
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
      ...[figures.keywordUs, figures.vectorUs, figures.bothUs].map((us) => us.toFixed(0)),
      figures.addUs.toFixed(1),
      ...[figures.bytes, figures.estimatedBytes].map((bytes) => bytes.toFixed(0)),
      figures.library?.keywordUs.toFixed(0) ?? "",
      figures.library?.addUs.toFixed(1) ?? "",
      figures.plainScanUs.toFixed(0),
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
    { analyze: createAnalyzer(), kernel: loadKernelModule() },
    { epoch: "bench", seq: 1 },
    { modelId: "bench", dimension },
  );
  const addUs = addAll(index, texts);
  const bytes = (usedBytes() - bytesBefore) / size;
  const keywordUs = medianUs((i) => index.candidates({ text: at(queries, i) }).count);
  const vectorUs = medianUs((i) => index.candidates({ text: "", vector: at(vectors, i) }).count);
  const bothUs = medianUs((i) => index.candidates({ text: at(queries, i), vector: at(vectors, i) }).count);
  return {
    memories: size,
    keywordUs,
    vectorUs,
    bothUs,
    addUs,
    bytes,
    estimatedBytes: index.bytes / size,
    plainScanUs: measurePlainScan(size, vectors),
    library: size > 100_000 ? undefined : measureLibrary(texts, queries),
  };
}

/** Adds a memory for each text. Returns microseconds an addition, those of making the vectors left out. */
function addAll(index: HotNamespaceIndex, texts: readonly string[]): number {
  // In batches, so that the clock is read seldom and the vectors are not all there at once.
  const batch = 500;
  let ms = 0;
  for (let from = 0; from < texts.length; from += batch) {
    const memories = texts.slice(from, from + batch).map((text, i) => sampleMemory(from + i, text));
    const vectors = sampleVectors(memories.length, from + 4);
    const start = performance.now();
    for (const [i, memory] of memories.entries()) index.put(memory, vectors[i]);
    ms += performance.now() - start;
  }
  return (ms * 1000) / texts.length;
}

function measureLibrary(texts: readonly string[], queries: readonly string[]): { keywordUs: number; addUs: number } {
  const library = new MiniSearch({ fields: ["content"] });
  const start = performance.now();
  for (const [id, content] of texts.entries()) library.add({ id, content });
  const addUs = ((performance.now() - start) * 1000) / texts.length;
  return { addUs, keywordUs: medianUs((i) => library.search(at(queries, i)).length) };
}

function measurePlainScan(size: number, queries: readonly Float32Array[]): number {
  const rows = new Float32Array(size * dimension);
  for (const [i, number] of sampleVectors(Math.min(size, 1_000), 4)
    .flatMap((vector) => [...vector])
    .entries())
    rows[i] = number;
  const scores = new Float32Array(size);
  return medianUs((i) => {
    const query = at(queries, i);
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let column = 0; column < dimension; column++) sum += (rows[row * dimension + column] as number) * (query[column] as number);
      scores[row] = sum;
    }
    return scores[0] as number;
  });
}

/** The median of how long a call takes, in microseconds, after warming up. */
function medianUs(query: (i: number) => number): number {
  const figures: number[] = [];
  for (let i = 0; i < 20; i++) query(i);
  const end = performance.now() + measuredMs;
  for (let i = 0; figures.length < 10 || performance.now() < end; i++) {
    const start = performance.now();
    query(i);
    figures.push((performance.now() - start) * 1000);
  }
  return figures.sort((a, b) => a - b)[figures.length >> 1] as number;
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
