import { setTimeout as delay } from "node:timers/promises";
import type { Connection, ServerUrls } from "../../e2e/harness/protocols.js";
import { nativeGrpc } from "../../e2e/harness/protocols.js";
import { createRandom } from "../server/random.js";
import type { Harm, Tally } from "../tally.js";
import { createBlockLane } from "./block-lane.js";
import { createKeyLane } from "./key-lane.js";
import type { Lane } from "./lane.js";
import { createMemoryLane } from "./memory-lane.js";
import { createProposalLane } from "./proposal-lane.js";

/** The harm that the checks of a workload look for. */
export const workloadHarms = [
  "lost",
  "wrong",
  "doubled",
  "back from deletion",
  "half approved",
  "not searchable",
] as const satisfies readonly Harm[];

/** Workers of a workload, two for each user. Each has four calls in flight. */
const workerCount = 10;

/** Pause after a refused request, so that a full disk does not keep the processor busy. */
const refusedPauseMs = 20;

/** Clients with 40 calls in flight, which remember what was acknowledged. */
export interface Workload {
  /**
   * Sends requests until each lane has a request with an unknown outcome, or `until` is aborted.
   * `onAcknowledged` is called after each answered request.
   */
  work(server: ServerUrls, until?: AbortSignal, onAcknowledged?: () => void): Promise<void>;
  /** Compares all records of the server with what was acknowledged. Counts all harm. */
  check(server: ServerUrls): Promise<void>;
}

/** Creates a workload whose requests depend on the seed. */
export function createWorkload(seed: number, tally: Tally): Workload {
  const workers = Array.from({ length: workerCount }, (_, worker) => {
    const partsOf = (lane: number) => ({
      userId: `user ${worker >> 1}`,
      name: `w${worker}l${lane}`,
      random: createRandom(seed * 1000 + worker * 10 + lane),
      tally,
    });
    return [
      createMemoryLane(partsOf(0)),
      createBlockLane(partsOf(1)),
      createProposalLane(partsOf(2)),
      createKeyLane(partsOf(3)),
    ];
  });

  async function onLanes(
    server: ServerUrls,
    use: (lane: Lane, connection: Connection) => Promise<void>,
  ): Promise<void> {
    const useOrCount = async (lane: Lane, connection: Connection) => {
      try {
        await use(lane, connection);
      } catch (error) {
        tally.harm("unexpected error", String(error));
      }
    };
    await Promise.all(
      workers.map(async (lanes) => {
        const connection = nativeGrpc.connect(server);
        await Promise.all(lanes.map((lane) => useOrCount(lane, connection)));
        connection.close();
      }),
    );
  }

  return {
    work: (server, until, onAcknowledged) =>
      onLanes(server, async (lane, connection) => {
        while (until?.aborted !== true) {
          tally.count("calls");
          const sent = await lane.send(connection);
          if (sent === "unknown") return;
          if (sent === "answered") onAcknowledged?.();
          else {
            tally.count("refused");
            await delay(refusedPauseMs);
          }
        }
      }),
    check: (server) => onLanes(server, (lane, connection) => lane.check(connection)),
  };
}
