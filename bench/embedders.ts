/**
 * What does a vector cost with each embedder that runs on this machine? With the folder of an ONNX
 * model as argument, the benchmark measures `onnx` too.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Embedder } from "../src/core/ports/embedder.js";
import { openOnnxEmbedder } from "../src/embed/onnx/onnx-embedder.js";
import { openStaticEmbedder } from "../src/embed/static/static-embedder.js";
import { printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";

/** Calls with a single text, one after another. */
const textCount = 200;
/** Texts in the call with many texts. */
const batchSize = 256;

const { signal } = new AbortController();

/** The measurements of one embedder. */
interface Figures {
  readonly embedder: string;
  /** The time until the first text can be embedded. */
  readonly openMs: number;
  /** The median latency of a call with one text, while nothing else runs. */
  readonly textMs: number;
  /** The latency per text of a call with many texts. */
  readonly batchedTextMs: number;
  /** The CPU time per text of a call with many texts, over all threads. */
  readonly batchedCpuMs: number;
  /** Growth of the resident memory, from before opening to after the work. */
  readonly megabytes: number;
}

printMachine();
const [modelFolder] = process.argv.slice(2);
const figures = [
  await measure("local", () => openStaticEmbedder({ folder: join("models", "static-256") })),
];
if (modelFolder !== undefined) {
  const open = () => openOnnxEmbedder({ folder: modelFolder, log: () => {} });
  figures.push(await measure("onnx", open, (embedder) => embedder.close()));
}
printTable(
  ["embedder", "open", "one text", "text in a batch", "CPU in a batch", "resident memory"],
  figures.map(({ embedder, openMs, textMs, batchedTextMs, batchedCpuMs, megabytes }) => [
    embedder,
    `${openMs.toFixed(0)} ms`,
    `${textMs.toFixed(3)} ms`,
    `${batchedTextMs.toFixed(3)} ms`,
    `${batchedCpuMs.toFixed(3)} ms`,
    `${megabytes.toFixed(0)} MB`,
  ]),
);
saveResults("embedders", { textCount, batchSize, figures });

async function measure<E extends Embedder>(
  name: string,
  open: () => Promise<E>,
  close: (embedder: E) => Promise<void> = async () => {},
): Promise<Figures> {
  const rssBefore = process.memoryUsage().rss;
  const [embedder, openMs] = await measureMs(open);
  const [first = "", ...texts] = sampleTexts(1 + textCount + batchSize, 1);
  await embedder.embed([first], signal);
  const single: number[] = [];
  for (const text of texts.slice(0, textCount))
    single.push((await measureMs(() => embedder.embed([text], signal)))[1]);
  const cpuBefore = process.cpuUsage();
  const [, batchMs] = await measureMs(() => embedder.embed(texts.slice(textCount), signal));
  const { user, system } = process.cpuUsage(cpuBefore);
  const megabytes = (process.memoryUsage().rss - rssBefore) / 1e6;
  await close(embedder);
  return {
    embedder: name,
    openMs,
    textMs: single.sort((a, b) => a - b)[textCount >> 1] ?? 0,
    batchedTextMs: batchMs / batchSize,
    batchedCpuMs: (user + system) / 1000 / batchSize,
    megabytes,
  };
}

async function measureMs<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}
