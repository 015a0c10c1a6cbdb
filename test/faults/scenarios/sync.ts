import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openTestStore } from "../../store/level/level-folder.js";
import { plannedState, readState, userScope, users, writeNext } from "../children/plan.js";
import { createFailingPlatform, type Failures } from "../failing-platform.js";
import { type Workload, workloadHarms } from "../load/workload.js";
import { createRandom, type Random } from "../server/random.js";
import type { ServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import { type RoundOptions, reportRound } from "./scenario.js";
import { awaitRecovery, runServerRounds } from "./server-rounds.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/**
 * The failing sync is one of the first `failingSyncMax` syncs of its thread since tracing started.
 */
const failingSyncMax = 12;

/**
 * Lets syncs of a server under load fail, and checks what was acknowledged. With strace, a system
 * call of a real server fails. Without strace, a write of a store in this process fails.
 */
export async function runSync(options: RoundOptions): Promise<Tally> {
  const tally = new Tally([...workloadHarms, "wrong process state"], options.report);
  const run = hasStrace() ? failSystemCalls : failWrites;
  await withTemporaryFolder((folder) => run(join(folder, "data"), options, tally));
  return tally;
}

function hasStrace(): boolean {
  return spawnSync("strace", ["-qq", "-e", "trace=none", "true"], { stdio: "ignore" }).status === 0;
}

async function failSystemCalls(data: string, options: RoundOptions, tally: Tally): Promise<void> {
  await runServerRounds(data, options, tally, async ({ server, workload, random }) => {
    await workUntilSyncFails(server, workload, random);
    tally.count("failed syncs");
    await awaitRecovery(server, tally);
  });
}

/** Lets one sync fail with EIO. The load ends when strace has reported the failure. */
async function workUntilSyncFails(
  server: ServerProcess,
  workload: Workload,
  random: Random,
): Promise<void> {
  const failing = `fsync,fdatasync:error=EIO:when=${random.integer(1, failingSyncMax)}`;
  const tracer = spawn(
    "strace",
    ["-f", "-p", String(server.pid), "-e", "trace=fsync,fdatasync", "-e", `inject=${failing}`],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const failed = new AbortController();
  const ended = endOfTracer(tracer, failed);
  await workload.work(server, failed.signal);
  // The load ends only after a failed sync, so the tracer has done its work.
  tracer.kill("SIGINT");
  await ended;
}

/** Aborts `failed` at the first injected failure. Resolves when the tracer has ended. */
async function endOfTracer(tracer: ChildProcess, failed: AbortController): Promise<void> {
  const closed = once(tracer, "close");
  if (tracer.stderr !== null) {
    for await (const line of createInterface(tracer.stderr)) {
      if (!line.includes("INJECTED")) continue;
      tracer.kill("SIGINT");
      failed.abort();
    }
  }
  await closed;
  failed.abort();
}

/** Without strace: lets writes of a store fail, half of them only after the data was written. */
async function failWrites(data: string, options: RoundOptions, tally: Tally): Promise<void> {
  const random = createRandom(options.seed);
  const acknowledged = new Map<string, number>();
  for (let round = 1; round <= options.rounds; round++) {
    const failures: Failures = {};
    let onRecovered = (): void => undefined;
    const recovered = new Promise<void>((resolve) => {
      onRecovered = resolve;
    });
    const platform = createFailingPlatform(failures);
    const store = await openTestStore(data, { onRecovered: () => onRecovered() }, platform);
    let writes = random.integer(1, 20);
    failures.write = async (write) => {
      writes -= 1;
      if (writes === 0 && random.chance(0.5)) await write();
      if (writes === 0) throw new Error("EIO");
      return write();
    };
    await Promise.all(
      users.map(async (userId) => {
        for (let failed = false; !failed; ) {
          try {
            const { head } = await store.update(userScope(userId), (tx) => writeNext(tx, userId));
            acknowledged.set(userId, head.seq);
            tally.count("acknowledged");
          } catch {
            failed = true;
            tally.count("unknown outcomes");
          }
        }
      }),
    );
    await recovered;
    tally.count("failed syncs");
    for (const userId of users) {
      await using snapshot = await store.snapshot(userScope(userId));
      const { seq } = snapshot.head;
      if (seq < (acknowledged.get(userId) ?? 0)) tally.harm("lost", `commits of ${userId}`);
      const found = JSON.stringify(await readState(snapshot, userId));
      if (found !== JSON.stringify(plannedState(userId, seq)))
        tally.harm("wrong", `records of ${userId} after commit ${seq}`);
    }
    await store.close();
    reportRound(options, round, tally);
  }
}
