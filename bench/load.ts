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
import { findGhz, type LoadFigures, runGhz } from "./load/ghz.js";
import { protosetOf } from "./load/protoset.js";

/** Memories in each namespace as the run begins. */
const memoryCount = 1000;
const inFlight = 50;
/** Calls before each measurement, so that what is measured has been compiled. */
const warmUpCalls = 3000;

const { values } = parseArgs({ options: { calls: { type: "string", default: "10000" } } });

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

report(await measure(findGhz(), Number(values.calls)));

async function measure(ghz: string, calls: number): Promise<readonly CallFigures[]> {
  printMachine();
  using folder = createTemporaryFolder();
  const protosetFile = join(folder.path, "vademecum.protoset");
  writeFileSync(protosetFile, protosetOf([MemoryProvider.file, Health.file]));
  const requestsFile = join(folder.path, "requests.json");
  await using server = await startServer(join(folder.path, "data"));
  const listeners = { "grpc-js": server.grpcAddress, "connect-node": server.httpAddress };
  const figures: CallFigures[] = [];
  for (const [listener, address] of Object.entries(listeners)) {
    for (const { name, method, requests, warmUpRequests = requests } of await prepare(server, listener, calls)) {
      const run = { address, method, requestsFile, inFlight };
      writeFileSync(requestsFile, JSON.stringify(warmUpRequests));
      await runGhz(ghz, protosetFile, { ...run, calls: warmUpCalls });
      writeFileSync(requestsFile, JSON.stringify(requests));
      const cpuMicrosBefore = server.cpuMicros();
      const seen = await runGhz(ghz, protosetFile, { ...run, calls });
      figures.push({ listener, call: name, ...seen, serverCpuMicros: (server.cpuMicros() - cpuMicrosBefore) / calls });
    }
  }
  return figures;
}

/** Fills a namespace to read from and one to write to, and makes the requests. */
async function prepare(server: ServerProcess, listener: string, calls: number): Promise<readonly CallKind[]> {
  const reads = { userId: `reads-${listener}`, agentId: "bench" };
  const writes = { userId: `writes-${listener}`, agentId: "bench" };
  const texts = sampleTexts(memoryCount, 1);
  using client = connectTo(server.grpcAddress);
  for (const namespace of [reads, writes]) {
    await addAll(
      client,
      texts.map((content) => ({ namespace, content })),
    );
  }
  const searches = sampleQueries(texts, 2).map((query) => ({ namespace: reads, query, limit: 5 }));
  const adds = (count: number, seed: number) => sampleTexts(count, seed).map((content) => ({ namespace: writes, content }));
  return [
    { name: "Check", method: methodName(Health, "check"), requests: [{}] },
    { name: "Search", method: methodName(MemoryProvider, "search"), requests: searches },
    { name: "Recall", method: methodName(MemoryProvider, "recall"), requests: searches.map((search) => ({ search })) },
    { name: "GetAll", method: methodName(MemoryProvider, "getAll"), requests: [{ namespace: reads }] },
    { name: "Add", method: methodName(MemoryProvider, "add"), requests: adds(calls, 3), warmUpRequests: adds(warmUpCalls, 4) },
  ];
}

/** The name by which ghz finds a method. */
function methodName<S extends DescService>(service: S, method: keyof S["method"] & string): string {
  return `${service.typeName}/${service.method[method]?.name}`;
}

function report(all: readonly CallFigures[]): void {
  printLine(
    `${memoryCount.toLocaleString("en")} memories of about 30 tokens, ${inFlight} calls in flight over one connection; Search and Recall return 5 hits`,
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
