import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { verifyFolder } from "../../../src/store/level/recovery/verify-folder.js";
import { type Workload, workloadHarms } from "../load/workload.js";
import type { Random } from "../server/random.js";
import { launchServer, type ServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import type { RoundOptions } from "./scenario.js";
import { runServerRounds } from "./server-rounds.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** Maximum number of acknowledgements before a kill. */
const acknowledgementsMax = 400;

/** Share of the rounds in which the next start is killed too. */
const killedStarts = 0.25;

/** The approximate duration of a start. A kill within this time can hit any part of a start. */
const startMs = 1_500;

/**
 * Kills a server under load at random moments, and sometimes while it starts. After each kill,
 * checks the folder with `verify`, and everything that was acknowledged.
 */
export async function runKill(options: RoundOptions): Promise<Tally> {
  const tally = new Tally([...workloadHarms, "unsound folder"], options.report);
  await withTemporaryFolder((folder) =>
    runServerRounds(join(folder, "data"), options, tally, async (round) => {
      const { data, server, random, workload } = round;
      await workUntilKilled(server, workload, random);
      tally.count("kills");
      if (random.chance(killedStarts)) {
        await killStart(data, random);
        tally.count("kills while starting");
      }
      for (const { where, what } of (await verifyFolder(data, { links: true })).findings)
        tally.harm("unsound folder", `${where}: ${what}`);
      await round.restart();
    }),
  );
  return tally;
}

/** Kills the server at a random moment after a random number of acknowledgements. */
async function workUntilKilled(
  server: ServerProcess,
  workload: Workload,
  random: Random,
): Promise<void> {
  let left = random.integer(1, acknowledgementsMax);
  const momentMs = random.integer(0, 15);
  let killed: Promise<unknown> | undefined;
  await workload.work(server, undefined, () => {
    left -= 1;
    if (left === 0) killed = delay(momentMs).then(() => server.end("SIGKILL"));
  });
  await killed;
}

async function killStart(data: string, random: Random): Promise<void> {
  const launch = launchServer(data);
  const started = launch.ready.catch(() => undefined);
  await delay(random.integer(0, startMs));
  await launch.kill();
  await started;
}
