import type { Allowance } from "../model/allowance.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { hasTexts, isOverdue, type Proposal } from "../model/proposal.js";
import { rejectedEditKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { putProposal } from "../proposal-records/proposals-by-target.js";
import { mutate } from "../requests/mutate.js";
import { readProposal, requireProposal, viewOf } from "./records.js";
import type { ApproveInput, Decision, ProposalServiceParts, RejectInput } from "./service.js";

/**
 * Returns the decided proposal. Writes the other records of the decision in the same transaction.
 * `timeMs` is the time of the transaction.
 */
export type Decide = (tx: Transaction, proposal: Proposal, timeMs: number) => Promise<Proposal>;

/** A stored proposal after a decision. */
export interface StoredDecision {
  readonly proposal: Proposal;
  /** Whether an earlier call decided. */
  readonly alreadyDecided: boolean;
}

/**
 * Decides on a pending proposal. An overdue proposal becomes expired instead. Returns the proposal
 * with its outcome, and whether an earlier call decided it. An error of `decide` is rethrown and
 * changes nothing.
 *
 * @throws NOT_FOUND (PROPOSAL_NOT_FOUND) when the caller can see no such proposal.
 */
export async function decideOnce(
  parts: ProposalServiceParts,
  rpc: string,
  input: ApproveInput | RejectInput,
  decide: Decide,
  allowance?: Allowance,
): Promise<StoredDecision> {
  // `agents` limits which proposals the caller can see. It is not a part of the request.
  const { agents: _agents, ...request } = input;
  const { userId, id } = input;
  const scope = userScope(userId);
  const removes = rpc === "RejectProposal";
  const mutation = { rpc, target: scope, input: request, allowance, removes };
  const { alreadyDecided } = await changeProposals(parts, userId, (changed) =>
    mutate<DecisionReply>(parts, mutation, async (tx, nowMs) => {
      const proposal = await requireProposal(tx, input, id);
      if (proposal.status !== "PENDING") return { alreadyDecided: true };
      const timeMs = tx.commitTimeMs(nowMs);
      const decided: Proposal = isOverdue(proposal, instantOfMillis(nowMs))
        ? { ...proposal, status: "EXPIRED" }
        : await decide(tx, proposal, timeMs);
      putProposal(tx, scope, decided);
      changed.add(id);
      return { alreadyDecided: false };
    }),
  );
  // A decision is final, so a repeated call reads it from the proposal, not from a stored reply.
  const proposal = await readProposal(parts, input, id);
  return { proposal, alreadyDecided };
}

/** The stored reply to a decision. */
interface DecisionReply {
  readonly alreadyDecided: boolean;
}

/**
 * Rejects an edit. Records the rejection, so that the next proposal of the same edit refers to it.
 */
export async function rejectProposal(
  parts: ProposalServiceParts,
  input: RejectInput,
  allowance?: Allowance,
): Promise<Decision> {
  const { userId, id, reason } = input;
  const { proposal: rejected, alreadyDecided } = await decideOnce(
    parts,
    "RejectProposal",
    input,
    async (tx, proposal, timeMs) => {
      const key = rejectedEditKey(proposal.agentId, proposal.target, proposal);
      tx.put("rejectedEdits", userScope(userId), key, id);
      return {
        ...proposal,
        status: "REJECTED",
        ...signature(input, timeMs),
        ...(reason === "" ? {} : { decisionReason: reason }),
      };
    },
    allowance,
  );
  requireStatus(rejected, "REJECTED");
  return { proposal: viewOf(rejected, parts.clock.nowMs()), alreadyDecided };
}

/** Returns who decided, and when. */
export function signature(
  { decidedBy, decidedFor }: Pick<RejectInput, "decidedBy" | "decidedFor">,
  timeMs: number,
): Pick<Proposal, "decidedBy" | "decidedFor" | "decideTime"> {
  return {
    decidedBy,
    ...(decidedFor === undefined ? {} : { decidedFor }),
    decideTime: instantOfMillis(timeMs),
  };
}

/**
 * Checks the outcome of a proposal. Requires: the proposal is not pending.
 *
 * @throws FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_REJECTED, PROPOSAL_CONFLICTED,
 *   PROPOSAL_EXPIRED) when the proposal has another outcome.
 */
export function requireStatus(decided: Proposal, expected: "APPROVED" | "REJECTED"): void {
  const { id, status } = decided;
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
      hasTexts(decided)
        ? `${proposal} cannot be applied: its target was changed or deleted since, or has expired. ` +
            "GetProposal returns the base, current and proposed text; propose the edit again"
        : `${proposal} cannot be applied: its target was deleted, and its texts were removed`,
    );
  }
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "PROPOSAL_EXPIRED",
    `${proposal} has expired: nobody decided on it in time. Propose the edit again`,
  );
}
