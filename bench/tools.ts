/**
 * How long does a tool wait for a query of each memory type, with 10,000 memories of one agent? And
 * what do five queries in one request cost, compared with the slowest of them alone?
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { addAll, connectTo } from "./harness/client.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const memoryCount = 10_000;
/** Requests before each measurement, so that the measured code is compiled. */
const warmUps = 1_000;
const runs = 500;
const namespace = { userId: "reader", agentId: "bench" };

/**
 * The types, with their share of the memories and the target for a query's p95 on the server, in
 * milliseconds.
 */
const types = [
  { name: "episodic", memoryType: MemoryType.EPISODIC, share: 0.4, targetMs: 100 },
  { name: "semantic", memoryType: MemoryType.SEMANTIC, share: 0.3, targetMs: 100 },
  { name: "conversation", memoryType: MemoryType.CONVERSATION, share: 0.2, targetMs: 50 },
  { name: "scratch_page", memoryType: MemoryType.SCRATCH_PAGE, share: 0.08, targetMs: 50 },
  { name: "working", memoryType: MemoryType.WORKING, share: 0.02, targetMs: 10 },
] as const;

const texts = sampleTexts(memoryCount, 1);
const queries = [...sampleQueries(texts, 2), ...sampleQueries(texts, 3)];
let queryNumber = 0;

/** The latency of a request in milliseconds, on the server and at the client. */
interface Latency {
  readonly serverMs: number;
  readonly clientMs: number;
}

printMachine();
using folder = createTemporaryFolder();
await using server = await startServer(join(folder.path, "data"));
await fill();
const sessionManager = new Http2SessionManager(`http://${server.grpcAddress}`);
const tools = createClient(
  ToolService,
  createGrpcTransport({ baseUrl: `http://${server.grpcAddress}`, sessionManager }),
);
await registerTool(tools);
const figures: ({ readonly name: string; readonly targetMs: number } & ReturnType<
  typeof summary
>)[] = [];
for (const { name, memoryType, targetMs } of types)
  figures.push({ name, targetMs, ...summary(await measure([memoryType])) });
const together = summary(await measure(types.map(({ memoryType }) => memoryType)));
sessionManager.abort();
report();

async function fill(): Promise<void> {
  using client = connectTo(server.grpcAddress);
  await addAll(
    client,
    texts.map((content, at) => ({ namespace, content, memoryType: typeAt(at / memoryCount) })),
  );
}

function typeAt(position: number): MemoryType {
  let end = 0;
  for (const { memoryType, share } of types) {
    end += share;
    if (position < end) return memoryType;
  }
  return MemoryType.WORKING;
}

async function registerTool(client: Client<typeof ToolService>): Promise<void> {
  const memoryAccess = types.map(({ memoryType }) => ({ memoryType, enabled: true }));
  await client.registerTool({ manifest: { toolId: "bench", version: "1", memoryAccess } });
}

/**
 * Sends requests with one query for each type. No text repeats, so no answer comes from a cache.
 */
async function measure(memoryTypes: readonly MemoryType[]): Promise<readonly Latency[]> {
  const latencies: Latency[] = [];
  for (let run = 0; run < warmUps + runs; run++) {
    const request = {
      requestId: `${queryNumber}`,
      toolId: "bench",
      toolVersion: "1",
      userId: namespace.userId,
      agentContext: { agentId: namespace.agentId },
    };
    const typeQueries = memoryTypes.map((memoryType, at) => {
      queryNumber += 1;
      return {
        queryId: `${at}`,
        memoryType,
        queryText: `${queries[queryNumber % queries.length] ?? ""} ${queryNumber}`,
        budgetTokens: 200,
      };
    });
    const startMs = performance.now();
    let serverMs = 0;
    for await (const { result } of tools.queryMemory({ ...request, queries: typeQueries })) {
      serverMs = Math.max(serverMs, result?.searchMetadata?.queryTimeMs ?? 0);
    }
    if (run >= warmUps) latencies.push({ serverMs, clientMs: performance.now() - startMs });
  }
  return latencies;
}

function summary(latencies: readonly Latency[]) {
  const [onServer, atClient] = [
    latencies.map(({ serverMs }) => serverMs),
    latencies.map(({ clientMs }) => clientMs),
  ];
  return {
    serverP50Ms: quantile(onServer, 0.5),
    serverP95Ms: quantile(onServer, 0.95),
    clientP50Ms: quantile(atClient, 0.5),
    clientP95Ms: quantile(atClient, 0.95),
  };
}

function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[
      Math.min(values.length - 1, Math.floor(share * values.length))
    ] ?? Number.NaN
  );
}

function report(): void {
  const ms = (value: number) => value.toFixed(2);
  printLine(
    `${memoryCount.toLocaleString("en")} memories of about 30 tokens of one agent. ` +
      `For each type ${runs} requests with one query, one after another. Times in ms.`,
  );
  printTable(
    ["type", "server p50", "server p95", "target p95", "p95 / target", "client p50", "client p95"],
    figures.map((row) => [
      row.name,
      ms(row.serverP50Ms),
      ms(row.serverP95Ms),
      ms(row.targetMs),
      factor(row.serverP95Ms, row.targetMs),
      ms(row.clientP50Ms),
      ms(row.clientP95Ms),
    ]),
  );
  const slowestP50Ms = Math.max(...figures.map(({ clientP50Ms }) => clientP50Ms));
  const sumP50Ms = figures.reduce((sum, { clientP50Ms }) => sum + clientP50Ms, 0);
  printLine();
  printLine(
    `Five queries in one request, p50 at the client: ${ms(together.clientP50Ms)} ms. ` +
      `The slowest alone: ${ms(slowestP50Ms)} ms ` +
      `(${factor(together.clientP50Ms, slowestP50Ms)}). ` +
      `One after another: ${ms(sumP50Ms)} ms (${factor(together.clientP50Ms, sumP50Ms)}).`,
  );
  saveResults("tools", {
    memories: memoryCount,
    runs,
    types: figures,
    fiveQueries: { ...together, slowestP50Ms, sumP50Ms },
  });
}
