import { createHash } from "node:crypto";
import { VademecumError } from "../model/errors.js";
import { compareInstants, type Instant, instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Edit, Proposal, ProposalTarget } from "../model/proposal.js";
import type { Reader, Transaction } from "../ports/store.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ProposalView } from "./proposal-service.js";

/** Commits changes of a user's proposals and wakes those who watch them. All of them go through here. */
export async function changeProposals<T>(
  { store, wakeUps }: ProposalServiceParts,
  userId: string,
  ids: readonly string[],
  transact: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    const { result } = await store.update(userScope(userId), transact);
    return result;
  } finally {
    // Also after an error: the outcome of a write may be unknown.
    wakeUps.wake(userId, ids);
  }
}

/** Reads one proposal as it is stored. @throws NOT_FOUND (PROPOSAL_NOT_FOUND) */
export async function requireProposal(
  reader: Reader,
  userId: string,
  id: string,
): Promise<Proposal> {
  const proposal = await reader.get("proposals", userScope(userId), id);
  if (proposal === undefined)
    throw new VademecumError("NOT_FOUND", "PROPOSAL_NOT_FOUND", `proposal '${id}' not found`);
  return proposal;
}

/** The same, as it is now. */
export async function readProposal(
  { store }: ProposalServiceParts,
  userId: string,
  id: string,
): Promise<Proposal> {
  await using snapshot = await store.snapshot(userScope(userId));
  return await requireProposal(snapshot, userId, id);
}

/** Whether nobody can decide on a proposal any more because its time is up. */
export function isOverdue({ status, expireTime }: Proposal, now: Instant): boolean {
  return status === "PENDING" && compareInstants(expireTime, now) <= 0;
}

/** A proposal as it is shown at a moment. One whose time is up is expired, whether that was written down yet or not. */
export function viewOf(proposal: Proposal, nowMs: number): ProposalView {
  const view = withoutTexts(proposal);
  return isOverdue(proposal, instantOfMillis(nowMs)) ? { ...view, status: "EXPIRED" } : view;
}

/** A proposal without the texts of its target. */
export function withoutTexts({
  baseText: _base,
  conflictText: _conflict,
  approvedMemory: _memory,
  ...view
}: Proposal): ProposalView {
  return view;
}

/** Key in the `rejectedEdits` table: the same for the same edit of the same target. */
export function editKey(
  agentId: string,
  target: ProposalTarget,
  { oldString, newString, replaceAll }: Edit,
): string {
  const place = target.kind === "block" ? [target.label] : [agentId, target.id];
  return createHash("sha256")
    .update(JSON.stringify([target.kind, ...place, oldString, newString, replaceAll]))
    .digest("hex");
}
