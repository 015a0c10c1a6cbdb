import { userScope } from "../model/namespace.js";
import { hasTexts, type Proposal } from "../model/proposal.js";
import { proposalByTargetKey, rejectedEditKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { createPause } from "../requests/pause.js";
import {
  completeList,
  isListComplete,
  proposalsAbout,
  putProposal,
} from "./proposals-by-target.js";

/** The labels of a block that is renamed. */
interface Labels {
  readonly label: string;
  readonly newLabel: string;
}

/**
 * Makes all proposals about a renamed block proposals about its new label. Returns their ids.
 *
 * @param onMove receives each proposal that is rewritten
 */
export async function moveProposals(
  tx: Transaction,
  userId: string,
  { label, newLabel }: Labels,
  onMove: (proposal: Proposal) => void,
): Promise<readonly string[]> {
  const scope = userScope(userId);
  if ((await tx.count("proposals", scope)) === 0) return [];
  if (!(await isListComplete(tx, scope))) await completeList(tx, scope);
  const ids = await proposalsAbout(tx, scope, { kind: "block", label });
  const pause = createPause();
  for (const id of ids) {
    await pause();
    const proposal = await tx.get("proposals", scope, id);
    if (proposal === undefined) continue;
    onMove(proposal);
    const moved: Proposal = { ...proposal, target: { kind: "block", label: newLabel } };
    tx.delete("proposalsByTarget", scope, proposalByTargetKey(proposal));
    putProposal(tx, scope, moved);
    if (proposal.status !== "REJECTED" || !hasTexts(proposal)) continue;
    const before = rejectedEditKey(proposal.agentId, proposal.target, proposal);
    if ((await tx.get("rejectedEdits", scope, before)) !== id) continue;
    tx.delete("rejectedEdits", scope, before);
    tx.put("rejectedEdits", scope, rejectedEditKey(moved.agentId, moved.target, moved), id);
  }
  return ids;
}
