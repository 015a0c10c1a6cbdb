/**
 * How long does the first search of a namespace take when its index is not loaded? The benchmark
 * measures one time from the start of the server's process, and one from the call.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { type BenchClient, connectTo } from "./harness/client.js";
import { fillStore } from "./harness/fill-store.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { sampleQueries } from "./harness/sample-texts.js";
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
  /** The duration of the next search, which finds the index loaded. */
  readonly nextSearchMs: number;
}

const { values } = parseArgs({ options: { sizes: { type: "string", default: "10000,100000" } } });
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
}

async function measure(count: number): Promise<SizeFigures> {
  using folder = createTemporaryFolder();
  const data = join(folder.path, "data");
  const memories = sampleMemories(count, 1);
  await fillStore(data, namespace, memories);
  const texts = memories.map(({ content }) => content);
  const starts: ColdOpen[] = [];
  for (let round = 0; round < rounds; round++)
    starts.push(await coldOpen(data, sampleQueries(texts.slice(0, 2), round)));
  const median = (time: keyof ColdOpen) =>
    starts.map((start) => start[time]).sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
  return {
    memories: count,
    readyMs: median("readyMs"),
    firstReplyMs: median("firstReplyMs"),
    firstReplyCpuMs: median("firstReplyCpuMs"),
    firstSearchMs: median("firstSearchMs"),
    nextSearchMs: median("nextSearchMs"),
  };
}

async function coldOpen(
  data: string,
  [first = "", next = first]: readonly string[],
): Promise<ColdOpen> {
  const beganMs = performance.now();
  await using server = await startServer(data);
  const readyMs = performance.now() - beganMs;
  using client = connectTo(server.grpcAddress);
  // This call opens the connection, so that the first search does not include that.
  await client.memories.getAll({ namespace: { ...namespace, agentId: "another" } });
  const firstSearchMs = await searchMs(client, first);
  const firstReplyMs = performance.now() - beganMs;
  const firstReplyCpuMs = server.cpuMicros() / 1000;
  return {
    readyMs,
    firstReplyMs,
    firstReplyCpuMs,
    firstSearchMs,
    nextSearchMs: await searchMs(client, next),
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
      "next search ms",
      "start to first reply / 1 memory",
    ],
    all.map((one) => [
      one.memories.toLocaleString("en"),
      one.readyMs.toFixed(0),
      one.firstReplyMs.toFixed(0),
      one.firstReplyCpuMs.toFixed(0),
      one.firstSearchMs.toFixed(1),
      one.nextSearchMs.toFixed(1),
      factor(one.firstReplyMs, base?.firstReplyMs ?? Number.NaN),
    ]),
  );
  printLine();
  printLine(
    `Medians of ${rounds} starts. The files are in the page cache: the figures are for the server, not the disk.`,
  );
  saveResults("cold-open", { sizes: all });
}
