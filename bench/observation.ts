/**
 * What do metrics, traces and the audit trail cost a call? Two servers get the same Adds and
 * Searches in alternating pairs: one without all three, and one with `--metrics`, `--audit changes`
 * and traces of 1 % of the calls, which this process takes. A third server, like the first, shows
 * how far two equal servers differ on this machine.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { percentile } from "./harness/cost.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import type { LoadFigures, LoadRun } from "./load/call-stream.js";
import { startChildProgram } from "./load/child-program.js";
import { type LoadedCall, loadedCalls, readers, writers } from "./load/loaded-calls.js";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "3000" },
    pairs: { type: "string", default: "10" },
  },
});
const callsInRun = Number(values.calls);
const pairs = Number(values.pairs);
const load = { connections: 4, inFlight: 50 };

// Takes the traces, and reads none.
const collector = createServer((request, response) =>
  request.resume().on("end", () => response.end()),
);
collector.listen(0, "127.0.0.1");
await once(collector, "listening");
const { port } = collector.address() as AddressInfo;

printMachine();
const rows = await measure();
collector.closeAllConnections();
collector.close();
printLine(
  `${pairs} pairs of ${callsInRun} calls, ${load.inFlight} in flight. CPU a call of the server; ` +
    "more CPU than without, as the median of the pairs, with the interval from the second to the last but one.",
);
printTable(["", "without, us", "equal server", "with all three"], rows);

async function measure(): Promise<readonly (readonly string[])[]> {
  using folder = createTemporaryFolder();
  await using client = startChildProgram<LoadRun, LoadFigures>("load-client");
  await using without = await startServer(join(folder.path, "without"));
  await using equal = await startServer(join(folder.path, "equal"));
  await using withAll = await startServer(join(folder.path, "with"), [
    ...["--metrics", "127.0.0.1:0", "--audit", "changes"],
    ...["--otlp-endpoint", `http://127.0.0.1:${port}`, "--trace-sample", "0.01"],
  ]);
  const servers = [without, equal, withAll];
  for (const server of servers) await fill(server.grpcAddress);
  const wanted = loadedCalls().filter(({ name }) => /^Add|^Search of 1,000/.test(name));
  const results: (readonly string[])[] = [];
  for (const call of wanted) {
    const cpu = await measureCall(client, call, servers);
    results.push([call.name, ...tableOf(cpu)]);
    saveResults(`observation-${call.name.replaceAll(/\W+/g, "-")}`, { cpu });
  }
  return results;
}

/** Returns the CPU time a call of each server in each pair, in microseconds. */
async function measureCall(
  client: { ask(run: LoadRun): Promise<LoadFigures> },
  call: LoadedCall,
  servers: readonly ServerProcess[],
): Promise<readonly (readonly number[])[]> {
  const cpu = servers.map((): number[] => []);
  // Pair 0 is not measured. It warms up.
  for (let pair = 0; pair <= pairs; pair++)
    for (let turn = 0; turn < servers.length; turn++) {
      const at = (turn + pair) % servers.length;
      const server = servers[at] as ServerProcess;
      const { path, isStream } = call;
      const calls = { path, isStream, requests: call.requests(callsInRun, pair) };
      const before = server.cpuMicros();
      await client.ask({ address: server.grpcAddress, calls, ...load });
      if (pair > 0) cpu[at]?.push((server.cpuMicros() - before) / callsInRun);
    }
  return cpu;
}

function tableOf([without = [], ...others]: readonly (readonly number[])[]): readonly string[] {
  const shares = others.map((figures) =>
    figures.map((micros, pair) => (micros / (without[pair] ?? Number.NaN) - 1) * 100),
  );
  return [percentile(without, 50).toFixed(0), ...shares.map(intervalOf)];
}

/** Returns the median, and the interval from the second to the last but one. */
function intervalOf(shares: readonly number[]): string {
  const sorted = shares.toSorted((a, b) => a - b);
  const text = (share = Number.NaN): string => `${share >= 0 ? "+" : ""}${share.toFixed(1)} %`;
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return `${text(median)} (${text(sorted[1])} to ${text(sorted.at(-2))})`;
}

async function fill(address: string): Promise<void> {
  using client = connectTo(address);
  for (const { namespace, memories } of [...readers.slice(0, 1), ...writers])
    await addAll(
      client,
      sampleTexts(memories, 1).map((content) => ({ namespace, content })),
    );
}
