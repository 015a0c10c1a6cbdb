/** How fast are memories given new vectors, and what do searches of the same namespace notice of it? */
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

/** How long searches are measured without a reindex beside them. */
const quietMs = 10_000;

/** Times of searches, one after another, in milliseconds. */
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
  const ended = new AbortController();
  const searched = searchWhile(client, queries, ended.signal, Number.POSITIVE_INFINITY);
  const beganMs = performance.now();
  // To the model that it has: all is done as for another one.
  for await (const _response of client.admin.reindex({
    target: { case: "namespace", value: namespace },
  })) {
    // Only the time counts.
  }
  const reindexMs = performance.now() - beganMs;
  ended.abort();
  const during = await searched;
  const after = await searchWhile(client, queries, new AbortController().signal, quietMs);
  const perSecond = (1000 * count) / reindexMs;
  const rows = { before, "while it runs": during, after };
  printTable(
    [
      `${count.toLocaleString("en")} memories`,
      "searches",
      "p50 ms",
      "p99 ms",
      "longest ms",
      "p50 / before",
    ],
    Object.entries(rows).map(([name, { searches, p50Ms, p99Ms, maxMs }]) => [
      name,
      searches.toLocaleString("en"),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      maxMs.toFixed(0),
      factor(p50Ms, before.p50Ms),
    ]),
  );
  printLine();
  printLine(
    `Reindexed in ${(reindexMs / 1000).toFixed(1)} s: ${perSecond.toFixed(0)} memories a second, searches beside it.`,
  );
  saveResults("reindex", { memories: count, reindexMs, perSecond, ...rows });
}

/** Searches one after another until it is told to end or the time is over. */
async function searchWhile(
  { memories }: BenchClient,
  queries: readonly string[],
  ended: AbortSignal,
  durationMs: number,
): Promise<SearchFigures> {
  const times: number[] = [];
  const endMs = performance.now() + durationMs;
  for (
    let beganMs = performance.now();
    !ended.aborted && beganMs < endMs;
    beganMs = performance.now()
  ) {
    const query = queries[times.length % queries.length] ?? "";
    for await (const _message of memories.search({ namespace, query })) {
      // Only the time counts.
    }
    times.push(performance.now() - beganMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return { searches: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
