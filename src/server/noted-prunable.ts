import type { Logger } from "pino";
import type { Meter } from "../core/ports/meter.js";
import type { Prunable } from "../core/pruning/prunable.js";

/** Returns a kind of records that logs and counts the records that were removed. */
export function notedPrunable(
  prunable: Prunable,
  log: Pick<Logger, "info">,
  meter: Meter,
): Prunable {
  const { name: records } = prunable;
  return {
    name: records,
    async pruneAll(call, dryRun) {
      const removed = await prunable.pruneAll(call, dryRun);
      if (!dryRun && removed > 0) {
        meter("prunedRecords", removed, records);
        log.info({ records, removed }, "pruned");
      }
      return removed;
    },
  };
}
