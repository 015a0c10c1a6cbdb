/**
 * What do many namespaces cost, if their indexes do not all fit into RAM? Searches namespaces whose
 * popularity falls as in Zipf's law, and then every namespace once after a restart.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openStaticEmbedder } from "../src/embed/static/static-embedder.js";
import { openLevelStore } from "../src/store/level/level-store.js";
import { systemClock } from "../src/system/clock.js";
import { withCallers } from "./harness/callers.js";
import { type BenchClient, connectTo } from "./harness/client.js";
import { fillNamespace } from "./harness/fill-store.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { randomNumbers, sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const usage = `Usage: npm run bench:tenants -- [--namespaces 1000] [--size 200] [--calls 5000]
                                [--index-max-bytes 64MiB] [--keep <folder>] [--project <folder>]

--keep     stores the data folder here, and reuses the folder of an earlier run
--project  measures the built server of another checkout`;

/** Calls in flight. */
const callers = 4;
/** Calls before the measurement, so that the measured code is compiled. */
const warmUpCalls = 500;

/** The cost of searches in one run of a server. */
interface Figures {
  readonly run: string;
  readonly calls: number;
  /** CPU time of the server, in milliseconds. */
  readonly cpuMsPerCall: number;
  readonly callsPerSecond: number;
  /** Growth of the resident memory, in bytes. */
  readonly grownBytes: number;
}

const { values } = parseArgs({
  options: {
    namespaces: { type: "string", default: "1000" },
    size: { type: "string", default: "200" },
    calls: { type: "string", default: "5000" },
    "index-max-bytes": { type: "string", default: "64MiB" },
    keep: { type: "string" },
    project: { type: "string", default: "." },
    help: { type: "boolean", default: false },
  },
});
const count = Number(values.namespaces);
const callCount = Number(values.calls);
const flags = ["--index-max-bytes", values["index-max-bytes"]];
const queries = sampleQueries(sampleTexts(1_000, 1), 2);

if (values.help) printLine(usage);
else {
  printMachine();
  using temporary = values.keep === undefined ? createTemporaryFolder() : undefined;
  const data = join(temporary?.path ?? values.keep ?? "", "tenants");
  if (!existsSync(data)) await fill(data);
  const all = Array.from({ length: count }, (_, number) => number);
  report([
    await measure(data, "by popularity", zipfNumbers(callCount + warmUpCalls), warmUpCalls),
    await measure(data, "each once, after a restart", all, 0),
  ]);
}

/**
 * Fills a folder under another name, so that an interrupted run leaves no folder that looks
 * complete.
 */
async function fill(data: string): Promise<void> {
  const part = `${data}.part`;
  rmSync(part, { recursive: true, force: true });
  const embedder = await openStaticEmbedder({ folder: join("models", "static-256") });
  const store = await openLevelStore({ folder: part, clock: systemClock });
  for (let number = 0; number < count; number++)
    await fillNamespace(
      store,
      namespaceOf(number),
      sampleMemories(Number(values.size), number + 1),
      embedder,
    );
  await store.close();
  renameSync(part, data);
}

function namespaceOf(number: number) {
  return { userId: `user-${number}`, agentId: "bench" };
}

/** Returns numbers of namespaces: number n is as frequent as 1 / (n + 1). */
function zipfNumbers(length: number): readonly number[] {
  const random = randomNumbers(7);
  const sums: number[] = [];
  for (let number = 0; number < count; number++) sums.push((sums.at(-1) ?? 0) + 1 / (number + 1));
  const total = sums.at(-1) ?? 0;
  return Array.from({ length }, () => {
    const wanted = random() * total;
    return sums.findIndex((sum) => sum >= wanted);
  });
}

/** Searches namespaces. The first `unmeasured` calls do not count. */
async function measure(
  data: string,
  run: string,
  numbers: readonly number[],
  unmeasured: number,
): Promise<Figures> {
  await using server = await startServer(data, flags, { project: values.project });
  using client = connectTo(server.grpcAddress);
  // This call opens the connection, so that the measured calls do not include that.
  await client.memories.getAll({ namespace: { userId: "nobody", agentId: "bench" } });
  const before = server.residentBytes();
  await search(client, numbers.slice(0, unmeasured));
  const measured = numbers.slice(unmeasured);
  const { cpuMs, wallMs } = await timed(server, () => search(client, measured));
  return {
    run,
    calls: measured.length,
    cpuMsPerCall: cpuMs / measured.length,
    callsPerSecond: (measured.length / wallMs) * 1000,
    grownBytes: server.residentBytes() - before,
  };
}

async function timed(server: ServerProcess, work: () => Promise<void>) {
  const cpuBefore = server.cpuMicros();
  const began = performance.now();
  await work();
  return {
    wallMs: performance.now() - began,
    cpuMs: (server.cpuMicros() - cpuBefore) / 1000,
  };
}

async function search({ memories }: BenchClient, numbers: readonly number[]): Promise<void> {
  await withCallers(callers, numbers.entries(), async ([at, number]) => {
    const query = queries[at % queries.length] ?? "";
    for await (const _message of memories.search({ namespace: namespaceOf(number), query })) {
      // The hits do not matter, only the cost.
    }
  });
}

function report(results: readonly Figures[]): void {
  printTable(
    ["searches", "calls", "server CPU ms a call", "calls a second", "RAM grown by, MB"],
    results.map(({ run, calls, cpuMsPerCall, callsPerSecond, grownBytes }) => [
      run,
      calls.toLocaleString("en"),
      cpuMsPerCall.toFixed(2),
      callsPerSecond.toFixed(0),
      (grownBytes / 1e6).toFixed(0),
    ]),
  );
  saveResults("tenants", { results });
}
