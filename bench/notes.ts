/**
 * How long do calls about the keys of a run take through the server, with few keys and with many?
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { withCallers } from "./harness/callers.js";
import { percentile } from "./harness/cost.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const runId = "bench";
const sizes = [1_000, 10_000];
const value = "v".repeat(200);
const warmUpCalls = 20;
/** How often each call is measured: calls about one key, then calls that read all keys. */
const shortCalls = 500;
const longCalls = 200;

/** Latencies in microseconds. */
interface CallFigures {
  readonly call: string;
  readonly keys: number;
  readonly p50: number;
  readonly p99: number;
  readonly mapP50: number;
}

/** A call to the server, and the same operation on a Map in this process. */
interface MeasuredCall {
  readonly call: string;
  readonly times: number;
  readonly ask: (i: number) => Promise<unknown>;
  readonly onMap: (i: number) => unknown;
}

printMachine();
const figures: CallFigures[] = [];
for (const size of sizes) figures.push(...(await measure(size)));
printLine(
  "Calls one after another over one connection. Values of 200 bytes. " +
    "Every write is synced to disk before its reply.",
);
printTable(
  ["", "keys", "p50 us", "p99 us", "Map p50 us", "p50 / Map"],
  figures.map(({ call, keys, p50, p99, mapP50 }) => [
    call,
    keys.toLocaleString("en"),
    p50.toFixed(0),
    p99.toFixed(0),
    mapP50.toFixed(2),
    (p50 / mapP50).toFixed(0),
  ]),
);
saveResults("notes", { figures });

async function measure(size: number): Promise<CallFigures[]> {
  using folder = createTemporaryFolder();
  await using server = await startServer(join(folder.path, "data"), ["--embedder", "none"]);
  const baseUrl = `http://${server.grpcAddress}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  const notes = createClient(KeyValueService, createGrpcTransport({ baseUrl, sessionManager }));
  const map = new Map(Array.from({ length: size }, (_, i) => [keyOf(i), value]));
  await withCallers(64, map, ([key, content]) => notes.writeKey({ runId, key, value: content }));
  const results: CallFigures[] = [];
  for (const call of callsOf(notes, map, size))
    results.push({ ...(await timesOf(call)), keys: size });
  sessionManager.abort();
  return results;
}

function keyOf(i: number): string {
  return `note ${i} of the agent`;
}

/**
 * Returns the calls to measure. Only the last call, DeleteKey, removes keys, so all calls before it
 * run with `size` keys.
 */
function callsOf(
  notes: Client<typeof KeyValueService>,
  map: Map<string, string>,
  size: number,
): readonly MeasuredCall[] {
  // A stride that visits the keys in a scattered order.
  const scatteredKey = (i: number) => keyOf((i * 7919) % size);
  return [
    {
      call: "WriteKey",
      times: shortCalls,
      ask: (i) => notes.writeKey({ runId, key: scatteredKey(i), value: `${value}${i}` }),
      onMap: (i) => map.set(scatteredKey(i), `${value}${i}`),
    },
    {
      call: "ReadKey",
      times: shortCalls,
      ask: (i) => notes.readKey({ runId, key: scatteredKey(i) }),
      onMap: (i) => map.get(scatteredKey(i)),
    },
    {
      call: "ListKeys",
      times: longCalls,
      ask: () => notes.listKeys({ runId }),
      onMap: () => [...map.keys()],
    },
    {
      call: "SearchKeys",
      times: longCalls,
      ask: (i) => notes.searchKeys({ runId, pattern: `note ${i} ` }),
      onMap: (i) => [...map.keys()].filter((key) => key.includes(`note ${i} `)),
    },
    {
      call: "DeleteKey",
      times: shortCalls,
      ask: (i) => notes.deleteKey({ runId, key: scatteredKey(i) }),
      onMap: (i) => map.delete(scatteredKey(i)),
    },
  ];
}

async function timesOf({
  call,
  times,
  ask,
  onMap,
}: MeasuredCall): Promise<Omit<CallFigures, "keys">> {
  const callTimes: number[] = [];
  const mapTimes: number[] = [];
  for (let i = 0; i < warmUpCalls + times; i++) {
    const beganMs = performance.now();
    await ask(i);
    const repliedMs = performance.now();
    onMap(i);
    const endedMs = performance.now();
    if (i < warmUpCalls) continue;
    callTimes.push((repliedMs - beganMs) * 1000);
    mapTimes.push((endedMs - repliedMs) * 1000);
  }
  return {
    call,
    p50: percentile(callTimes, 50),
    p99: percentile(callTimes, 99),
    mapP50: percentile(mapTimes, 50),
  };
}
