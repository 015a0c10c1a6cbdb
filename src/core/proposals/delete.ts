import type { Allowance } from "../model/allowance.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { isOverdue } from "../model/proposal.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { deleteProposalRecords } from "../proposal-records/proposals-by-target.js";
import { mutate } from "../requests/mutate.js";
import { isVisible } from "./records.js";
import type { DeleteProposalInput, ProposalServiceParts } from "./service.js";

/** Deletes a proposal on which somebody has decided, or which has expired. */
export function deleteProposal(
  parts: ProposalServiceParts,
  input: DeleteProposalInput,
  allowance?: Allowance,
): Promise<{ deleted: boolean }> {
  // `agents` limits which proposals the caller can see. It is not a part of the request.
  const { agents: _agents, ...request } = input;
  const { userId, id } = input;
  const scope = userScope(userId);
  const mutation = {
    ...{ rpc: "DeleteProposal", target: scope, input: request, allowance },
    removes: true,
  };
  return changeProposals(parts, userId, (changed) =>
    mutate(parts, mutation, async (tx, nowMs) => {
      const proposal = await tx.get("proposals", scope, id);
      if (proposal === undefined || !isVisible(input, proposal)) return { deleted: false };
      if (proposal.status === "PENDING" && !isOverdue(proposal, instantOfMillis(nowMs))) {
        throw new VademecumError(
          "FAILED_PRECONDITION",
          "PROPOSAL_PENDING",
          `proposal '${id}' waits for a decision; reject it first, and delete it then`,
        );
      }
      await deleteProposalRecords(tx, scope, proposal);
      changed.add(id);
      return { deleted: true };
    }),
  );
}
