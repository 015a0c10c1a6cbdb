/**
 * What does the first search of a namespace cost when its index is not loaded? The benchmark
 * measures one time from the start of the server's process, and one from the call. It also measures
 * the RAM that the index takes.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { type BenchClient, connectTo } from "./harness/client.js";
import { fillStore } from "./harness/fill-store.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const namespace = { userId: "cold", agentId: "bench" };

/** The timeout of a search, in milliseconds: long enough for a slow machine. */
const searchTimeoutMs = 600_000;

/** Starts for each size. The report shows medians. */
const rounds = 3;

/** Times of one start, in milliseconds. */
interface ColdOpen {
  /** From the start of the process until it accepts calls. */
  readonly readyMs: number;
  /** From the start of the process until the first search is answered. */
  readonly firstReplyMs: number;
  /** CPU time of the process until then, over all threads. */
  readonly firstReplyCpuMs: number;
  /** From the call of the first search until it is answered. */
  readonly firstSearchMs: number;
  /** CPU time of the server for the first search, over all threads. */
  readonly firstSearchCpuMs: number;
  /** The duration of the next search, which finds the index loaded. */
  readonly nextSearchMs: number;
  /** Growth of the resident memory by the first search, in bytes. */
  readonly firstSearchBytes: number;
  /** Growth of the resident memory by all searches, in bytes. */
  readonly searchesBytes: number;
}

/** Searches after which the resident memory is measured again. */
const searchCount = 1_000;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "200,10000,100000" },
    /** Folder of another built checkout to measure. */
    project: { type: "string", default: "." },
  },
});
const sizes = values.sizes.split(",").map(Number);

printMachine();
// The baseline is a namespace with a single memory.
report([await measure(1), ...(await inSequence(sizes))]);

async function inSequence(all: readonly number[]): Promise<readonly SizeFigures[]> {
  const figures: SizeFigures[] = [];
  for (const size of all) figures.push(await measure(size));
  return figures;
}

/** The medians of one namespace size. */
interface SizeFigures extends ColdOpen {
  readonly memories: number;
  /** CPU time of the first search after the first start, which derives the index from records. */
  readonly rebuildCpuMs: number;
}

async function measure(count: number): Promise<SizeFigures> {
  using folder = createTemporaryFolder();
  const data = join(folder.path, "data");
  const memories = sampleMemories(count, 1);
  await fillStore(data, namespace, memories);
  const starts: ColdOpen[] = [];
  const queries = sampleQueries(sampleTexts(searchCount, 1), 2);
  const rebuild = await coldOpen(data, queries);
  for (let round = 0; round < rounds; round++) starts.push(await coldOpen(data, queries));
  const median = (time: keyof ColdOpen) =>
    starts.map((start) => start[time]).sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
  return {
    memories: count,
    readyMs: median("readyMs"),
    firstReplyMs: median("firstReplyMs"),
    firstReplyCpuMs: median("firstReplyCpuMs"),
    firstSearchMs: median("firstSearchMs"),
    firstSearchCpuMs: median("firstSearchCpuMs"),
    rebuildCpuMs: rebuild.firstSearchCpuMs,
    nextSearchMs: median("nextSearchMs"),
    firstSearchBytes: median("firstSearchBytes"),
    searchesBytes: median("searchesBytes"),
  };
}

async function coldOpen(
  data: string,
  [first = "", next = first, ...others]: readonly string[],
): Promise<ColdOpen> {
  const beganMs = performance.now();
  await using server = await startServer(data, [], { project: values.project });
  const readyMs = performance.now() - beganMs;
  using client = connectTo(server.grpcAddress);
  // This call opens the connection, so that the first search does not include that.
  await client.memories.getAll({ namespace: { ...namespace, agentId: "another" } });
  const bytesBefore = server.residentBytes();
  const cpuBeforeMs = server.cpuMicros() / 1000;
  const firstSearchMs = await searchMs(client, first);
  const firstReplyMs = performance.now() - beganMs;
  const firstReplyCpuMs = server.cpuMicros() / 1000;
  const firstSearchBytes = server.residentBytes() - bytesBefore;
  const nextSearchMs = await searchMs(client, next);
  for (const query of others) await searchMs(client, query);
  return {
    readyMs,
    firstReplyMs,
    firstReplyCpuMs,
    firstSearchMs,
    firstSearchCpuMs: firstReplyCpuMs - cpuBeforeMs,
    nextSearchMs,
    firstSearchBytes,
    searchesBytes: server.residentBytes() - bytesBefore,
  };
}

async function searchMs({ memories }: BenchClient, query: string): Promise<number> {
  const beganMs = performance.now();
  for await (const _message of memories.search(
    { namespace, query },
    { timeoutMs: searchTimeoutMs },
  )) {
    // The hits do not matter, only the duration.
  }
  return performance.now() - beganMs;
}

function report(all: readonly SizeFigures[]): void {
  const base = all[0];
  printTable(
    [
      "memories",
      "ready ms",
      "start to first reply ms",
      "CPU ms to first reply",
      "first search ms",
      "CPU ms",
      "CPU ms of a rebuild",
      "next search ms",
      "RAM a memory after it, bytes",
      `after ${searchCount.toLocaleString("en")}`,
      "start to first reply / 1 memory",
    ],
    all.map((one) => [
      one.memories.toLocaleString("en"),
      one.readyMs.toFixed(0),
      one.firstReplyMs.toFixed(0),
      one.firstReplyCpuMs.toFixed(0),
      one.firstSearchMs.toFixed(1),
      one.firstSearchCpuMs.toFixed(0),
      one.rebuildCpuMs.toFixed(0),
      one.nextSearchMs.toFixed(1),
      (one.firstSearchBytes / one.memories).toFixed(0),
      (one.searchesBytes / one.memories).toFixed(0),
      factor(one.firstReplyMs, base?.firstReplyMs ?? Number.NaN),
    ]),
  );
  printLine();
  printLine(
    `Medians of ${rounds} starts. The files are in the page cache: the figures are for the server, not the disk.`,
  );
  saveResults("cold-open", { sizes: all });
}
