import type { Logger } from "pino";
import { type Call, endlessCall } from "../core/ports/call.js";
import type { Timer } from "../core/ports/timer.js";
import type { Pruner } from "../core/pruning/pruner.js";

/** The time between the end of one round of pruning and the start of the next, in milliseconds. */
const intervalMs = 24 * 60 * 60 * 1000;

/** The dependencies of maintenance. */
export interface MaintenanceParts {
  readonly pruner: Pick<Pruner, "prune">;
  readonly timer: Timer;
  readonly log: Pick<Logger, "error">;
}

/** Background work that a server starts by itself. */
export interface MaintenanceTasks {
  /** Starts no more rounds. A running round ends at its next step. */
  stop(): void;
  /** Resolves when no round is running. After `stop`, no round starts. */
  idle(): Promise<void>;
}

/**
 * Prunes stale records immediately, and again every day. Failures are logged, and the next round
 * tries again.
 */
export function startMaintenanceTasks({ pruner, timer, log }: MaintenanceParts): MaintenanceTasks {
  const stopping = new AbortController();
  const { signal } = stopping;
  const call: Call = { ...endlessCall, signal, throwIfEnded: () => signal.throwIfAborted() };
  let cancelNext: () => void = () => undefined;

  const round = async (): Promise<void> => {
    try {
      await pruneOnce(pruner, call, log);
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error }, "pruning failed; the next attempt is in a day");
    }
    if (!signal.aborted) cancelNext = timer.after(intervalMs, begin);
  };
  let currentRound = round();
  function begin(): void {
    currentRound = round();
  }

  return {
    stop() {
      stopping.abort();
      cancelNext();
    },
    idle: () => currentRound,
  };
}

async function pruneOnce(
  pruner: MaintenanceParts["pruner"],
  call: Call,
  log: MaintenanceParts["log"],
): Promise<void> {
  for (const outcome of await pruner.prune(call, false)) {
    if ("error" in outcome)
      log.error(
        { records: outcome.name, err: outcome.error },
        "pruning failed; the next attempt is in a day",
      );
  }
}
