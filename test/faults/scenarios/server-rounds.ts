import { createWorkload, type Workload } from "../load/workload.js";
import { createRandom, type Random } from "../server/random.js";
import { type ServerProcess, startServerProcess } from "../server/server-process.js";
import { untilWritable } from "../server/serving.js";
import type { Tally } from "../tally.js";
import { type RoundOptions, reportRound } from "./scenario.js";

/** One round of a scenario. */
export interface Round {
  /** The folder of the server. */
  readonly data: string;
  /** The server at the start of the round. */
  readonly server: ServerProcess;
  readonly random: Random;
  readonly workload: Workload;
  /** Starts the server again, after the fault has ended it. */
  restart(): Promise<ServerProcess>;
}

/**
 * Starts a server on a folder and causes a fault once a round. After each round, checks everything
 * that was acknowledged.
 */
export async function runServerRounds(
  data: string,
  options: RoundOptions,
  tally: Tally,
  causeFault: (round: Round) => Promise<void>,
): Promise<void> {
  const random = createRandom(options.seed);
  const workload = createWorkload(options.seed, tally);
  let server = await startServerProcess(data);
  const restart = async (): Promise<ServerProcess> => {
    server = await startServerProcess(data);
    return server;
  };
  try {
    for (let round = 1; round <= options.rounds; round++) {
      await causeFault({ data, server, random, workload, restart });
      await workload.check(server);
      reportRound(options, round, tally);
    }
  } finally {
    await server.end("SIGKILL");
  }
}

/** Waits until a server accepts writes again after a fault. Throws if it does not. */
export async function awaitRecovery(server: ServerProcess, tally: Tally): Promise<void> {
  if ((await untilWritable(server)) === undefined)
    throw new Error(`the server does not recover: ${server.log().slice(-2000)}`);
  tally.count("recoveries");
}
