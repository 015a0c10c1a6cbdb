/**
 * Do the sign bits of a large namespace choose the rows that a comparison of all vectors finds, and
 * how much faster? Vectors are those of sample texts, by the bundled model. Each size runs in the
 * index alone, without a server.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { KernelMemory } from "../src/index/vector/kernel-memory.js";
import { SignRows } from "../src/index/vector/sign-rows.js";
import { VectorRows } from "../src/index/vector/vector-rows.js";
import { openBundledEmbedder } from "./harness/bench-service.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";

const usage = "Usage: npm run bench:near -- [--sizes 100000,150000] [--queries 200]\n";

const { signal } = new AbortController();

/** Texts are embedded in parts of this many. */
const partTexts = 1_000;

/** How many of the nearest rows must be among the chosen ones. */
const nearest = 10;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,150000,200000" },
    queries: { type: "string", default: "200" },
    help: { type: "boolean" },
  },
});
if (values.help) printLine(usage);
else await measure(values.sizes.split(",").map(Number), Number(values.queries));

/** The figures of a size. Times are means, in milliseconds. */
interface NearFigures {
  readonly rows: number;
  readonly chosen: number;
  /** The share of the ten nearest rows that are among the chosen ones. */
  readonly recall: number;
  /** Comparing all vectors. */
  readonly scanMs: number;
  /** Choosing rows, and comparing their vectors. */
  readonly nearMs: number;
  readonly buildMs: number;
  readonly bytesPerRow: number;
}

async function measure(sizes: readonly number[], queryCount: number): Promise<void> {
  printMachine();
  const embedder = await openBundledEmbedder();
  const most = Math.max(...sizes);
  const vectors = new VectorRows(new KernelMemory(), embedder.dimension);
  for (let from = 0; from < most; from += partTexts) {
    const texts = sampleTexts(Math.min(partTexts, most - from), from + 1);
    const embedded = await embedder.embed(texts, signal);
    for (const [at, vector] of embedded.entries()) vectors.set(from + at, vector);
  }
  const queries = await embedder.embed(sampleQueries(sampleTexts(queryCount, 1), 2), signal);
  const figures: NearFigures[] = [];
  for (const rows of sizes) figures.push(await measureSize(vectors, rows, queries));
  printTable(
    ["rows", "chosen", `recall@${nearest}`, "all vectors", "sign bits", "ratio", "build", "bytes"],
    figures.map((it) => [
      it.rows.toLocaleString("en"),
      it.chosen.toFixed(0),
      it.recall.toFixed(3),
      `${it.scanMs.toFixed(2)} ms`,
      `${it.nearMs.toFixed(2)} ms`,
      factor(it.nearMs, it.scanMs),
      `${it.buildMs.toFixed(0)} ms`,
      it.bytesPerRow.toFixed(0),
    ]),
  );
  saveResults("near", { figures });
}

async function measureSize(
  vectors: VectorRows,
  rows: number,
  queries: readonly Float32Array[],
): Promise<NearFigures> {
  const began = performance.now();
  const signs = new SignRows(vectors, rows);
  await signs.fill(
    () => rows,
    () => false,
  );
  const buildMs = performance.now() - began;
  const scores = new Float32Array(rows);
  const wanted = Math.max(3_000, rows / 200);
  let [found, chosenSum, scanMs, nearMs] = [0, 0, 0, 0];
  for (const query of queries) {
    const scanBegan = performance.now();
    vectors.score(query, rows, scores);
    const nearBegan = performance.now();
    const chosen = signs.nearest(query, rows, wanted);
    const cosines = new Float32Array(chosen.length);
    vectors.scoreSome(query, chosen, chosen.length, cosines);
    nearMs += performance.now() - nearBegan;
    scanMs += nearBegan - scanBegan;
    chosenSum += chosen.length;
    // A chosen row counts if its cosine is one of the ten highest of all rows.
    const tenth = scores.toSorted().at(-nearest) ?? 0;
    found += Math.min(nearest, cosines.filter((cosine) => cosine >= tenth - 1e-4).length);
  }
  const count = queries.length;
  return {
    rows,
    chosen: chosenSum / count,
    recall: found / count / nearest,
    scanMs: scanMs / count,
    nearMs: nearMs / count,
    buildMs,
    bytesPerRow: signs.bytes / rows,
  };
}
