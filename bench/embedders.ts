/** What does a vector cost with each embedder that runs on this machine? The folder of an ONNX model as the argument adds `onnx`. */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Embedder } from "../src/core/ports/embedder.js";
import { openOnnxEmbedder } from "../src/embed/onnx/onnx-embedder.js";
import { openStaticEmbedder } from "../src/embed/static/static-embedder.js";
import { printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";

/** Texts of the calls with one text, one call after the other. */
const textCount = 200;
/** Texts of the call with many. */
const batchSize = 256;

const { signal } = new AbortController();

/** What was measured of one embedder. */
interface Figures {
  readonly embedder: string;
  /** Until the first text can be embedded. */
  readonly openMs: number;
  /** Wall time of a call with one text, while nothing else runs: the median. */
  readonly textMs: number;
  /** Wall time of a text in a call with many. */
  readonly batchedTextMs: number;
  /** CPU time of a text in a call with many, of all threads. */
  readonly batchedCpuMs: number;
  /** Growth of the process from before opening to after the work. */
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
  ["embedder", "open", "one text", "a text of many", "CPU of it", "memory"],
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
  embedder: string,
  open: () => Promise<E>,
  close: (opened: E) => Promise<void> = async () => {},
): Promise<Figures> {
  const rssBefore = process.memoryUsage().rss;
  const [opened, openMs] = await timed(open);
  const [first = "", ...texts] = sampleTexts(1 + textCount + batchSize, 1);
  await opened.embed([first], signal);
  const single: number[] = [];
  for (const text of texts.slice(0, textCount))
    single.push((await timed(() => opened.embed([text], signal)))[1]);
  const cpuBefore = process.cpuUsage();
  const [, batchMs] = await timed(() => opened.embed(texts.slice(textCount), signal));
  const { user, system } = process.cpuUsage(cpuBefore);
  const megabytes = (process.memoryUsage().rss - rssBefore) / 1e6;
  await close(opened);
  return {
    embedder,
    openMs,
    textMs: single.sort((a, b) => a - b)[textCount >> 1] ?? 0,
    batchedTextMs: batchMs / batchSize,
    batchedCpuMs: (user + system) / 1000 / batchSize,
    megabytes,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}
