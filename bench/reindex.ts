/**
 * How fast does Reindex replace vectors, and how much does it slow down searches of the same
 * namespace?
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

const namespace = { userId: "reindexed", agentId: "bench" };

/** How long searches are measured without a Reindex, in milliseconds. */
const quietMs = 10_000;

/** Latencies of searches, one after another, in milliseconds. */
interface SearchFigures {
  readonly searches: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const { values } = parseArgs({ options: { memories: { type: "string", default: "20000" } } });

printMachine();
await measure(Number(values.memories));

async function measure(count: number): Promise<void> {
  using folder = createTemporaryFolder();
  const data = join(folder.path, "data");
  const memories = sampleMemories(count, 1);
  await fillStore(data, namespace, memories);
  await using server = await startServer(data);
  using client = connectTo(server.grpcAddress);
  const queries = sampleQueries(
    memories.map(({ content }) => content),
    2,
  );
  await searchWhile(client, queries, new AbortController().signal, quietMs / 2);
  const before = await searchWhile(client, queries, new AbortController().signal, quietMs);
  const reindexEnd = new AbortController();
  const searches = searchWhile(client, queries, reindexEnd.signal, Number.POSITIVE_INFINITY);
  const beganMs = performance.now();
  // Keeps the model, because Reindex does the same work for the same model as for another.
  for await (const _response of client.admin.reindex({
    target: { case: "namespace", value: namespace },
  })) {
    // The messages do not matter, only the duration.
  }
  const reindexMs = performance.now() - beganMs;
  reindexEnd.abort();
  const during = await searches;
  const after = await searchWhile(client, queries, new AbortController().signal, quietMs);
  const perSecond = (1000 * count) / reindexMs;
  const rows = { before, during, after };
  printTable(
    [
      `${count.toLocaleString("en")} memories`,
      "searches",
      "p50 ms",
      "p99 ms",
      "longest ms",
      "p50 / before",
    ],
    Object.entries(rows).map(([name, { searches: count, p50Ms, p99Ms, maxMs }]) => [
      name,
      count.toLocaleString("en"),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      maxMs.toFixed(0),
      factor(p50Ms, before.p50Ms),
    ]),
  );
  printLine();
  printLine(
    `The Reindex took ${(reindexMs / 1000).toFixed(1)} s beside the searches: ` +
      `${perSecond.toFixed(0)} memories per second.`,
  );
  saveResults("reindex", { memories: count, reindexMs, perSecond, ...rows });
}

/** Searches, one after another, until `ended` is aborted or the time is over. */
async function searchWhile(
  { memories }: BenchClient,
  queries: readonly string[],
  signal: AbortSignal,
  durationMs: number,
): Promise<SearchFigures> {
  const times: number[] = [];
  const endMs = performance.now() + durationMs;
  for (
    let beganMs = performance.now();
    !signal.aborted && beganMs < endMs;
    beganMs = performance.now()
  ) {
    const query = queries[times.length % queries.length] ?? "";
    for await (const _message of memories.search({ namespace, query })) {
      // The hits do not matter, only the duration.
    }
    times.push(performance.now() - beganMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return { searches: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
