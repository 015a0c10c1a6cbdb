/**
 * Where does the CPU time of a call go? Profiles a server under load and prints its time by part.
 * For comparison, profiles a bare handler that gets the same calls and sends the same replies.
 * Keeps both profiles as files for Chrome DevTools. The files include the start of the process and
 * the calls that warm it up, which the printed times leave out.
 *
 * Usage: npm run profile -- search|add|getall|recall|check [--calls N]
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { keepFile, printLine, printMachine, printTable } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { startBaseline } from "./load/baseline.js";
import type { CallStream, LoadFigures, LoadRun } from "./load/call-stream.js";
import { startChildProgram } from "./load/child-program.js";
import { type LoadedCall, loadedCalls, readers, writers } from "./load/loaded-calls.js";
import { recordReply } from "./load/record-reply.js";
import { type CpuProfile, type Shares, sharesOf } from "./profile/parts.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { calls: { type: "string", default: "20000" } },
});
const calls = Number(values.calls);
/** Number of calls before the measurement, so that the measured code is compiled. */
const warmUpCalls = 5_000;
const names = ["search", "add", "getall", "recall", "check"];
const [name = ""] = positionals;
const call = loadedCalls().find((one) => names.includes(name) && rpcName(one) === name);
if (call === undefined) {
  printLine(`Usage: npm run profile -- ${names.join("|")} [--calls N]`);
  process.exitCode = 2;
} else {
  printMachine();
  await profile(call);
}

function rpcName({ path }: LoadedCall): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

async function profile(measured: LoadedCall): Promise<void> {
  using folder = createTemporaryFolder();
  const data = join(folder.path, "data");
  await fill(data);
  const { path, isStream } = measured;
  const stream = (count: number, round: number): CallStream => ({
    path,
    isStream,
    requests: measured.requests(count, round),
  });
  let messages: readonly Uint8Array[] = [];
  const server = await profileOf(join(folder.path, "server"), async (nodeFlags, send) => {
    await using process = await startServer(data, [], { nodeFlags });
    messages = await recordReply(process.grpcAddress, stream(1, 0));
    await loadIndexes(process);
    await send(process.grpcAddress, stream);
  });
  const bare = await profileOf(join(folder.path, "bare"), async (nodeFlags, send) => {
    await using process = startBaseline(nodeFlags);
    const port = await process.ask([{ path, rpcPath: path, isStream, messages, handler: "bare" }]);
    await send(`127.0.0.1:${port}`, stream);
  });
  report(server, bare);
}

type Send = (
  address: string,
  stream: (count: number, round: number) => CallStream,
) => Promise<void>;

/**
 * Profiles a process. `run` must start the process with `nodeFlags`, and send calls to it with
 * `send`. The profile leaves out the start of the process and the first calls, which warm the
 * process up.
 */
async function profileOf(
  folder: string,
  run: (nodeFlags: readonly string[], send: Send) => Promise<void>,
): Promise<Shares> {
  await using load = startChildProgram<LoadRun, LoadFigures>("load-client");
  const startMs = performance.now();
  let skippedMs = 0;
  await run(["--cpu-prof", `--cpu-prof-dir=${folder}`], async (address, stream) => {
    const run = { address, connections: 4, inFlight: 50 };
    await load.ask({ ...run, calls: stream(warmUpCalls, 0) });
    skippedMs = performance.now() - startMs;
    await load.ask({ ...run, calls: stream(calls, 1) });
  });
  const file = profileIn(folder);
  printLine(`Profile: ${keepFile(file, `${name}-${basename(folder)}.cpuprofile`)}`);
  return sharesOf(JSON.parse(readFileSync(file, "utf8")) as CpuProfile, 1_000 * skippedMs);
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

/** Loads the index of each namespace, as on a server that has answered searches. */
async function loadIndexes({ grpcAddress }: ServerProcess): Promise<void> {
  using client = connectTo(grpcAddress);
  for (const { namespace } of [...readers.slice(0, 1), ...writers])
    for await (const _ of client.memories.search({ namespace, query: "memory" }));
}

/** Returns the path of the main thread's profile, the largest one. Workers have smaller ones. */
function profileIn(folder: string): string {
  const files = readdirSync(folder).map((file) => join(folder, file));
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0] ?? "";
}

function report(server: Shares, bare: Shares): void {
  const micros = (value: number) => (value / calls).toFixed(1);
  const share = (value: number) => `${((100 * value) / server.busyMicros).toFixed(1)} %`;
  printLine(`${calls} calls. Busy time of the main thread of the server, and of the bare handler.`);
  printTable(
    ["part", "share", "us a call", "bare handler"],
    [
      ...server.parts.map(({ name: part, micros: own }) => [
        part,
        share(own),
        micros(own),
        micros(bare.parts.find((one) => one.name === part)?.micros ?? 0),
      ]),
      ["all", share(server.busyMicros), micros(server.busyMicros), micros(bare.busyMicros)],
    ],
  );
  printLine();
  printTable(
    ["function, by its own code", "share", "us a call"],
    server.functions.slice(0, 40).map((one) => [one.name, share(one.micros), micros(one.micros)]),
  );
}
