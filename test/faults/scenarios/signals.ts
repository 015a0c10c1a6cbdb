import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Workload, workloadHarms } from "../load/workload.js";
import type { Random } from "../server/random.js";
import { FailedStart, type ServerProcess, startServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import type { RoundOptions } from "./scenario.js";
import { runServerRounds } from "./server-rounds.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** Maximum number of acknowledgements before a signal. */
const acknowledgementsMax = 200;

/** Maximum time for which the process is stopped, in milliseconds. */
const stoppedMaxMs = 2_000;

/**
 * In each round, stops a server under load for a while (SIGSTOP), tries to start a second server on
 * its folder, and ends the first server (SIGTERM). Checks what was acknowledged.
 */
export async function runSignals(options: RoundOptions): Promise<Tally> {
  const tally = new Tally([...workloadHarms, "wrong process state"], options.report);
  await withTemporaryFolder((folder) =>
    runServerRounds(join(folder, "data"), options, tally, async (round) => {
      const { data, server, random, workload } = round;
      await stopAndContinue(server, workload, tally, random);
      await workload.check(server);
      await startSecond(data, tally);
      await endUnderLoad(server, workload, tally, random);
      await round.restart();
    }),
  );
  return tally;
}

/** Stops the process and continues it. Calls in flight must be answered after SIGCONT. */
async function stopAndContinue(
  server: ServerProcess,
  workload: Workload,
  tally: Tally,
  random: Random,
): Promise<void> {
  const unknownBefore = tally.of("unknown outcomes");
  const enough = new AbortController();
  let count = random.integer(1, acknowledgementsMax);
  await workload.work(server, enough.signal, () => {
    count -= 1;
    if (count === 0) {
      server.signal("SIGSTOP");
      tally.count("SIGSTOP");
      void delay(random.integer(100, stoppedMaxMs)).then(() => server.signal("SIGCONT"));
    }
    // By now, all calls that were in flight at SIGSTOP have been answered.
    if (count === -acknowledgementsMax) enough.abort();
  });
  const cut = tally.of("unknown outcomes") - unknownBefore;
  if (cut > 0) tally.harm("wrong process state", `SIGCONT: ${cut} calls were not answered`);
}

async function startSecond(data: string, tally: Tally): Promise<void> {
  try {
    const second = await startServerProcess(data);
    await second.end("SIGKILL");
    tally.harm("wrong process state", "a second server started on the folder");
  } catch (error) {
    if (!(error instanceof FailedStart)) throw error;
    tally.count("second servers refused");
    if (error.exitCode !== 1 || !error.output.includes("in use by another process"))
      tally.harm("wrong process state", `the second server ended with ${error.message}`);
  }
}

async function endUnderLoad(
  server: ServerProcess,
  workload: Workload,
  tally: Tally,
  random: Random,
): Promise<void> {
  let count = random.integer(1, acknowledgementsMax);
  let ended: Promise<number | null> | undefined;
  await workload.work(server, undefined, () => {
    count -= 1;
    if (count === 0) ended = server.end("SIGTERM");
  });
  tally.count("SIGTERM");
  const exitCode = await ended;
  if (exitCode !== 0) tally.harm("wrong process state", `SIGTERM: exit code ${exitCode}`);
}
