/**
 * Does a server with far too many callers still do useful work?
 *
 * Compares searches by 50 callers with searches by 5,000 callers. The server works on at most 1,000
 * calls at the same time, and refuses other calls. A refused caller waits as long as the server
 * tells it to. Then the benchmark measures the first searches after the overload. The load
 * generator is a process of its own.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { startChildProgram } from "./load/child-program.js";
import { loadedCalls, readers } from "./load/loaded-calls.js";
import type { OverloadFigures, OverloadRun } from "./load/overload-client.js";

/** Calls that the server works on at the same time. See docs/operations.md. */
const callsInFlightMax = 1_000;
const peakCallers = 50;
const overloadCallers = 5 * callsInFlightMax;
/** Callers of one connection. */
const callersPerConnection = 100;
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
  const run = (callers: number, runSeconds: number) =>
    load.ask({
      address: server.grpcAddress,
      path: search.path,
      requests: search.requests(2_000, 1),
      connections: Math.ceil(callers / callersPerConnection),
      callers,
      seconds: runSeconds,
    });
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
  report({ peak, overload, before, first, after: await searches(searchOnce) });
}

/** Returns the median time of some searches in milliseconds. */
async function searches(searchOnce: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < searchesAfter; i++) times.push(await searchOnce());
  return times.sort((a, b) => a - b)[searchesAfter >> 1] as number;
}

interface Figures {
  readonly peak: OverloadFigures;
  readonly overload: OverloadFigures;
  /** Median time of a search before the load, in milliseconds. */
  readonly before: number;
  /** The time of the first search after the overload, and the median of the next ones. */
  readonly first: number;
  readonly after: number;
}

function report(figures: Figures): void {
  const { peak, overload, before, first, after } = figures;
  printLine(`Searches of 1,000 memories for ${seconds} seconds`);
  printTable(
    ["callers", "answered/s", "/ peak", "refused/s", "other failures", "p50 ms", "p99 ms"],
    [
      { callers: peakCallers, ...peak },
      { callers: overloadCallers, ...overload },
    ].map((row) => [
      row.callers.toLocaleString("en"),
      row.answeredPerSecond.toFixed(0),
      factor(row.answeredPerSecond, peak.answeredPerSecond),
      row.refusedPerSecond.toFixed(0),
      String(row.otherFailures),
      row.medianMs.toFixed(0),
      row.p99Ms.toFixed(0),
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
