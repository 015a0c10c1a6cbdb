import { millisOfInstant } from "../model/instant.js";
import { type Scope, userScope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { deleteProposalRecords } from "../proposal-records/proposals-by-target.js";
import type { Prunable } from "../pruning/prunable.js";
import { createPause } from "../requests/pause.js";
import type { ProposalServiceParts } from "./service.js";

/** Maximum number of proposals that one transaction removes, so that it takes milliseconds. */
const removedPerStep = 100;

/**
 * Removes proposals that were decided or have expired long ago, as a deletion does.
 *
 * @param keepMs how long they are kept, in milliseconds
 */
export function decidedProposals(
  parts: Pick<ProposalServiceParts, "store" | "clock" | "wakeUps">,
  keepMs: number,
): Prunable {
  return {
    name: "decided_proposals",
    async pruneAll(call, dryRun) {
      const oldestMs = parts.clock.nowMs() - keepMs;
      let old = 0;
      for await (const scope of parts.store.scopes()) {
        call.throwIfEnded();
        if (scope.kind !== "user") continue;
        const ids = await oldIds(parts, scope, oldestMs, call);
        if (!dryRun) await remove(parts, scope.userId, ids, call);
        old += ids.length;
      }
      return old;
    },
  };
}

/** Whether a proposal was decided, or has expired, before a time. */
function isOld({ status, decideTime, expireTime }: Proposal, oldestMs: number): boolean {
  return status !== "PENDING" && millisOfInstant(decideTime ?? expireTime) < oldestMs;
}

async function oldIds(
  { store }: Pick<ProposalServiceParts, "store">,
  scope: Scope,
  oldestMs: number,
  call: Call,
): Promise<readonly string[]> {
  await using snapshot = await store.snapshot(scope);
  const ids: string[] = [];
  if ((await snapshot.count("proposals", scope)) === 0) return ids;
  const pause = createPause(() => call.throwIfEnded());
  for await (const [id, proposal] of snapshot.scan("proposals", scope)) {
    if (isOld(proposal, oldestMs)) ids.push(id);
    await pause();
  }
  return ids;
}

async function remove(
  parts: Pick<ProposalServiceParts, "store" | "wakeUps">,
  userId: string,
  old: readonly string[],
  call: Call,
): Promise<void> {
  const scope = userScope(userId);
  for (let from = 0; from < old.length; from += removedPerStep) {
    call.throwIfEnded();
    const ids = old.slice(from, from + removedPerStep);
    await changeProposals(parts, userId, (changed) =>
      parts.store.update(scope, async (tx) => {
        for (const id of ids) {
          // A decided proposal never changes, but it can be deleted.
          const proposal = await tx.get("proposals", scope, id);
          if (proposal === undefined) continue;
          await deleteProposalRecords(tx, scope, proposal);
          changed.add(id);
        }
      }),
    );
  }
}
