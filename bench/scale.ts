/** What does a namespace cost as it grows: a search, an Add, memory, disk, and the first search after a restart? Asked of a real server over gRPC, beside a general library and a plain scan. */
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import { SearchIndex, type SearchSummary } from "#gen/vademecum/v1/search_pb.js";
import { type BenchClient, connectTo } from "./harness/client.js";
import { costOf, percentile } from "./harness/cost.js";
import { fillStore } from "./harness/fill-store.js";
import { millisOf } from "./harness/millis.js";
import { measurePlainScan } from "./harness/plain-scan.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { sampleVectors } from "./harness/sample-vectors.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const usage = `Usage: npm run bench:scale -- [--sizes 1000,10000,100000] [--million] [--keep <folder>]

--million  measures 1,000,000 memories too, without the library. Building their graph alone takes more than an hour; the run takes 8 GB of memory and 5 GB of disk.
--keep     leaves the data folder of each size in this folder, and begins with those that are there: a later run finds memories and graphs ready.`;

const namespace = { userId: "scale", agentId: "bench" };
const dimension = 256;
const queryCount = 1_000;
/** Until the compiler is done with what a call runs through. */
const warmUpQueries = 1_000;
const warmUpAdds = 2_000;
const addCount = 1_000;
/** From so many memories on a namespace has a graph, unless the server is told otherwise. */
const graphThreshold = 50_000;
/** The general library takes a second a query here, and ten times that at the next size. */
const librarySizeMax = 100_000;
/** How long a search may take, in milliseconds: a slow machine must not end the run. */
const searchTimeoutMs = 1_200_000;
const pollMs = 500;
const graphsOff = ["--graph-threshold", "1000000000"];
const roomy = ["--index-max-bytes", "8GiB"];

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** What one size comes to; times in milliseconds. */
interface Figures {
  readonly memories: number;
  readonly index: string;
  readonly server: Percentiles;
  readonly client: Percentiles;
  /** All vectors compared, on a server without graphs. `undefined` where there is no graph anyway. */
  readonly serverWithoutGraph: Percentiles | undefined;
  readonly library: number | undefined;
  readonly plainScan: number;
  readonly memoryBytes: number;
  readonly recordBytes: number;
  readonly graphFileBytes: number;
  /** The first search after a start. */
  readonly coldMs: number;
  /** From that search until the graph is there, built anew or read. */
  readonly graphBuiltMs: number | undefined;
  readonly graphReadMs: number | undefined;
}

/** What an Add costs, one after another. */
interface AddFigures {
  readonly namespace: string;
  readonly p50: number;
  readonly cpuMs: number;
}

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    million: { type: "boolean", default: false },
    keep: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) printLine(usage);
else {
  printMachine();
  const sizes = [...values.sizes.split(",").map(Number), ...(values.million ? [1_000_000] : [])];
  const results: Figures[] = [];
  for (const size of sizes) {
    results.push(await measure(size));
    // A run that is cut short leaves what it has measured.
    saveResults("scale", { results });
  }
  report(results);
  const adds = await measureAdds(Math.min(100_000, Math.max(...sizes)));
  reportAdds(adds);
  saveResults("scale", { results, adds });
}

async function measure(size: number): Promise<Figures> {
  using folder = values.keep === undefined ? createTemporaryFolder() : undefined;
  const data = join(folder?.path ?? values.keep ?? "", String(size));
  const queries = sampleQueries(sampleTexts(queryCount, 1), 2);
  if (!existsSync(data)) await fill(data, size);
  const hadGraph = existsSync(join(data, "graphs"));
  await using server = await startServer(data, roomy);
  const before = server.residentBytes();
  const first = await firstSearch(server, queries, size);
  const found = await searchAll(server, queries);
  const memoryBytes = (server.residentBytes() - before) / size;
  if (size >= graphThreshold) await graphSaved(data);
  await server[Symbol.asyncDispose]();
  const serverWithoutGraph = size < graphThreshold ? undefined : await measureWithoutGraph(data, queries);
  const again = size < graphThreshold ? undefined : await restart(data, queries, size);
  return {
    memories: size,
    ...found,
    serverWithoutGraph,
    ...measureBaselines(size, queries),
    memoryBytes,
    recordBytes: bytesBelow(join(data, "records")) / size,
    graphFileBytes: bytesBelow(join(data, "graphs")) / size,
    coldMs: first.coldMs,
    graphBuiltMs: hadGraph ? undefined : first.graphMs,
    graphReadMs: again?.graphMs,
  };
}

/** Under another name until it is whole, so that a run that is cut short leaves nothing that looks finished. */
async function fill(data: string, size: number): Promise<void> {
  const part = `${data}.part`;
  rmSync(part, { recursive: true, force: true });
  await fillStore(part, namespace, sampleMemories(size, 1));
  renameSync(part, data);
}

async function measureWithoutGraph(data: string, queries: readonly string[]): Promise<Percentiles> {
  await using server = await startServer(data, [...roomy, ...graphsOff]);
  return (await searchAll(server, queries)).server;
}

async function restart(data: string, queries: readonly string[], size: number) {
  await using server = await startServer(data, roomy);
  return await firstSearch(server, queries, size);
}

/** The first search, and how long it takes from then on until the graph is there. */
async function firstSearch(server: ServerProcess, queries: readonly string[], size: number) {
  using client = connectTo(server.grpcAddress);
  // Connects, so that the first search is only that.
  await client.memories.getAll({ namespace: { ...namespace, agentId: "another" } });
  const began = performance.now();
  await search(client, queries[0] ?? "");
  const coldMs = performance.now() - began;
  if (size < graphThreshold) return { coldMs, graphMs: undefined };
  // A search that compares all vectors takes its time from the thread that feeds the graph.
  const pauseMs = Math.max(pollMs, size / 200);
  while ((await search(client, queries[0] ?? "")).index !== SearchIndex.GRAPH) await delay(pauseMs);
  return { coldMs, graphMs: performance.now() - began };
}

/** One search after another, over one connection. */
async function searchAll(server: ServerProcess, queries: readonly string[]) {
  using client = connectTo(server.grpcAddress);
  for (const query of queries.slice(0, warmUpQueries)) await search(client, query);
  const clientMs: number[] = [];
  const serverMs: number[] = [];
  let index = "";
  for (const query of queries) {
    const began = performance.now();
    const summary = await search(client, query);
    clientMs.push(performance.now() - began);
    serverMs.push(millisOf(summary.queryDuration));
    index = SearchIndex[summary.index];
  }
  return { index, server: percentilesOf(serverMs), client: percentilesOf(clientMs) };
}

async function search({ memories }: BenchClient, query: string): Promise<SearchSummary> {
  let summary: SearchSummary | undefined;
  for await (const message of memories.search({ namespace, query }, { timeoutMs: searchTimeoutMs })) summary = message.summary ?? summary;
  if (summary === undefined) throw new Error("a search came without its summary");
  return summary;
}

/** Waits until the graph is on disk. */
async function graphSaved(data: string): Promise<void> {
  const graphs = join(data, "graphs");
  const isSaved = () => existsSync(graphs) && readdirSync(graphs, { recursive: true }).some((name) => String(name).endsWith("header"));
  while (!isSaved()) await delay(pollMs);
}

/** The same queries by other means, in this process; medians in milliseconds. */
function measureBaselines(size: number, queries: readonly string[]) {
  const plainScan = measurePlainScan(size, sampleVectors(200, dimension, 3)).median / 1000;
  if (size > librarySizeMax) return { plainScan, library: undefined };
  const library = new MiniSearch({ fields: ["content"] });
  library.addAll(sampleTexts(size, 1).map((content, id) => ({ id, content })));
  return { plainScan, library: costOf((i) => library.search(queries[i % queries.length] ?? "").length).median / 1000 };
}

/** Adds to namespaces of so many memories with no vectors, with vectors that are compared and with a graph; the baseline is a namespace that holds next to nothing. */
async function measureAdds(size: number): Promise<readonly AddFigures[]> {
  using folder = createTemporaryFolder();
  const memories = sampleMemories(size, 1);
  const [small, keywords, vectors, graph] = ["small", "keywords", "vectors", "graph"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
    string,
  ];
  await fillStore(small, namespace, memories.slice(0, 1));
  await fillStore(keywords, namespace, memories, false);
  await fillStore(vectors, namespace, memories);
  cpSync(vectors, graph, { recursive: true });
  const count = size.toLocaleString("en");
  return [
    await measureAdd("1 memory", small, graphsOff),
    await measureAdd(`${count}, keywords only`, keywords, [...graphsOff, "--embedder", "none"]),
    await measureAdd(`${count}, vectors compared`, vectors, graphsOff),
    await measureAdd(`${count}, graph`, graph, ["--graph-threshold", String(Math.min(size, graphThreshold))]),
  ];
}

async function measureAdd(name: string, data: string, flags: readonly string[]): Promise<AddFigures> {
  const texts = sampleTexts(warmUpAdds + addCount, 5);
  await using server = await startServer(data, [...roomy, ...flags]);
  using client = connectTo(server.grpcAddress);
  await search(client, "first");
  const hasGraph = async () => (await search(client, texts[0] ?? "")).index === SearchIndex.GRAPH;
  while (!flags.includes(graphsOff[1] ?? "") && !(await hasGraph())) await delay(pollMs);
  for (const content of texts.slice(0, warmUpAdds)) await client.memories.add({ namespace, content });
  const times: number[] = [];
  const cpuBefore = server.cpuMicros();
  for (const content of texts.slice(warmUpAdds)) {
    const began = performance.now();
    await client.memories.add({ namespace, content });
    times.push(performance.now() - began);
  }
  return { namespace: name, p50: percentile(times, 50), cpuMs: (server.cpuMicros() - cpuBefore) / 1000 / addCount };
}

function percentilesOf(figures: readonly number[]): Percentiles {
  return { p50: percentile(figures, 50), p99: percentile(figures, 99) };
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function report(results: readonly Figures[]): void {
  printLine("One search after another, in milliseconds");
  printTable(
    [
      "memories",
      "index",
      "server p50",
      "p99",
      "client p50",
      "p99",
      "without graph p50",
      "library p50",
      "plain scan p50",
      "library / server",
    ],
    results.map(({ memories, index, server, client, serverWithoutGraph, library, plainScan }) => [
      memories.toLocaleString("en"),
      index,
      ...[server.p50, server.p99, client.p50, client.p99, serverWithoutGraph?.p50, library, plainScan].map(cell),
      library === undefined ? "" : factor(library, server.p50),
    ]),
  );
  printLine();
  printLine("Bytes a memory, and the time from a start to the first search and to the graph, in milliseconds");
  printTable(
    ["memories", "memory", "records", "graph on disk", "first search", "until graph: built", "read"],
    results.map(({ memories, memoryBytes, recordBytes, graphFileBytes, coldMs, graphBuiltMs, graphReadMs }) => [
      memories.toLocaleString("en"),
      ...[memoryBytes, recordBytes, graphFileBytes, coldMs, graphBuiltMs, graphReadMs].map((figure) => figure?.toFixed(0) ?? ""),
    ]),
  );
}

function reportAdds(adds: readonly AddFigures[]): void {
  const [base] = adds;
  printLine();
  printLine("One Add after another, in milliseconds");
  printTable(
    ["namespace", "client p50", "server CPU", "of the smallest"],
    adds.map(({ namespace: name, p50, cpuMs }) => [name, cell(p50), cell(cpuMs), factor(cpuMs, base?.cpuMs ?? Number.NaN)]),
  );
}

function cell(figure: number | undefined): string {
  return figure === undefined ? "" : figure.toFixed(figure < 10 ? 2 : 1);
}
