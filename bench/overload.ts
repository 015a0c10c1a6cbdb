/**
 * Does a server with far too many callers still do useful work?
 *
 * Compares searches by 50 callers with searches by 5,000 callers, and with searches by 50 callers
 * beside 800 calls of clients that read nothing of their replies. The server works on about 1,000
 * calls at the same time, and refuses other calls. A refused caller waits as long as the server
 * tells it to. During each load, health checks are timed. Then the benchmark measures the first
 * searches after the load. The load generator is a process of its own.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { GetAllRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { addAll, connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { asIs } from "./load/as-is.js";
import { startChildProgram } from "./load/child-program.js";
import { loadedCalls, readers } from "./load/loaded-calls.js";
import type { OverloadFigures, OverloadRun } from "./load/overload-client.js";
import { startSlowReaders } from "./load/slow-readers.js";

/** Calls that the server works on at the same time. See docs/operate/operations.md. */
const callsInFlightMax = 1_000;
const peakCallers = 50;
const overloadCallers = 5 * callsInFlightMax;
/** Callers of one connection. */
const callersPerConnection = 100;
/** Calls of clients that read nothing, over four connections. */
const slowCalls = 800;
const slowConnections = 4;
/** Time between two health checks, in milliseconds. */
const healthEveryMs = 50;
/** Searches after the overload, one after another. */
const searchesAfter = 20;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const seconds = Number(values.seconds);

printMachine();
await measure();

async function measure(): Promise<void> {
  using folder = createTemporaryFolder();
  await using server = await startServer(join(folder.path, "data"));
  await using load = startChildProgram<OverloadRun, OverloadFigures>("overload-client");
  const [{ namespace, memories }] = readers as [(typeof readers)[number]];
  using client = connectTo(server.grpcAddress);
  await addAll(
    client,
    sampleTexts(memories, 1).map((content) => ({ namespace, content })),
  );
  const [search] = loadedCalls() as [ReturnType<typeof loadedCalls>[number]];
  const run = async (callers: number, runSeconds: number): Promise<RunFigures> => {
    const health = checkHealth(server.grpcAddress);
    const figures = await load.ask({
      address: server.grpcAddress,
      path: search.path,
      requests: search.requests(2_000, 1),
      connections: Math.ceil(callers / callersPerConnection),
      callers,
      seconds: runSeconds,
    });
    return { ...figures, healthMaxMs: await health.end() };
  };
  const searchOnce = async (): Promise<number> => {
    const began = performance.now();
    for await (const _ of client.memories.search({ namespace, query: "a search", limit: 5 }));
    return performance.now() - began;
  };
  await run(peakCallers, Math.min(5, seconds));
  const before = await searches(searchOnce);
  const peak = await run(peakCallers, seconds);
  const overload = await run(overloadCallers, seconds);
  const first = await searchOnce();
  const after = await searches(searchOnce);
  const slow = await runBesideSlowReaders(server.grpcAddress, namespace, () =>
    run(peakCallers, seconds),
  );
  report({ peak, overload, slow, before, first, after });
}

/** Measures a load while clients have calls open whose replies they do not read. */
async function runBesideSlowReaders<T>(
  address: string,
  namespace: { readonly userId: string; readonly agentId: string },
  run: () => Promise<T>,
): Promise<T> {
  const request = toBinary(
    GetAllRequestSchema,
    create(GetAllRequestSchema, { namespace, limit: 1_000 }),
  );
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(request.byteLength, 1);
  using _readers = startSlowReaders({
    address,
    path: "/vademecum.v1.MemoryProvider/GetAll",
    frame: Buffer.concat([prefix, request]),
    connections: slowConnections,
    calls: slowCalls / slowConnections,
  });
  return await run();
}

/** Checks the health again and again until `end`, which returns the longest time of a check. */
function checkHealth(address: string): { end(): Promise<number> } {
  const client = new Client(address, credentials.createInsecure());
  let isOver = false;
  let maxMs = 0;
  const check = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sentMs = performance.now();
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        asIs,
        asIs,
        Buffer.alloc(0),
        (error) => {
          maxMs = Math.max(maxMs, performance.now() - sentMs);
          if (error === null) resolve();
          else reject(error);
        },
      );
    });
  const checks = (async () => {
    while (!isOver) {
      await check();
      await delay(healthEveryMs);
    }
  })();
  return {
    async end() {
      isOver = true;
      await checks;
      client.close();
      return maxMs;
    },
  };
}

/** Returns the median time of some searches in milliseconds. */
async function searches(searchOnce: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < searchesAfter; i++) times.push(await searchOnce());
  return times.sort((a, b) => a - b)[searchesAfter >> 1] as number;
}

interface RunFigures extends OverloadFigures {
  /** Longest time of a health check during the load, in milliseconds. */
  readonly healthMaxMs: number;
}

interface Figures {
  readonly peak: RunFigures;
  readonly overload: RunFigures;
  /** The peak load beside slow readers. */
  readonly slow: RunFigures;
  /** Median time of a search before the load, in milliseconds. */
  readonly before: number;
  /** The time of the first search after the overload, and the median of the next ones. */
  readonly first: number;
  readonly after: number;
}

function report(figures: Figures): void {
  const { peak, overload, slow, before, first, after } = figures;
  printLine(`Searches of 1,000 memories for ${seconds} seconds`);
  printTable(
    [
      "callers",
      "answered/s",
      "/ peak",
      "refused/s",
      "other failures",
      "p50 ms",
      "p99 ms",
      "health max ms",
    ],
    [
      { callers: peakCallers.toLocaleString("en"), ...peak },
      { callers: overloadCallers.toLocaleString("en"), ...overload },
      { callers: `${peakCallers}, and ${slowCalls} unread`, ...slow },
    ].map((row) => [
      row.callers,
      row.answeredPerSecond.toFixed(0),
      factor(row.answeredPerSecond, peak.answeredPerSecond),
      row.refusedPerSecond.toFixed(0),
      String(row.otherFailures),
      row.medianMs.toFixed(0),
      row.p99Ms.toFixed(0),
      row.healthMaxMs.toFixed(0),
    ]),
  );
  printLine();
  printLine("Milliseconds of a single search");
  printTable(
    ["before", "first after the overload", "then", "then / before"],
    [[before.toFixed(1), first.toFixed(1), after.toFixed(1), factor(after, before)]],
  );
  saveResults("overload", figures);
}
