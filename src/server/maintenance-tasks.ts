import type { Logger } from "pino";
import type { Call } from "../core/ports/call.js";
import type { Timer } from "../core/ports/timer.js";
import type { Pruner } from "../core/pruning/pruner.js";

/** How long after the end of one round the next begins. */
const intervalMs = 24 * 60 * 60 * 1000;

/** What maintenance needs of the world. */
export interface MaintenanceParts {
  readonly pruner: Pruner;
  readonly timer: Timer;
  readonly log: Pick<Logger, "info" | "error">;
}

/** Work that a server does by itself, beside calls. */
export interface MaintenanceTasks {
  /** Begins no more rounds; one that is under way ends at its next step. */
  stop(): void;
  /** Resolves when nothing is under way. After `stop` that is for good. */
  idle(): Promise<void>;
}

/** Removes what has outlived its use: at once, and again every day. What fails is logged and tried again the next time. */
export function startMaintenanceTasks({ pruner, timer, log }: MaintenanceParts): MaintenanceTasks {
  const stopped = new AbortController();
  const { signal } = stopped;
  const call: Call = { signal, throwIfEnded: () => signal.throwIfAborted() };
  let cancelNext: () => void = () => undefined;

  const round = async (): Promise<void> => {
    try {
      await pruneOnce(pruner, call, log);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "pruning failed; it is tried again in a day");
    }
    if (!signal.aborted) cancelNext = timer.after(intervalMs, begin);
  };
  let underWay = round();
  function begin(): void {
    underWay = round();
  }

  return {
    stop() {
      stopped.abort();
      cancelNext();
    },
    idle: () => underWay,
  };
}

async function pruneOnce(pruner: Pruner, call: Call, log: MaintenanceParts["log"]): Promise<void> {
  for (const outcome of await pruner.prune(call, false)) {
    if ("error" in outcome) {
      log.error(
        { records: outcome.name, err: outcome.error },
        "pruning failed; it is tried again in a day",
      );
    } else if (outcome.removed > 0) {
      log.info({ records: outcome.name, removed: outcome.removed }, "pruned");
    }
  }
}
