import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { decideOnce, requireStatus } from "./decide.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ProposalView, RejectInput } from "./proposal-service.js";
import { editKey, viewOf } from "./records.js";

/** Turns an edit down, and remembers it in case that it is proposed again. */
export async function rejectProposal(
  parts: ProposalServiceParts,
  input: RejectInput,
): Promise<ProposalView> {
  const { userId, id, reason, decidedBy, idempotencyKey } = input;
  const call = { rpc: "RejectProposal", userId, id, idempotencyKey, request: { reason } };
  const rejected = await decideOnce(parts, call, async (tx, proposal, timeMs) => {
    tx.put(
      "rejectedEdits",
      userScope(userId),
      editKey(proposal.agentId, proposal.target, proposal),
      id,
    );
    return {
      ...proposal,
      status: "REJECTED",
      decidedBy,
      decideTime: instantOfMillis(timeMs),
      ...(reason === "" ? {} : { decisionReason: reason }),
    };
  });
  requireStatus(rejected, "REJECTED");
  return viewOf(rejected, parts.clock.nowMs());
}
