/**
 * Where does the CPU time of a call go? Profiles a server under load, and prints the shares by part
 * and the costliest functions.
 *
 * Usage: npm run profile -- search|add|getall|recall [--calls N]
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { printLine, printMachine, printTable } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import type { LoadFigures, LoadRun } from "./load/call-stream.js";
import { startChildProgram } from "./load/child-program.js";
import { type LoadedCall, loadedCalls, readers, writers } from "./load/loaded-calls.js";
import { type CpuProfile, type Share, sharesOf } from "./profile/parts.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { calls: { type: "string", default: "20000" } },
});
const names = ["search", "add", "getall", "recall"];
const [name = ""] = positionals;
const call = loadedCalls().find((one) => names.includes(name) && rpcName(one) === name);
if (call === undefined) {
  printLine(`Usage: npm run profile -- ${names.join("|")} [--calls N]`);
  process.exitCode = 2;
} else {
  printMachine();
  await profile(call, Number(values.calls));
}

function rpcName({ path }: LoadedCall): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

async function profile(measured: LoadedCall, calls: number): Promise<void> {
  using folder = createTemporaryFolder();
  const profiles = join(folder.path, "profiles");
  const data = join(folder.path, "data");
  await fill(data);
  {
    await using load = startChildProgram<LoadRun, LoadFigures>("load-client");
    const nodeFlags = ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
    await using server = await startServer(data, [], { nodeFlags });
    const { path, isStream } = measured;
    const stream = { path, isStream, requests: measured.requests(calls, 1) };
    await load.ask({ address: server.grpcAddress, calls: stream, connections: 4, inFlight: 50 });
  }
  report(calls, JSON.parse(readFileSync(largestFile(profiles), "utf8")) as CpuProfile);
}

/** Fills the folder by another process, which is not profiled. */
async function fill(data: string): Promise<void> {
  await using server = await startServer(data);
  using client = connectTo(server.grpcAddress);
  for (const { namespace, memories } of [...readers.slice(0, 1), ...writers])
    await addAll(
      client,
      sampleTexts(memories, 1).map((content) => ({ namespace, content })),
    );
}

/** Returns the profile of the main thread: worker threads have profiles of their own. */
function largestFile(folder: string): string {
  const files = readdirSync(folder).map((file) => join(folder, file));
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0] ?? "";
}

function report(calls: number, cpuProfile: CpuProfile): void {
  const { busyMicros, parts, functions } = sharesOf(cpuProfile);
  const rows = (shares: readonly Share[]) =>
    shares.map((share) => [
      share.name,
      `${((100 * share.micros) / busyMicros).toFixed(1)} %`,
      (share.micros / calls).toFixed(1),
    ]);
  printLine(`${calls} calls, and the start of the server. Shares of its busy time.`);
  printTable(["part", "share", "us a call"], rows(parts));
  printLine();
  printTable(["function, by its own code", "share", "us a call"], rows(functions.slice(0, 30)));
}
