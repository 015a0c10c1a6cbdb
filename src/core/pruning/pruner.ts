import type { Call } from "../ports/call.js";
import type { Prunable } from "./prunable.js";
import type { PruningGate } from "./pruning-gate.js";

/** The outcome for one kind of record. */
export type PruneOutcome = { readonly name: string } & (
  | { readonly removed: number }
  | { readonly error: unknown }
);

/** Removes outdated records of all users. */
export interface Pruner {
  /**
   * Prunes one kind of record after the other. An error in one kind does not stop the other kinds.
   * While the gate refuses removals, each outcome is its error. Throws the error of
   * `Call.throwIfEnded` when the call ends.
   */
  prune(call: Call, dryRun: boolean): Promise<readonly PruneOutcome[]>;
  /**
   * Prunes, and then compacts the store, so that deleted texts leave the disk. If the compaction
   * fails, one more outcome reports the error under the name `compaction`.
   *
   * @param acceptClock whether the caller confirms that the machine's clock is right
   */
  pruneAndCompact(call: Call, acceptClock: boolean): Promise<readonly PruneOutcome[]>;
}

/**
 * Creates a pruner of several kinds of records.
 *
 * @param compact compacts the store that holds the records
 * @param settle notes which scopes are pruned. Called after a run in which all kinds were pruned
 */
export function createPruner(
  prunables: readonly Prunable[],
  compact: () => Promise<void>,
  gate: PruningGate,
  settle: (call: Call) => Promise<void> = async () => undefined,
): Pruner {
  const prune = async (call: Call, dryRun: boolean): Promise<PruneOutcome[]> => {
    const outcomes: PruneOutcome[] = [];
    for (const prunable of prunables) {
      call.throwIfEnded();
      const refusal = dryRun ? undefined : gate.refusal();
      outcomes.push(
        refusal === undefined
          ? await outcomeOf(prunable, call, dryRun)
          : { name: prunable.name, error: refusal },
      );
    }
    // Without the notes, the next run visits the same scopes once more.
    if (!dryRun && outcomes.every((outcome) => "removed" in outcome))
      await settle(call).catch(() => call.throwIfEnded());
    return outcomes;
  };
  return {
    prune,
    async pruneAndCompact(call, acceptClock) {
      if (acceptClock) gate.confirm();
      const outcomes = await prune(call, false);
      call.throwIfEnded();
      try {
        await compact();
        return outcomes;
      } catch (error) {
        return [...outcomes, { name: "compaction", error }];
      }
    },
  };
}

async function outcomeOf(prunable: Prunable, call: Call, dryRun: boolean): Promise<PruneOutcome> {
  const { name } = prunable;
  try {
    return { name, removed: await prunable.pruneAll(call, dryRun) };
  } catch (error) {
    call.throwIfEnded();
    return { name, error };
  }
}
