import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { isOverdue, type Proposal } from "../model/proposal.js";
import type { Reader } from "../ports/store.js";
import type { ProposalServiceParts, ProposalView, VisibleProposals } from "./service.js";

/**
 * Reads a stored proposal.
 *
 * @throws NOT_FOUND (PROPOSAL_NOT_FOUND) when the caller can see no such proposal.
 */
export async function requireProposal(
  reader: Reader,
  visible: VisibleProposals,
  id: string,
): Promise<Proposal> {
  const proposal = await reader.get("proposals", userScope(visible.userId), id);
  if (proposal === undefined || !isVisible(visible, proposal))
    throw new VademecumError("NOT_FOUND", "PROPOSAL_NOT_FOUND", `proposal '${id}' not found`);
  return proposal;
}

/**
 * Reads a stored proposal from a new snapshot.
 *
 * @throws NOT_FOUND (PROPOSAL_NOT_FOUND) when the caller can see no such proposal.
 */
export async function readProposal(
  { store }: ProposalServiceParts,
  visible: VisibleProposals,
  id: string,
): Promise<Proposal> {
  await using snapshot = await store.snapshot(userScope(visible.userId));
  return await requireProposal(snapshot, visible, id);
}

/**
 * Reads a proposal of one of many users. `undefined`: there is none, or the user has moved to
 * another server.
 */
export async function findProposal(
  { store }: ProposalServiceParts,
  userId: string,
  id: string,
): Promise<Proposal | undefined> {
  const scope = userScope(userId);
  try {
    await using snapshot = await store.snapshot(scope);
    return await snapshot.get("proposals", scope, id);
  } catch (error) {
    if (error instanceof VademecumError && error.reason === "MOVED") return undefined;
    throw error;
  }
}

/** Whether a caller can see a proposal of the user. */
export function isVisible(
  { agents = ["*"] }: Pick<VisibleProposals, "agents">,
  { agentId }: Pick<Proposal, "agentId">,
): boolean {
  return allowsId(agents, agentId);
}

/**
 * Returns a proposal as readers see it. An overdue proposal is expired even if its record does not
 * say so yet.
 */
export function viewOf(proposal: Proposal, nowMs: number): ProposalView {
  const view = withoutTargetTexts(proposal);
  return isOverdue(proposal, instantOfMillis(nowMs)) ? { ...view, status: "EXPIRED" } : view;
}

/** Returns a proposal without the texts of its target. */
function withoutTargetTexts({
  baseText: _base,
  conflictText: _conflict,
  approvedMemory: _memory,
  ...view
}: Proposal): ProposalView {
  return view;
}
