import { instantOfMillis } from "../model/instant.js";
import { type Scope, userScope } from "../model/namespace.js";
import { hasTexts, isOverdue, type Proposal, withoutTexts } from "../model/proposal.js";
import { rejectedEditKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { createPause } from "../requests/pause.js";
import {
  completeList,
  isListComplete,
  proposalsAbout,
  putProposal,
  type Targets,
} from "./proposals-by-target.js";

/** A transaction that deletes targets of proposals. */
export interface Deletion {
  readonly tx: Transaction;
  readonly userId: string;
  /** The clock's time. */
  readonly nowMs: number;
  /** Receives the ids of the proposals that the transaction changes. */
  readonly changed: Set<string>;
}

/**
 * Removes every text of all proposals about deleted targets. Runs in the transaction that deletes
 * the targets. Pending proposals become CONFLICTED, or EXPIRED if they are overdue. Reads nothing
 * if the user has no proposals.
 */
export async function removeTextsAbout(deletion: Deletion, targets: Targets): Promise<void> {
  const { tx, userId } = deletion;
  const scope = userScope(userId);
  if ((await tx.count("proposals", scope)) === 0) return;
  if (!(await isListComplete(tx, scope))) await completeList(tx, scope);
  await removeAllTexts(deletion, scope, await proposalsAbout(tx, scope, targets));
}

async function removeAllTexts(
  deletion: Deletion,
  scope: Scope,
  ids: readonly string[],
): Promise<void> {
  const pause = createPause();
  for (const id of ids) {
    await pause();
    await removeTexts(deletion, scope, id);
  }
}

async function removeTexts(
  { tx, nowMs, changed }: Deletion,
  scope: Scope,
  id: string,
): Promise<void> {
  const proposal = await tx.get("proposals", scope, id);
  if (proposal === undefined || !hasTexts(proposal)) return;
  const { agentId, target, status } = proposal;
  if (status === "REJECTED") {
    // A later block under the same label is a new target, for which nobody has rejected the edit.
    const key = rejectedEditKey(agentId, target, proposal);
    if ((await tx.get("rejectedEdits", scope, key)) === id) tx.delete("rejectedEdits", scope, key);
  }
  putProposal(tx, scope, {
    ...withoutTexts(proposal),
    status: statusWithoutTarget(proposal, nowMs),
  });
  changed.add(id);
}

function statusWithoutTarget(proposal: Proposal, nowMs: number): Proposal["status"] {
  if (proposal.status !== "PENDING") return proposal.status;
  return isOverdue(proposal, instantOfMillis(nowMs)) ? "EXPIRED" : "CONFLICTED";
}
