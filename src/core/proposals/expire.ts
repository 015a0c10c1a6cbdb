import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Prunable } from "../pruning/prunable.js";
import type { ProposalServiceParts } from "./parts.js";
import { changeProposals, isOverdue } from "./records.js";

/** Proposals that one transaction marks as expired at most. */
const expiredPerStep = 100;

/** The proposals whose time is up, of all users: pruning marks them as expired. Reads and decisions know them without that; it tells those who watch. */
export function overdueProposals(parts: ProposalServiceParts): Prunable {
  return {
    name: "overdue_proposals",
    async pruneAll(call, dryRun) {
      let overdue = 0;
      for await (const scope of parts.store.scopes()) {
        call.throwIfEnded();
        if (scope.kind !== "user") continue;
        const ids = await overdueIds(parts, scope.userId, call);
        if (!dryRun) await expire(parts, scope.userId, ids, call);
        overdue += ids.length;
      }
      return overdue;
    },
  };
}

async function expire(
  parts: ProposalServiceParts,
  userId: string,
  overdue: readonly string[],
  call: Call,
): Promise<void> {
  const scope = userScope(userId);
  const now = instantOfMillis(parts.clock.nowMs());
  for (let from = 0; from < overdue.length; from += expiredPerStep) {
    call.throwIfEnded();
    const ids = overdue.slice(from, from + expiredPerStep);
    await changeProposals(parts, userId, ids, async (tx) => {
      for (const id of ids) {
        const proposal = await tx.get("proposals", scope, id);
        // Somebody may have been faster.
        if (proposal === undefined || !isOverdue(proposal, now)) continue;
        const expired: Proposal = { ...proposal, status: "EXPIRED" };
        tx.put("proposals", scope, id, expired);
        tx.delete("pendingProposals", scope, id);
      }
    });
  }
}

async function overdueIds(
  parts: ProposalServiceParts,
  userId: string,
  call: Call,
): Promise<string[]> {
  const scope = userScope(userId);
  const now = instantOfMillis(parts.clock.nowMs());
  await using snapshot = await parts.store.snapshot(scope);
  const ids: string[] = [];
  for await (const [id] of snapshot.scan("pendingProposals", scope)) {
    call.throwIfEnded();
    const proposal = await snapshot.get("proposals", scope, id);
    if (proposal !== undefined && isOverdue(proposal, now)) ids.push(id);
  }
  return ids;
}
