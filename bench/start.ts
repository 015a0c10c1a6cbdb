/**
 * How long does a server take to start? Measures the time from the start of the process to the line
 * that says that it accepts calls, and to the reply to an Add that is sent after this line. Also
 * measures the CPU until the process is at rest, and its memory at rest.
 *
 * The baseline is a program that only listens with grpc-js. With `--embedder`, the servers use
 * another embedder.
 */
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { medianOf } from "./harness/cost.js";
import { cpuMicrosOf, residentBytesOf } from "./harness/process-figures.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { startBaseline } from "./load/baseline.js";

const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "local" },
    rounds: { type: "string", default: "7" },
    before: { type: "string" },
  },
});
/** The flags of the servers that choose the embedder. */
const embedder = ["--embedder", values.embedder];
const rounds = Number(values.rounds);
const memories = 1_000;
const namespace = { userId: "ann", agentId: "bench" };

/** A process is at rest when it has used no CPU for this time. */
const restMs = 200;

/** The figures of one start. */
interface Start {
  readonly readyMs: number;
  /** From the start to the reply. `NaN`: the program answers no Add. */
  readonly firstReplyMs: number;
  readonly readyCpuMs: number;
  /** CPU time until the process is at rest. */
  readonly cpuMs: number;
  /** Resident memory at rest. */
  readonly residentMiB: number;
}

/** A process whose figures the benchmark reads. */
interface Measured {
  readonly cpuMicros: () => number;
  readonly residentBytes: () => number;
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
  await using program = startBaseline();
  await program.ask([]);
  return await figuresOf(startMs, {
    cpuMicros: () => cpuMicrosOf(program.pid),
    residentBytes: () => residentBytesOf(program.pid),
  });
}

async function start(data: string, project = "."): Promise<Start> {
  const startMs = performance.now();
  await using server = await startServer(join(folder.path, data), embedder, {
    project: resolve(project),
  });
  return await figuresOf(startMs, server, async () => {
    using client = connectTo(server.grpcAddress);
    await client.memories.add({ namespace, content: sampleTexts(1, 2)[0] ?? "" });
  });
}

/** @param call the first call that the program answers */
async function figuresOf(
  startMs: number,
  { cpuMicros, residentBytes }: Measured,
  call?: () => Promise<void>,
): Promise<Start> {
  const readyMs = performance.now() - startMs;
  const readyCpuMs = cpuMicros() / 1_000;
  await call?.();
  const firstReplyMs = call === undefined ? Number.NaN : performance.now() - startMs;
  let cpuMs = readyCpuMs;
  for (let before = -1; before !== cpuMs; ) {
    before = cpuMs;
    await delay(restMs);
    cpuMs = cpuMicros() / 1_000;
  }
  return { readyMs, firstReplyMs, readyCpuMs, cpuMs, residentMiB: residentBytes() / 1024 ** 2 };
}

async function fill(data: string): Promise<void> {
  await using server = await startServer(join(folder.path, data), embedder);
  using client = connectTo(server.grpcAddress);
  await addAll(
    client,
    sampleTexts(memories, 1).map((content) => ({ namespace, content })),
  );
}

function report(): void {
  const baseline = figures[0]?.starts ?? [];
  printLine(`Medians of ${rounds} starts.`);
  printTable(
    [
      "",
      "ms to ready",
      "/ alone",
      "ms to the first reply",
      "CPU ms to ready",
      "/ alone",
      "CPU ms to rest",
      "resident MiB at rest",
    ],
    figures.map(({ name, starts }) => {
      const median = (of: (start: Start) => number) => medianOf(starts, of);
      const share = (of: (start: Start) => number) => factor(median(of), medianOf(baseline, of));
      const firstReplyMs = median((it) => it.firstReplyMs);
      return [
        name,
        median((it) => it.readyMs).toFixed(0),
        share((it) => it.readyMs),
        Number.isNaN(firstReplyMs) ? "-" : firstReplyMs.toFixed(0),
        median((it) => it.readyCpuMs).toFixed(0),
        share((it) => it.readyCpuMs),
        median((it) => it.cpuMs).toFixed(0),
        median((it) => it.residentMiB).toFixed(0),
      ];
    }),
  );
  saveResults("start", { rounds, figures });
}
