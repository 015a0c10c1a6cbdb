import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import { rejectedEditKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { mutate } from "../requests/mutate.js";
import { changeProposals, isOverdue, readProposal, requireProposal, viewOf } from "./records.js";
import type { ApproveInput, ProposalServiceParts, ProposalView, RejectInput } from "./service.js";

/**
 * Returns the decided proposal, and writes what belongs to the decision in the same transaction.
 * `timeMs` is the time of the transaction.
 */
export type Decide = (tx: Transaction, proposal: Proposal, timeMs: number) => Promise<Proposal>;

/**
 * Decides on a proposal that is pending and not overdue. Returns it with its outcome, whether this
 * call decided it or an earlier one. An error of `decide` is rethrown and changes nothing.
 *
 * @throws NOT_FOUND (PROPOSAL_NOT_FOUND) when the user has no such proposal.
 */
export async function decideOnce(
  parts: ProposalServiceParts,
  rpc: string,
  input: ApproveInput | RejectInput,
  decide: Decide,
): Promise<Proposal> {
  const { userId, id } = input;
  const scope = userScope(userId);
  const transact = () =>
    mutate(parts, { rpc, scope, input }, async (tx, nowMs) => {
      const proposal = await requireProposal(tx, userId, id);
      if (proposal.status !== "PENDING") return null;
      const timeMs = tx.commitTimeMs(nowMs);
      const decided: Proposal = isOverdue(proposal, instantOfMillis(nowMs))
        ? { ...proposal, status: "EXPIRED" }
        : await decide(tx, proposal, timeMs);
      tx.put("proposals", scope, id, decided);
      tx.delete("pendingProposals", scope, id);
      // A decision is final, so a repetition reads it from the proposal, not from a stored reply.
      return null;
    });
  await changeProposals(parts, userId, [id], transact);
  return readProposal(parts, userId, id);
}

/** Rejects an edit. Records it, so that the next proposal of the same edit refers to this one. */
export async function rejectProposal(
  parts: ProposalServiceParts,
  input: RejectInput,
): Promise<ProposalView> {
  const { userId, id, reason, decidedBy } = input;
  const rejected = await decideOnce(
    parts,
    "RejectProposal",
    input,
    async (tx, proposal, timeMs) => {
      const key = rejectedEditKey(proposal.agentId, proposal.target, proposal);
      tx.put("rejectedEdits", userScope(userId), key, id);
      return {
        ...proposal,
        status: "REJECTED",
        decidedBy,
        decideTime: instantOfMillis(timeMs),
        ...(reason === "" ? {} : { decisionReason: reason }),
      };
    },
  );
  requireStatus(rejected, "REJECTED");
  return viewOf(rejected, parts.clock.nowMs());
}

/**
 * Checks the outcome of a proposal. Requires: the proposal is not pending.
 *
 * @throws FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_REJECTED, PROPOSAL_CONFLICTED,
 *   PROPOSAL_EXPIRED) when the proposal has another outcome.
 */
export function requireStatus({ id, status }: Proposal, expected: "APPROVED" | "REJECTED"): void {
  if (status === expected) return;
  const proposal = `proposal '${id}'`;
  if (status === "APPROVED") {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "PROPOSAL_APPROVED",
      `${proposal} was approved and applied; ` +
        "to undo it, restore an earlier version or propose the opposite edit",
    );
  }
  if (status === "REJECTED") {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "PROPOSAL_REJECTED",
      `${proposal} was rejected; propose the edit again`,
    );
  }
  if (status === "CONFLICTED") {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "PROPOSAL_CONFLICTED",
      `${proposal} cannot be applied: its target was changed or deleted since. ` +
        "GetProposal returns the base, current and proposed text; propose the edit again",
    );
  }
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "PROPOSAL_EXPIRED",
    `${proposal} has expired: nobody decided on it in time. Propose the edit again`,
  );
}
