/** How many calls a second does a server answer, and what does a call cost it? On both listeners, against a handler that does nothing. */
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

/** Memories in each namespace as the run begins. */
const memoryCount = 1000;
const inFlight = 50;
/** Calls before each measurement, so that what is measured has been compiled. */
const warmUpCalls = 2000;

const texts = sampleTexts(memoryCount, 1);
const reader = { userId: "reader", agentId: "bench" };
/** Adds go to these in turn, so that no namespace grows much while they are measured. */
const writers = Array.from({ length: 10 }, (_, index) => ({
  userId: `writer ${index}`,
  agentId: "bench",
}));

const { values } = parseArgs({ options: { calls: { type: "string", default: "5000" } } });

/** What a call cost on one listener. */
interface CallFigures extends LoadFigures {
  readonly listener: string;
  readonly call: string;
  /** CPU time of the server, all threads. */
  readonly serverCpuMicros: number;
}

/** A kind of call: the first one is the baseline. */
interface CallKind {
  readonly name: string;
  readonly method: string;
  /** Gone through again and again. */
  readonly requests: readonly object[];
  /** Only where calls must not be repeated. Default: `requests`. */
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
      const seen = await runGhz(program, protosetFile, { ...run, calls });
      figures.push({
        listener,
        call: name,
        ...seen,
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

/** The calls to measure. Another `round` adds other texts. */
function callKinds(calls: number, round: number): readonly CallKind[] {
  const searches = sampleQueries(texts, 2).map((query) => ({ namespace: reader, query, limit: 5 }));
  const added = sampleTexts(warmUpCalls + calls, 3 + round).map((content, index) => ({
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
      requests: added.slice(warmUpCalls),
      warmUpRequests: added.slice(0, warmUpCalls),
    },
  ];
}

/** The name by which ghz finds a method. */
function methodName<S extends DescService>(service: S, method: keyof S["method"] & string): string {
  return `${service.typeName}/${service.method[method]?.name}`;
}

function report(all: readonly CallFigures[]): void {
  printLine(
    `${memoryCount.toLocaleString("en")} memories of about 30 tokens in a namespace, ${inFlight} calls in flight over one connection. Search and Recall return 5 hits, GetAll 10 memories.`,
  );
  printTable(
    ["", "calls/s", "p50 ms", "p99 ms", "server CPU us/call", "calls/s / Check", "CPU / Check"],
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
