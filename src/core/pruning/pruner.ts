import type { Call } from "../ports/call.js";
import type { Prunable } from "./prunable.js";

/** The outcome for one kind of record. */
export type PruneOutcome = { readonly name: string } & (
  | { readonly removed: number }
  | { readonly error: unknown }
);

/** Removes outdated records of all users. */
export interface Pruner {
  /**
   * Prunes one kind of record after the other. An error in one kind does not stop the others.
   * Throws the error of `Call.throwIfEnded` when the call ends.
   */
  prune(call: Call, dryRun: boolean): Promise<readonly PruneOutcome[]>;
}

export function createPruner(prunables: readonly Prunable[]): Pruner {
  return {
    async prune(call, dryRun) {
      const outcomes: PruneOutcome[] = [];
      for (const prunable of prunables) {
        call.throwIfEnded();
        outcomes.push(await outcomeOf(prunable, call, dryRun));
      }
      return outcomes;
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
