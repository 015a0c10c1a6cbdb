import type { Call } from "../call.js";
import { instantOfMillis } from "../instant.js";
import { userScope } from "../namespace.js";
import type { ProposalServiceParts } from "./parts.js";
import type { Proposal } from "./proposal.js";
import { changeProposals, isOverdue, reading } from "./records.js";

/** Proposals that one transaction marks as expired at most. */
const expiredPerStep = 100;

/** Marks the proposals of all users whose time is up as expired, and returns how many. Reads and decisions tell them from others without it; those who watch are told by it. */
export async function expireOverdueProposals(parts: ProposalServiceParts, call: Call): Promise<number> {
  let expired = 0;
  for await (const scope of parts.store.scopes()) {
    call.throwIfEnded();
    if (scope.kind === "user") expired += await expireOf(parts, scope.userId, call);
  }
  return expired;
}

async function expireOf(parts: ProposalServiceParts, userId: string, call: Call): Promise<number> {
  const scope = userScope(userId);
  const now = instantOfMillis(parts.clock.nowMs());
  const overdue = await overdueIds(parts, userId, call);
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
  return overdue.length;
}

async function overdueIds(parts: ProposalServiceParts, userId: string, call: Call): Promise<string[]> {
  const scope = userScope(userId);
  const now = instantOfMillis(parts.clock.nowMs());
  return reading(parts, userId, async (reader) => {
    const ids: string[] = [];
    for await (const [id] of reader.scan("pendingProposals", scope)) {
      call.throwIfEnded();
      const proposal = await reader.get("proposals", scope, id);
      if (proposal !== undefined && isOverdue(proposal, now)) ids.push(id);
    }
    return ids;
  });
}
