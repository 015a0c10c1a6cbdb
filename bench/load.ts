/**
 * What does a call cost the server, compared with a bare handler that receives and sends messages
 * of the same sizes? And how much of the difference is the cost of decoding and encoding these
 * messages? A codec handler, which does only this, shows it.
 *
 * Each round sends the same calls to the server and to these handlers, one after the other. The
 * load generator is a process of its own. With `--before FOLDER`, the built server of another
 * checkout gets the same calls too. With `--http`, the servers get the calls at their HTTP
 * listeners. With `--embedder`, they use another embedder. With `--beside`, another user searches
 * 10,000 memories at the same time.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { addAll, connectTo } from "./harness/client.js";
import { percentile } from "./harness/cost.js";
import { cpuMicrosOf } from "./harness/process-figures.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { type BaselineProgram, startBaseline } from "./load/baseline.js";
import type { BaselineHandler, BaselineReply, LoadFigures, LoadRun } from "./load/call-stream.js";
import { startChildProgram } from "./load/child-program.js";
import { type LoadedCall, loadedCalls, readers, writers } from "./load/loaded-calls.js";
import { besideNeighbour } from "./load/neighbour.js";
import { recordReply } from "./load/record-reply.js";

const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "local" },
    calls: { type: "string", default: "3000" },
    rounds: { type: "string", default: "5" },
    before: { type: "string" },
    http: { type: "boolean", default: false },
    beside: { type: "boolean", default: false },
  },
});
/** The flags of the servers that choose the embedder. */
const embedder = ["--embedder", values.embedder];
const callsInRound = Number(values.calls);
const rounds = Number(values.rounds);
const connections = 4;
const inFlight = 50;
/** The load of the other user, with `--beside`. */
const neighbourLoad = { connections: 1, inFlight: 10, calls: 100 };

/** A process that answers calls. */
interface Target {
  readonly name: string;
  readonly address: string;
  /** Returns the path at which the process answers a kind of call. */
  pathOf(call: LoadedCall): string;
  cpuMicros(): number;
}

/** The figures of one kind of call on one target, a number for each round. */
interface CallFigures {
  readonly call: string;
  readonly target: string;
  readonly cpuMicros: number[];
  readonly callsPerSecond: number[];
  readonly p99Ms: number[];
}

printMachine();
report(await measure());

async function measure(): Promise<readonly CallFigures[]> {
  using folder = createTemporaryFolder();
  await using load = startChildProgram<LoadRun, LoadFigures>("load-client");
  await using neighbour = values.beside
    ? startChildProgram<LoadRun, LoadFigures>("load-client")
    : undefined;
  await using bareProgram = startBaseline();
  await using codecProgram = startBaseline();
  await using now = await startServer(join(folder.path, "now"), embedder);
  const project = values.before === undefined ? undefined : resolve(values.before);
  await using before =
    project === undefined
      ? undefined
      : await startServer(join(folder.path, "before"), embedder, { project });
  const servers = [targetOf("now", now), ...(before ? [targetOf("before", before)] : [])];
  for (const server of [now, before]) if (server !== undefined) await fill(server.grpcAddress);
  const calls = loadedCalls();
  const replies = await recordReplies(calls, now.grpcAddress);
  const bare = await startHandlers("bare", bareProgram, replies);
  const codec = await startHandlers("codec", codecProgram, replies);
  const ask: Ask =
    neighbour === undefined
      ? (target, call, round) => load.ask(loadOf(target, call, round))
      : (target, call, round) =>
          besideNeighbour(neighbour, neighbourOf(target, calls), () =>
            load.ask(loadOf(target, call, round)),
          );
  const figures: CallFigures[] = [];
  for (const call of calls)
    figures.push(...(await measureCall(ask, call, [bare, codec, ...servers])));
  return figures;
}

/** Makes the calls of a round. */
type Ask = (target: Target, call: LoadedCall, round: number) => Promise<LoadFigures>;

function loadOf(target: Target, call: LoadedCall, round: number): LoadRun {
  const requests = call.requests(callsInRound, round);
  const calls = { path: target.pathOf(call), isStream: call.isStream, requests };
  return { address: target.address, calls, connections, inFlight };
}

/** Returns searches of the largest namespace. */
function neighbourOf(target: Target, calls: readonly LoadedCall[]): LoadRun {
  const call = calls.findLast(({ path }) => path.endsWith("/Search"));
  if (call === undefined) throw new Error("no kind of call is a search");
  const requests = call.requests(neighbourLoad.calls, rounds + 1);
  const searches = { path: target.pathOf(call), isStream: call.isStream, requests };
  return { ...neighbourLoad, address: target.address, calls: searches };
}

function targetOf(name: string, server: ServerProcess): Target {
  const address = values.http ? server.httpAddress : server.grpcAddress;
  return { name, address, pathOf: ({ path }) => path, cpuMicros: () => server.cpuMicros() };
}

/** Records what the server replies to the first request of each kind. */
async function recordReplies(
  calls: readonly LoadedCall[],
  server: string,
): Promise<readonly Omit<BaselineReply, "handler">[]> {
  const replies: Omit<BaselineReply, "handler">[] = [];
  for (const call of calls) {
    const { path, isStream } = call;
    const recorded = { path, isStream, requests: call.requests(1, 0) };
    const messages = await recordReply(server, recorded);
    replies.push({ path: baselinePath(call), rpcPath: path, isStream, messages });
  }
  return replies;
}

/** Starts handlers that send recorded replies. */
async function startHandlers(
  handler: BaselineHandler,
  program: BaselineProgram,
  replies: readonly Omit<BaselineReply, "handler">[],
): Promise<Target> {
  const port = await program.ask(replies.map((reply) => ({ ...reply, handler })));
  const cpuMicros = () => cpuMicrosOf(program.pid);
  return { name: handler, address: `127.0.0.1:${port}`, pathOf: baselinePath, cpuMicros };
}

/** Each kind of call has a baseline handler of its own, because their replies differ. */
function baselinePath({ name, path }: LoadedCall): string {
  return `${path}${name.replaceAll(/\W/g, "")}`;
}

async function fill(address: string): Promise<void> {
  using client = connectTo(address);
  for (const { namespace, memories } of [...readers, ...writers])
    await addAll(
      client,
      sampleTexts(memories, 1).map((content) => ({ namespace, content })),
    );
}

async function measureCall(
  ask: Ask,
  call: LoadedCall,
  targets: readonly Target[],
): Promise<readonly CallFigures[]> {
  const all = targets.map(({ name }) => ({
    call: call.name,
    target: name,
    cpuMicros: [] as number[],
    callsPerSecond: [] as number[],
    p99Ms: [] as number[],
  }));
  // Round 0 is not measured. It warms up, so that the measured code is compiled.
  for (let round = 0; round <= rounds; round++)
    for (let turn = 0; turn < targets.length; turn++) {
      // Each round begins with another target.
      const at = (turn + round) % targets.length;
      const target = targets[at] as Target;
      const before = target.cpuMicros();
      const figures = await ask(target, call, round);
      if (round === 0) continue;
      all[at]?.cpuMicros.push((target.cpuMicros() - before) / callsInRound);
      all[at]?.callsPerSecond.push(figures.callsPerSecond);
      all[at]?.p99Ms.push(figures.p99Ms);
    }
  return all;
}

function report(all: readonly CallFigures[]): void {
  printLine(
    `${inFlight} calls in flight over ${connections} connections, ${callsInRound} a round, ` +
      `medians of ${rounds} rounds (least to greatest). CPU is the time of the target per call.`,
  );
  if (values.beside)
    printLine(
      `Meanwhile, another user has ${neighbourLoad.inFlight} searches of 10,000 memories in flight. ` +
        "The CPU time includes them.",
    );
  printTable(
    ["", "calls/s", "p99 ms", "CPU us", "", "CPU / bare"],
    all.map((one) => {
      const bare = all.find(({ call, target }) => call === one.call && target === "bare") ?? one;
      return [
        `${one.call}, ${one.target}`,
        median(one.callsPerSecond).toFixed(0),
        median(one.p99Ms).toFixed(0),
        median(one.cpuMicros).toFixed(0),
        `${Math.min(...one.cpuMicros).toFixed(0)}-${Math.max(...one.cpuMicros).toFixed(0)}`,
        factor(median(one.cpuMicros), median(bare.cpuMicros)),
      ];
    }),
  );
  saveResults("load", { inFlight, connections, callsInRound, calls: all });
}

function median(figures: readonly number[]): number {
  return percentile(figures, 50);
}
