/**
 * What does the search index cost? Measures queries by keywords, by vector and by both, additions,
 * and the RAM for each memory. Compares them with a general library and a plain scan.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import type { Memory } from "../src/core/model/memory.js";
import { createAnalyzer } from "../src/index/keyword/analyzer.js";
import { Spellings } from "../src/index/keyword/spellings.js";
import { HotNamespaceIndex } from "../src/index/namespace-index.js";
import { contextWeights } from "../src/index/thread/context-weights.js";
import { loadKernelModule } from "../src/index/vector/kernel.js";
import { type Cost, costOf, summaryOf } from "./harness/cost.js";
import { measurePlainScan } from "./harness/plain-scan.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts, sampleWords } from "./harness/sample-texts.js";
import { sampleVectors } from "./harness/sample-vectors.js";

const usage = `Usage: npm run bench:index -- [--million]

--million  also measures 1,000,000 memories, without the library`;

const explanation = `Microseconds: the median, and in parentheses the best, which is more reliable on a busy machine.
A query has seven words and computes all scores of the namespace. The library also sorts its hits.

add         analyse and index text and vector, in batches
plain scan  a JavaScript loop over a Float32Array
bytes       growth of heap and buffers per memory, with its object and its text
estimate    the index's own estimate of the bytes per memory

The first misspelled word of a namespace builds a list of all words, sorted by first letter and
length. Its bytes are the growth of heap and buffers, without the words themselves.`;

const dimension = 256;
const queryCount = 200;

/** The measurements of one namespace size. */
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

const { values } = parseArgs({
  options: {
    million: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) printLine(usage);
else {
  printMachine();
  const sizes = [1_000, 10_000, 100_000, ...(values.million ? [1_000_000] : [])];
  const results = sizes.map((size) => measure(size));
  printTable(
    [
      "memories",
      "keyword",
      "vector",
      "both",
      "add",
      "bytes",
      "estimate",
      "library: keyword",
      "library: add",
      "plain scan: vector",
    ],
    results.map((figures) => [
      figures.memories.toLocaleString("en"),
      ...[figures.keyword, figures.vector, figures.both, figures.add].map(cell),
      ...[figures.bytes, figures.estimatedBytes].map((bytes) => bytes.toFixed(0)),
      ...[figures.library?.keyword, figures.library?.add, figures.plainScan].map(cell),
    ]),
  );
  const spelling = measureSpelling();
  printLine();
  printLine(
    `misspelled word among 100,000 distinct words: ${cell(spelling.lookUp)}; to list the words: ` +
      `${cell(spelling.build)}, ${spelling.bytesPerWord.toFixed(1)} bytes for each word`,
  );
  printLine();
  printLine(explanation);
  saveResults("index", { dimension, results, spelling });
}

function measure(size: number): Figures {
  const bytesBefore = usedBytes();
  // Made after the first measurement of bytes, so that the measured bytes include the texts.
  const texts = sampleTexts(size, 1);
  const index = new HotNamespaceIndex(
    { analyzer: createAnalyzer(), context: contextWeights, kernel: loadKernelModule() },
    { epoch: "bench", seq: 1 },
    { modelId: "bench", dimension },
  );
  const add = addAll(texts, (i, text, vector) => index.put(sampleMemory(i, text), vector));
  const bytes = (usedBytes() - bytesBefore) / size;
  const queries = sampleQueries(texts.slice(0, queryCount), 2);
  const vectors = sampleVectors(queryCount, dimension, 3);
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

/** The costs of finding words of similar spelling. */
interface SpellingFigures {
  /** The look-up of a word with two swapped letters and a missing one. */
  readonly lookUp: Cost;
  /** Building the list of words, as the first look-up does. */
  readonly build: Cost;
  readonly bytesPerWord: number;
}

function measureSpelling(): SpellingFigures {
  const words = sampleWords(100_000);
  const build = costOf(() => new Spellings(words).nearest("").edits);
  const bytesBefore = usedBytes();
  const spellings = new Spellings(words);
  const bytesPerWord = (usedBytes() - bytesBefore) / words.length;
  const misspelled = words
    .filter((word) => word.length > 5)
    .map((word) => `${word[0]}${word[2]}${word[1]}${word.slice(4)}`);
  // Steps through the list by a large prime, so that consecutive words have other first letters.
  const lookUp = costOf((i) => spellings.nearest(at(misspelled, i * 7_919)).terms.length);
  return { lookUp, build, bytesPerWord };
}

/** Measures the addition of each text. The time to make vectors does not count. */
function addAll(
  texts: readonly string[],
  add: (i: number, text: string, vector: Float32Array) => void,
): Cost {
  const batch = 250;
  const figures: number[] = [];
  for (let from = 0; from < texts.length; from += batch) {
    const vectors = sampleVectors(batch, dimension, from + 4);
    const start = performance.now();
    for (const [i, vector] of vectors.entries()) add(from + i, at(texts, from + i), vector);
    figures.push(((performance.now() - start) * 1000) / batch);
  }
  return summaryOf(figures);
}

function measureLibrary(
  texts: readonly string[],
  queries: readonly string[],
): { keyword: Cost; add: Cost } {
  const library = new MiniSearch({ fields: ["content"] });
  const add = addAll(texts, (id, content) => library.add({ id, content }));
  return { add, keyword: costOf((i) => library.search(at(queries, i)).length) };
}

function cell(cost: Cost | undefined): string {
  if (cost === undefined) return "";
  const [median, best] = [cost.median, cost.best].map((us) => us.toFixed(us < 100 ? 1 : 0));
  return `${median} (${best})`;
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

/** Returns the bytes in use in this process's heap and buffers. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function at<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T;
}
