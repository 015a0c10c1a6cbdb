/**
 * How long does a server take from its start to the line that says it accepts calls, with how much
 * CPU, and how much memory does it hold then?
 *
 * The baseline is a program that only listens with grpc-js.
 */
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { medianOf } from "./harness/cost.js";
import { cpuMicrosOf, residentBytesOf } from "./harness/process-figures.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import type { BareReply } from "./load/call-stream.js";
import { startChildProgram } from "./load/child-program.js";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, before: { type: "string" } },
});
const rounds = Number(values.rounds);
const memories = 1_000;

/** What one start took. */
interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly residentMiB: number;
}

printMachine();
using folder = createTemporaryFolder();
const kinds: readonly (readonly [string, () => Promise<Start>])[] = [
  ["grpc-js alone", startBare],
  ["server, empty folder", () => start("empty")],
  [`server, ${memories.toLocaleString("en")} memories`, () => start("filled")],
  ...(values.before === undefined
    ? []
    : ([["server before, empty folder", () => start("empty", values.before)]] as const)),
];
await fill("filled");
const figures = kinds.map(([name]) => ({ name, starts: [] as Start[] }));
for (let round = 0; round < rounds; round++)
  for (const [at, [, measure]] of kinds.entries()) figures[at]?.starts.push(await measure());
report();

async function startBare(): Promise<Start> {
  const startMs = performance.now();
  await using program = startChildProgram<readonly BareReply[], number>("bare-server");
  await program.ask([]);
  return figuresOf(startMs, cpuMicrosOf(program.pid), residentBytesOf(program.pid));
}

async function start(data: string, project = "."): Promise<Start> {
  const startMs = performance.now();
  await using server = await startServer(join(folder.path, data), [], {
    project: resolve(project),
  });
  return figuresOf(startMs, server.cpuMicros(), server.residentBytes());
}

function figuresOf(startMs: number, cpuMicros: number, residentBytes: number): Start {
  return {
    wallMs: performance.now() - startMs,
    cpuMs: cpuMicros / 1_000,
    residentMiB: residentBytes / 1024 ** 2,
  };
}

async function fill(data: string): Promise<void> {
  await using server = await startServer(join(folder.path, data));
  using client = connectTo(server.grpcAddress);
  const namespace = { userId: "ann", agentId: "bench" };
  await addAll(
    client,
    sampleTexts(memories, 1).map((content) => ({ namespace, content })),
  );
}

function report(): void {
  const baseline = figures[0]?.starts ?? [];
  printLine(`Medians of ${rounds} starts.`);
  printTable(
    ["", "ms to ready", "/ alone", "CPU ms", "/ alone", "resident MiB"],
    figures.map(({ name, starts }) => [
      name,
      medianOf(starts, ({ wallMs }) => wallMs).toFixed(0),
      factor(
        medianOf(starts, ({ wallMs }) => wallMs),
        medianOf(baseline, ({ wallMs }) => wallMs),
      ),
      medianOf(starts, ({ cpuMs }) => cpuMs).toFixed(0),
      factor(
        medianOf(starts, ({ cpuMs }) => cpuMs),
        medianOf(baseline, ({ cpuMs }) => cpuMs),
      ),
      medianOf(starts, ({ residentMiB }) => residentMiB).toFixed(0),
    ]),
  );
  saveResults("start", { rounds, figures });
}
