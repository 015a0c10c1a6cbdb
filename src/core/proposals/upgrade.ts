import { userScope } from "../model/namespace.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { isListComplete } from "../proposal-records/proposals-by-target.js";
import { proposalsWithoutTarget, upgradeProposals } from "../proposal-records/remove-texts.js";
import type { Prunable } from "../pruning/prunable.js";
import type { ProposalServiceParts } from "./service.js";

/**
 * Removes the texts of proposals whose target is gone. An earlier version of the server kept these
 * texts when it deleted the target. Skips users whose list of proposals by target is complete.
 */
export function earlierProposals(parts: ProposalServiceParts): Prunable {
  return {
    name: "proposals_of_deleted_targets",
    async pruneAll(call, dryRun) {
      let count = 0;
      for await (const scope of parts.store.scopes()) {
        call.throwIfEnded();
        if (scope.kind !== "user") continue;
        const ids = await idsToClean(parts, scope.userId);
        count += ids?.length ?? 0;
        if (ids !== undefined && !dryRun) await cleanUp(parts, scope.userId);
      }
      return count;
    },
  };
}

/** Returns the ids of proposals without a target. `undefined`: all proposals are up to date. */
async function idsToClean(
  { store }: ProposalServiceParts,
  userId: string,
): Promise<string[] | undefined> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  if (await isListComplete(snapshot, scope)) return undefined;
  return await proposalsWithoutTarget(snapshot, userId);
}

function cleanUp(parts: ProposalServiceParts, userId: string): Promise<unknown> {
  const nowMs = parts.clock.nowMs();
  return changeProposals(parts, userId, (changed) =>
    parts.store.update(userScope(userId), (tx) => upgradeProposals({ tx, userId, nowMs, changed })),
  );
}
