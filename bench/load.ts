/**
 * How many calls per second does a server answer, and how much CPU does a call take? Measured on
 * both listeners, and compared with a handler that does nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { DescService } from "@bufbuild/protobuf";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { addAll, connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { findGhz, installHint, type LoadFigures, runGhz } from "./load/ghz.js";
import { protosetOf } from "./load/protoset.js";

/** Memories in each namespace at the start of the run. */
const memoryCount = 1000;
const inFlight = 50;
/** Calls before each measurement, so that the measured code is compiled. */
const warmUpCalls = 2000;

const texts = sampleTexts(memoryCount, 1);
const reader = { userId: "reader", agentId: "bench" };
/** Adds rotate over these namespaces, so that none grows much during the measurement. */
const writers = Array.from({ length: 10 }, (_, index) => ({
  userId: `writer ${index}`,
  agentId: "bench",
}));

const { values } = parseArgs({ options: { calls: { type: "string", default: "5000" } } });

/** The cost of one kind of call on one listener. */
interface CallFigures extends LoadFigures {
  readonly listener: string;
  readonly call: string;
  /** CPU time of the server, over all threads. */
  readonly serverCpuMicros: number;
}

/** A kind of call. The first kind is the baseline. */
interface CallKind {
  readonly name: string;
  readonly method: string;
  /** The requests, which ghz repeats in this order. */
  readonly requests: readonly object[];
  /** Other requests for warming up, when calls must not be repeated. Default: `requests`. */
  readonly warmUpRequests?: readonly object[];
}

const ghz = findGhz();
if (ghz === undefined) {
  printLine(installHint);
  process.exitCode = 1;
} else {
  report(await measure(ghz, Number(values.calls)));
}

async function measure(program: string, calls: number): Promise<readonly CallFigures[]> {
  printMachine();
  using folder = createTemporaryFolder();
  const protosetFile = join(folder.path, "vademecum.protoset");
  writeFileSync(protosetFile, protosetOf([MemoryProvider.file, Health.file]));
  const requestsFile = join(folder.path, "requests.json");
  await using server = await startServer(join(folder.path, "data"));
  await fill(server);
  const listeners = [
    { listener: "grpc-js", address: server.grpcAddress },
    { listener: "connect-node", address: server.httpAddress },
  ];
  const figures: CallFigures[] = [];
  for (const [index, { listener, address }] of listeners.entries()) {
    for (const { name, method, requests, warmUpRequests = requests } of callKinds(calls, index)) {
      const run = { address, method, requestsFile, inFlight };
      writeFileSync(requestsFile, JSON.stringify(warmUpRequests));
      await runGhz(program, protosetFile, { ...run, calls: warmUpCalls });
      writeFileSync(requestsFile, JSON.stringify(requests));
      const cpuMicrosBefore = server.cpuMicros();
      const loadFigures = await runGhz(program, protosetFile, { ...run, calls });
      figures.push({
        listener,
        call: name,
        ...loadFigures,
        serverCpuMicros: (server.cpuMicros() - cpuMicrosBefore) / calls,
      });
    }
  }
  return figures;
}

async function fill(server: ServerProcess): Promise<void> {
  using client = connectTo(server.grpcAddress);
  for (const namespace of [reader, ...writers]) {
    await addAll(
      client,
      texts.map((content) => ({ namespace, content })),
    );
  }
}

/** Returns the calls to measure. Another `round` adds other texts. */
function callKinds(calls: number, round: number): readonly CallKind[] {
  const searches = sampleQueries(texts, 2).map((query) => ({ namespace: reader, query, limit: 5 }));
  const adds = sampleTexts(warmUpCalls + calls, 3 + round).map((content, index) => ({
    namespace: writers[index % writers.length],
    content,
  }));
  return [
    { name: "Check", method: methodName(Health, "check"), requests: [{}] },
    { name: "Search", method: methodName(MemoryProvider, "search"), requests: searches },
    {
      name: "Recall",
      method: methodName(MemoryProvider, "recall"),
      requests: searches.map((search) => ({ search })),
    },
    {
      name: "GetAll",
      method: methodName(MemoryProvider, "getAll"),
      requests: [{ namespace: reader }],
    },
    {
      name: "Add",
      method: methodName(MemoryProvider, "add"),
      requests: adds.slice(warmUpCalls),
      warmUpRequests: adds.slice(0, warmUpCalls),
    },
  ];
}

/** Returns the name that ghz uses for a method. */
function methodName<S extends DescService>(service: S, method: keyof S["method"] & string): string {
  return `${service.typeName}/${service.method[method]?.name}`;
}

function report(all: readonly CallFigures[]): void {
  printLine(
    `${memoryCount.toLocaleString("en")} memories of about 30 tokens in a namespace, ` +
      `${inFlight} calls in flight over one connection. ` +
      "Search and Recall return 5 hits, GetAll 10 memories.",
  );
  printTable(
    ["", "calls/s", "p50 ms", "p99 ms", "server CPU us per call", "calls/s / Check", "CPU / Check"],
    all.map((one) => {
      const check = all.find(({ listener }) => listener === one.listener) ?? one;
      return [
        `${one.listener} ${one.call}`,
        one.callsPerSecond.toFixed(0),
        one.medianMs.toFixed(1),
        one.p99Ms.toFixed(1),
        one.serverCpuMicros.toFixed(0),
        factor(one.callsPerSecond, check.callsPerSecond),
        factor(one.serverCpuMicros, check.serverCpuMicros),
      ];
    }),
  );
  saveResults("load", { memoryCount, inFlight, calls: all });
}
