import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { isOverdue } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { putProposal } from "../proposal-records/proposals-by-target.js";
import type { Prunable } from "../pruning/prunable.js";
import { createPause } from "../requests/pause.js";
import type { ProposalServiceParts } from "./service.js";

/** Maximum number of proposals that one transaction marks as expired. */
const expiredPerStep = 100;

/**
 * Marks the overdue proposals of all users as expired. Reads and decisions treat these proposals as
 * expired even without the mark. The mark notifies watchers.
 */
export function overdueProposals(parts: ProposalServiceParts): Prunable {
  return {
    name: "overdue_proposals",
    async pruneAll(call, dryRun) {
      let overdue = 0;
      for await (const scope of parts.store.scopes()) {
        call.throwIfEnded();
        if (scope.kind !== "user") continue;
        const ids = await overdueIds(parts, scope.userId, call);
        overdue += dryRun ? ids.length : await expire(parts, scope.userId, ids, call);
      }
      return overdue;
    },
  };
}

/** Marks proposals as expired. Returns the number of marked proposals. */
async function expire(
  parts: ProposalServiceParts,
  userId: string,
  overdue: readonly string[],
  call: Call,
): Promise<number> {
  let marked = 0;
  for (let from = 0; from < overdue.length; from += expiredPerStep) {
    call.throwIfEnded();
    const ids = overdue.slice(from, from + expiredPerStep);
    marked += await changeProposals(parts, userId, (changed) =>
      markExpired(parts, userId, ids, changed),
    );
  }
  return marked;
}

async function markExpired(
  { store, clock }: ProposalServiceParts,
  userId: string,
  ids: readonly string[],
  changed: Set<string>,
): Promise<number> {
  const scope = userScope(userId);
  const now = instantOfMillis(clock.nowMs());
  const { result } = await store.update(scope, async (tx) => {
    let marked = 0;
    for (const id of ids) {
      const proposal = await tx.get("proposals", scope, id);
      // Another call may have decided the proposal, or marked it as expired, since.
      if (proposal === undefined || !isOverdue(proposal, now)) continue;
      putProposal(tx, scope, { ...proposal, status: "EXPIRED" });
      changed.add(id);
      marked += 1;
    }
    return marked;
  });
  return result;
}

async function overdueIds(
  parts: ProposalServiceParts,
  userId: string,
  call: Call,
): Promise<string[]> {
  const scope = userScope(userId);
  const now = instantOfMillis(parts.clock.nowMs());
  await using snapshot = await parts.store.snapshot(scope);
  const pause = createPause();
  const ids: string[] = [];
  for await (const [id] of snapshot.scan("pendingProposals", scope)) {
    call.throwIfEnded();
    const proposal = await snapshot.get("proposals", scope, id);
    if (proposal !== undefined && isOverdue(proposal, now)) ids.push(id);
    await pause();
  }
  return ids;
}
