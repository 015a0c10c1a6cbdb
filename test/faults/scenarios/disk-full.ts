import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { NamespaceClient } from "../../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../../e2e/harness/protocols.js";
import { createUserClient } from "../../e2e/harness/user-client.js";
import { endOf } from "../load/failures.js";
import { type Workload, workloadHarms } from "../load/workload.js";
import type { Random } from "../server/random.js";
import type { ServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import type { RoundOptions } from "./scenario.js";
import { awaitRecovery, runServerRounds } from "./server-rounds.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** The options of filling a disk. */
export interface DiskFullOptions extends RoundOptions {
  /**
   * Whether the run fails on a machine that cannot mount a disk. If false, the run is skipped
   * there.
   */
  readonly isRequired: boolean;
}

/** Size of the disk: enough for the server's reserve, for its free space and for records. */
const diskMebibytes = 256;

/** Maximum number of acknowledgements before the disk is filled. */
const acknowledgementsMax = 150;

/** The load on the full disk ends after this many refused requests. */
const refusedMin = 40;

/** Maximum time for which the load runs on the full disk, in milliseconds. */
const fullMaxMs = 10_000;

/** Time in which the server must read and delete again on a full disk, in milliseconds. */
const recoveryMaxMs = 60_000;

/** Share of the rounds in which the server is killed and started while the disk is full. */
const killedShare = 0.3;

/** Fills the disk of a server under load, frees it again, and checks what was acknowledged. */
export async function runDiskFull(options: DiskFullOptions): Promise<Tally> {
  const tally = new Tally([...workloadHarms, "wrong process state"], options.report);
  await withTemporaryFolder(async (folder) => {
    const disk = join(folder, "disk");
    if (!mountDisk(disk)) {
      options.report("skipped: this machine does not allow to mount a tmpfs");
      tally.count("skipped");
      if (options.isRequired) tally.harm("wrong process state", "the run was skipped");
      return;
    }
    try {
      await fillRepeatedly(disk, options, tally);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
  return tally;
}

function mountDisk(disk: string): boolean {
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMebibytes}m`, "tmpfs", disk], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

async function fillRepeatedly(disk: string, options: DiskFullOptions, tally: Tally): Promise<void> {
  const filler = join(disk, "filler");
  let reader: Reader | undefined;
  await runServerRounds(join(disk, "data"), options, tally, async (round) => {
    const { server, random, workload } = round;
    reader ??= await fillReader(server, options.rounds);
    await workUntilFull(server, workload, tally, random, filler);
    await readAndDelete(server, reader, tally);
    const isKilled = random.chance(killedShare);
    if (isKilled) {
      await server.end("SIGKILL");
      tally.count("starts on a full disk");
    }
    const serving = isKilled ? await round.restart() : server;
    rmSync(filler, { force: true });
    await awaitRecovery(serving, tally);
  });
}

/** Contents of the memories of a user outside the load. The scenario deletes them one by one. */
type Reader = string[];

async function fillReader(server: ServerProcess, rounds: number): Promise<Reader> {
  const contents = Array.from({ length: rounds + 5 }, (_, i) => `kept ${i}`);
  await withReader(server, (memories) => memories.addAll(...contents));
  return contents;
}

function withReader<T>(
  server: ServerProcess,
  use: (memories: NamespaceClient) => Promise<T>,
): Promise<T> {
  const connection = nativeGrpc.connect(server);
  const user = createUserClient(connection, { userId: "reader", agentId: "reader" });
  return use(user.memories).finally(() => connection.close());
}

/** Checks that reads and deletions work on a full disk, once the store has recovered. */
async function readAndDelete(server: ServerProcess, kept: Reader, tally: Tally): Promise<void> {
  const untilMs = performance.now() + recoveryMaxMs;
  await withReader(server, async (memories) => {
    for (;;) {
      try {
        const [newest] = await memories.list();
        if (newest?.content !== kept.at(-1)) tally.harm("lost", `${kept.at(-1)} on a full disk`);
        await memories.delete(newest?.id ?? "");
        kept.pop();
        tally.count("reads and deletions on a full disk");
        return;
      } catch (error) {
        endOf(error);
        if (performance.now() > untilMs) {
          tally.harm("wrong process state", `no read or deletion on a full disk: ${String(error)}`);
          return;
        }
        await delay(100);
      }
    }
  });
}

/** Fills the disk after a random number of replies, and lets the load run on the full disk. */
async function workUntilFull(
  server: ServerProcess,
  workload: Workload,
  tally: Tally,
  random: Random,
  filler: string,
): Promise<void> {
  const enough = new AbortController();
  const refusedBefore = tally.of("refused");
  let left = random.integer(1, acknowledgementsMax);
  let watching: Promise<void> | undefined;
  const watch = async () => {
    const fullMs = performance.now() + fullMaxMs;
    while (tally.of("refused") - refusedBefore < refusedMin && performance.now() < fullMs)
      await delay(20);
    enough.abort();
  };
  await workload.work(server, enough.signal, () => {
    left -= 1;
    if (left !== 0) return;
    fill(filler);
    tally.count("fills");
    watching = watch();
  });
  if (watching === undefined) fill(filler);
  await watching;
}

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, "w");
  const piece = Buffer.alloc(1024 * 1024, 1);
  try {
    for (let size = piece.length; size >= 1; ) {
      try {
        if (writeSync(file, piece, 0, size) < size) size = Math.floor(size / 2);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
