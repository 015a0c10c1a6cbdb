import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Transaction } from "../ports/store.js";
import { replyOnce } from "../requests/idempotency.js";
import type { ProposalServiceParts } from "./parts.js";
import { changeProposals, isOverdue, readProposal, requireProposal } from "./records.js";

/** A call that decides on a proposal. */
export interface DecidingCall {
  /** Name of the RPC, for idempotency keys. */
  readonly rpc: string;
  readonly userId: string;
  readonly id: string;
  readonly idempotencyKey: string | undefined;
  /** The rest of what was asked. */
  readonly request: object;
}

/** Makes the decided proposal, and changes what goes with it in the same transaction. `timeMs`: the transaction's time. */
export type Decide = (tx: Transaction, proposal: Proposal, timeMs: number) => Promise<Proposal>;

/** Decides on a proposal if it still waits and its time is not up. Returns it with what was decided, now or before. @throws NOT_FOUND (PROPOSAL_NOT_FOUND), and what `decide` throws: then nothing is changed */
export async function decideOnce(
  parts: ProposalServiceParts,
  call: DecidingCall,
  decide: Decide,
): Promise<Proposal> {
  const { rpc, userId, id, idempotencyKey, request } = call;
  const nowMs = parts.clock.nowMs();
  const scope = userScope(userId);
  await changeProposals(parts, userId, [id], (tx) =>
    // A decision is final, so the proposal itself is the reply that a repeated call gets.
    replyOnce(tx, scope, { rpc, idempotencyKey, request: { ...request, id }, nowMs }, async () => {
      const proposal = await requireProposal(tx, userId, id);
      if (proposal.status !== "PENDING") return null;
      const timeMs = tx.commitTimeMs(nowMs);
      const decided: Proposal = isOverdue(proposal, instantOfMillis(nowMs))
        ? { ...proposal, status: "EXPIRED" }
        : await decide(tx, proposal, timeMs);
      tx.put("proposals", scope, id, decided);
      tx.delete("pendingProposals", scope, id);
      return null;
    }),
  );
  return readProposal(parts, userId, id);
}

/** @throws FAILED_PRECONDITION if the proposal was decided otherwise. REQUIRES: it was decided, or has expired */
export function requireStatus({ id, status }: Proposal, wanted: "APPROVED" | "REJECTED"): void {
  if (status === wanted) return;
  const proposal = `proposal '${id}'`;
  if (status === "APPROVED") {
    const message = `${proposal} was approved and applied; to undo it, restore an earlier version or propose the opposite edit`;
    throw new VademecumError("FAILED_PRECONDITION", "PROPOSAL_APPROVED", message);
  }
  if (status === "REJECTED") {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "PROPOSAL_REJECTED",
      `${proposal} was rejected; propose the edit anew`,
    );
  }
  if (status === "CONFLICTED") {
    const message = `${proposal} cannot be applied: what it edits has changed since, or is gone. GetProposal has the base, current and proposed text; propose the edit anew`;
    throw new VademecumError("FAILED_PRECONDITION", "PROPOSAL_CONFLICTED", message);
  }
  const message = `${proposal} has expired: nobody decided on it in time. Propose the edit anew`;
  throw new VademecumError("FAILED_PRECONDITION", "PROPOSAL_EXPIRED", message);
}
