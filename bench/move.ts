/**
 * How fast are backup, restore and move? How long does a move hold writes? How much slower are the
 * adds of clients during a move?
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectTo } from "./harness/client.js";
import { fillStore } from "./harness/fill-store.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

/** How long adds are measured without a move, in milliseconds. */
const quietMs = 5_000;

/** Pause of a client before it repeats a refused call, in milliseconds. */
const retryMs = 20;

/** Latencies of adds, retries included, in milliseconds. */
interface AddFigures {
  readonly adds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const { values: flags } = parseArgs({
  options: {
    users: { type: "string", default: "50" },
    memories: { type: "string", default: "1000" },
    writers: { type: "string", default: "8" },
    slices: { type: "string" },
  },
});

printMachine();
await measure(Number(flags.users), Number(flags.memories), Number(flags.writers));

async function measure(users: number, memories: number, writers: number): Promise<void> {
  using folder = createTemporaryFolder();
  const data = join(folder.path, "a");
  const file = join(folder.path, "backup");
  for (let user = 0; user < users; user++)
    await fillStore(data, namespaceOf(user), sampleMemories(memories, user + 1));
  const serve = (at: string) => startServer(at, ["--move-targets", "127.0.0.1"]);
  await using a = await serve(data);
  await using b = await serve(join(folder.path, "b"));
  const backup = await command("backup", file, "--server", a.grpcAddress);
  const { size } = statSync(file);
  const verify = await command("verify", "--backup", file);
  const restore = await command("restore", file, "--data", join(folder.path, "c"));
  rmSync(join(folder.path, "c"), { recursive: true });

  const writing = startWriters(a.grpcAddress, users, writers);
  await delay(quietMs);
  const before = writing.take();
  const there = await command("move", ...moveFlags(a.grpcAddress, b.grpcAddress));
  const during = writing.take();
  await delay(quietMs);
  const after = writing.take();
  const back = await command("move", ...moveFlags(b.grpcAddress, a.grpcAddress));
  await writing.stop();

  const { records } = JSON.parse(backup.output) as { readonly records: number };
  printTable(
    [`${users} users with ${memories} memories`, "s", "records/s", "MB/s", "held for at most"],
    Object.entries({ backup, verify, restore, "move there": there, "move back": back }).map(
      ([name, { seconds, output }]) => [
        name,
        seconds.toFixed(1),
        (records / seconds).toFixed(0),
        (size / 1e6 / seconds).toFixed(1),
        heldMs(output),
      ],
    ),
  );
  printLine();
  printTable(
    [`adds of ${writers} clients`, "adds", "p50 ms", "p99 ms", "longest ms", "p50 / before"],
    Object.entries({ before, during, "after, forwarded": after }).map(([name, figures]) => [
      name,
      String(figures.adds),
      figures.p50Ms.toFixed(1),
      figures.p99Ms.toFixed(0),
      figures.maxMs.toFixed(0),
      factor(figures.p50Ms, before.p50Ms),
    ]),
  );
  saveResults("move", {
    users,
    memories,
    writers,
    backup,
    verify,
    restore,
    there,
    back,
    before,
    during,
    after,
  });
}

function namespaceOf(user: number) {
  return { userId: `user ${user}`, agentId: "bench" };
}

function moveFlags(from: string, to: string): readonly string[] {
  const slices = flags.slices === undefined ? [] : ["--slices", flags.slices];
  return ["--from", from, "--to", to, ...slices];
}

function heldMs(output: string): string {
  const { longestHoldMs } = JSON.parse(output) as { readonly longestHoldMs?: number };
  return longestHoldMs === undefined ? "" : `${longestHoldMs} ms`;
}

/** Runs a command of the product. */
async function command(
  ...args: readonly string[]
): Promise<{ readonly seconds: number; readonly output: string }> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [join("dist", "main.js"), ...args, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => {
    output += text.toString();
  });
  const [exitCode] = (await once(child, "close")) as [number];
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`);
  return { seconds: (performance.now() - beganMs) / 1000, output };
}

/**
 * Starts clients that add memories one after another. After a move, their server forwards the
 * calls.
 */
function startWriters(address: string, users: number, writers: number) {
  const client = connectTo(address);
  let times: number[] = [];
  let isStopped = false;
  const work = Array.from({ length: writers }, async (_, writer) => {
    for (let count = 0; !isStopped; count++) {
      const namespace = namespaceOf((writer + count * writers) % users);
      const idempotencyKey = `${writer}/${count}`;
      const beganMs = performance.now();
      for (let isDone = false; !isDone; ) {
        try {
          const content = `${writer} has added ${count}`;
          await client.memories.add({ namespace, content, idempotencyKey });
          isDone = true;
        } catch (error) {
          if (ConnectError.from(error).code !== Code.Unavailable) throw error;
          await delay(retryMs);
        }
      }
      times.push(performance.now() - beganMs);
    }
  });
  return {
    take(): AddFigures {
      const taken = times.sort((a, b) => a - b);
      times = [];
      const at = (share: number) =>
        taken[Math.min(taken.length - 1, Math.floor(share * taken.length))] ?? Number.NaN;
      return { adds: taken.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(work);
      client[Symbol.dispose]();
    },
  };
}
