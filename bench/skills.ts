/** How long does it take to retrieve skills through the server, and what would comparing their vectors in plain JavaScript alone take? */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { type BenchClient, connectTo } from "./harness/client.js";
import { percentile } from "./harness/cost.js";
import { measurePlainScan } from "./harness/plain-scan.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { sampleVectors } from "./harness/sample-vectors.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const namespace = { userId: "ada", agentId: "bench" };

/** What the bundled model makes. */
const dimension = 256;

/** The latency that the source document asks for at 1,000 skills. */
const sourceMs = 200;

/** Skills stored at the same time: one synced write takes many. */
const storedAtOnce = 50;

const warmUpCalls = 1000;

const { values } = parseArgs({
  options: { skills: { type: "string", default: "1000" }, calls: { type: "string", default: "5000" } },
});

/** What calls of one kind took, one after another, from the client's side. */
interface RetrievalFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly meanSkills: number;
  /** CPU time of the server for each call, all threads, writing of times included. */
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
    const seen = await retrieve(client, queries, fields, calls);
    figures[name] = { ...seen, serverCpuMicros: (server.cpuMicros() - cpuMicrosBefore) / calls };
  }
  const plainMs = measurePlainScan(count, sampleVectors(100, dimension, 3)).median / 1000;
  printTable(
    [
      `RetrieveSkills of ${count.toLocaleString("en")}`,
      "p50 ms",
      "p99 ms",
      "longest ms",
      "skills",
      "server CPU us",
      "p50 / plain loop",
      "p99 / 200 ms",
    ],
    Object.entries(figures).map(([name, { p50Ms, p99Ms, maxMs, meanSkills, serverCpuMicros }]) => [
      name,
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      maxMs.toFixed(1),
      meanSkills.toFixed(1),
      serverCpuMicros.toFixed(0),
      factor(p50Ms, plainMs),
      factor(p99Ms, sourceMs),
    ]),
  );
  printLine();
  printLine(
    `Times are those of the client, over gRPC. A loop over the same number of vectors in plain JavaScript: ${plainMs.toFixed(2)} ms.`,
  );
  saveResults("skills", { skills: count, calls, plainScanMs: plainMs, sourceMs, figures });
}

async function storeAll({ skills }: BenchClient, texts: readonly string[]): Promise<void> {
  for (let i = 0; i < texts.length; i += storedAtOnce) {
    await Promise.all(texts.slice(i, i + storedAtOnce).map((text) => skills.storeSkill({ namespace, ...contextAndLesson(text) })));
  }
}

/** The first half of a text, and the rest. */
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
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < calls; i++) {
    const query = queries[i % queries.length] ?? "";
    const beganMs = performance.now();
    const response = await skills.retrieveSkills({ namespace, query, ...fields });
    times.push(performance.now() - beganMs);
    found += response.skills.length;
  }
  return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99), maxMs: percentile(times, 100), meanSkills: found / calls };
}
