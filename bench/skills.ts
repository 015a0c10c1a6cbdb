/**
 * How long does it take to retrieve skills through the server? Compared with the time to compare
 * their vectors in plain JavaScript.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { type BenchClient, connectTo } from "./harness/client.js";
import { percentile } from "./harness/cost.js";
import { millisOf } from "./harness/millis.js";
import { measurePlainScan } from "./harness/plain-scan.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { sampleVectors } from "./harness/sample-vectors.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const namespace = { userId: "ada", agentId: "bench" };

/** The dimension of the bundled model. */
const dimension = 256;

/** The target for the p99 at the client with 1,000 skills, in milliseconds. */
const clientTargetMs = 200;

/** Concurrent calls that store skills. One synced write holds many of them. */
const concurrentStores = 50;

const warmUpCalls = 1000;

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "1000" },
    calls: { type: "string", default: "5000" },
  },
});

/** The target for the p99 on the server, in milliseconds. */
const serverTargetMs = 5;

/** Percentiles of latencies in milliseconds. */
interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The measurements of one kind of call, one call after another. */
interface RetrievalFigures {
  /** The latency by the server's own clock. */
  readonly server: Percentiles;
  /** The latency over gRPC. */
  readonly client: Percentiles;
  readonly meanSkills: number;
  /** CPU time of the server per call, over all threads, with the writes of `last_used_time`. */
  readonly serverCpuMicros: number;
}

printMachine();
await measure(Number(values.skills), Number(values.calls));

async function measure(count: number, calls: number): Promise<void> {
  using folder = createTemporaryFolder();
  await using server = await startServer(join(folder.path, "data"));
  using client = connectTo(server.grpcAddress);
  const texts = sampleTexts(count, 1);
  await storeAll(client, texts);
  const queries = sampleQueries(texts, 2);
  const kinds = { "by default": {}, "always five": { minSimilarity: 0 } };
  const figures: Record<string, RetrievalFigures> = {};
  for (const [name, fields] of Object.entries(kinds)) {
    await retrieve(client, queries, fields, warmUpCalls);
    const cpuMicrosBefore = server.cpuMicros();
    const retrieval = await retrieve(client, queries, fields, calls);
    const serverCpuMicros = (server.cpuMicros() - cpuMicrosBefore) / calls;
    figures[name] = { ...retrieval, serverCpuMicros };
  }
  const plainMs = measurePlainScan(count, sampleVectors(100, dimension, 3)).median / 1000;
  printTable(
    [
      `RetrieveSkills of ${count.toLocaleString("en")}`,
      "server p50 ms",
      "p99 ms",
      "longest ms",
      "client p50 ms",
      "p99 ms",
      "skills",
      "server CPU us",
      "server p50 / plain loop",
      `server p99 / ${serverTargetMs} ms`,
      `client p99 / ${clientTargetMs} ms`,
    ],
    Object.entries(figures).map(([name, { server, client, meanSkills, serverCpuMicros }]) => [
      name,
      server.p50.toFixed(2),
      server.p99.toFixed(2),
      server.max.toFixed(1),
      client.p50.toFixed(2),
      client.p99.toFixed(2),
      meanSkills.toFixed(1),
      serverCpuMicros.toFixed(0),
      factor(server.p50, plainMs),
      factor(server.p99, serverTargetMs),
      factor(client.p99, clientTargetMs),
    ]),
  );
  printLine();
  printLine(
    "Server times are query_duration; client times include gRPC. " +
      `A plain JavaScript loop over as many vectors takes ${plainMs.toFixed(2)} ms.`,
  );
  const targets = { serverTargetMs, clientTargetMs };
  saveResults("skills", { skills: count, calls, plainScanMs: plainMs, ...targets, figures });
}

async function storeAll({ skills }: BenchClient, texts: readonly string[]): Promise<void> {
  for (let i = 0; i < texts.length; i += concurrentStores) {
    await Promise.all(
      texts
        .slice(i, i + concurrentStores)
        .map((text) => skills.storeSkill({ namespace, ...contextAndLesson(text) })),
    );
  }
}

/** Splits a text into its first half and the rest. */
function contextAndLesson(text: string): { context: string; lesson: string } {
  const words = text.split(" ");
  const half = words.length / 2;
  return { context: words.slice(0, half).join(" "), lesson: words.slice(half).join(" ") };
}

async function retrieve(
  { skills }: BenchClient,
  queries: readonly string[],
  fields: { readonly minSimilarity?: number },
  calls: number,
): Promise<Omit<RetrievalFigures, "serverCpuMicros">> {
  const serverMs: number[] = [];
  const clientMs: number[] = [];
  let skillCount = 0;
  for (let i = 0; i < calls; i++) {
    const query = queries[i % queries.length] ?? "";
    const beganMs = performance.now();
    const response = await skills.retrieveSkills({ namespace, query, ...fields });
    clientMs.push(performance.now() - beganMs);
    serverMs.push(millisOf(response.queryDuration));
    skillCount += response.skills.length;
  }
  return {
    server: percentilesOf(serverMs),
    client: percentilesOf(clientMs),
    meanSkills: skillCount / calls,
  };
}

function percentilesOf(times: number[]): Percentiles {
  return { p50: percentile(times, 50), p99: percentile(times, 99), max: percentile(times, 100) };
}
