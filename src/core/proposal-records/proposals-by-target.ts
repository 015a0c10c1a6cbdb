import type { Instant } from "../model/instant.js";
import type { Scope } from "../model/namespace.js";
import { isOverdue, type Proposal } from "../model/proposal.js";
import {
  idsOfAgentProposalKey,
  proposalByTargetKey,
  proposalsOfAgentPrefix,
  proposalsOfBlockPrefix,
  proposalsOfMemoryPrefix,
  rejectedEditKey,
} from "../model/record-keys.js";
import type { Reader, Transaction } from "../ports/store.js";
import { greatestCharacter } from "../requests/key-prefix.js";
import { createPause } from "../requests/pause.js";

/** One block, or some or all memories of an agent. */
export type Targets =
  | { readonly kind: "block"; readonly label: string }
  | {
      readonly kind: "memories";
      readonly agentId: string;
      readonly ids: ReadonlySet<string> | "all";
    };

/** Writes a new or changed proposal, and its entries in the lists by target and by status. */
export function putProposal(tx: Transaction, scope: Scope, proposal: Proposal): void {
  const { id, status } = proposal;
  tx.put("proposals", scope, id, proposal);
  tx.put("proposalsByTarget", scope, proposalByTargetKey(proposal), null);
  if (status === "PENDING") tx.put("pendingProposals", scope, id, null);
  else tx.delete("pendingProposals", scope, id);
}

/** Number of a user's newest pending proposals, and of a target's, among which a twin is sought. */
const soughtMax = 100;

/**
 * Returns the id of the newest pending proposal of the same edit, or `undefined`. Looks only among
 * the newest proposals, so that the work does not grow with their number.
 */
export async function waitingTwin(
  tx: Transaction,
  scope: Scope,
  proposal: Proposal,
  now: Instant,
): Promise<string | undefined> {
  if ((await tx.count("pendingProposals", scope)) === 0) return undefined;
  const { id, agentId, target } = proposal;
  const prefix = proposalByTargetKey(proposal).slice(0, -id.length);
  const ofTarget = new Set<string>();
  const range = { reverse: true, after: prefix + greatestCharacter };
  for await (const [key] of tx.scan("proposalsByTarget", scope, range)) {
    if (!key.startsWith(prefix) || ofTarget.size === soughtMax) break;
    ofTarget.add(key.slice(prefix.length));
  }
  if (ofTarget.size === 0) return undefined;
  const edit = rejectedEditKey(agentId, target, proposal);
  let sought = 0;
  for await (const [pendingId] of tx.scan("pendingProposals", scope, { reverse: true })) {
    if (sought++ === soughtMax) break;
    if (!ofTarget.has(pendingId)) continue;
    const other = await tx.get("proposals", scope, pendingId);
    if (other === undefined || isOverdue(other, now)) continue;
    if (rejectedEditKey(other.agentId, other.target, other) === edit) return pendingId;
  }
  return undefined;
}

/** Deletes a proposal with its entries in the lists, and the note that the edit was rejected. */
export async function deleteProposalRecords(
  tx: Transaction,
  scope: Scope,
  proposal: Proposal,
): Promise<void> {
  const { id, agentId, target } = proposal;
  const edit = rejectedEditKey(agentId, target, proposal);
  if ((await tx.get("rejectedEdits", scope, edit)) === id) tx.delete("rejectedEdits", scope, edit);
  tx.delete("proposals", scope, id);
  tx.delete("proposalsByTarget", scope, proposalByTargetKey(proposal));
  tx.delete("pendingProposals", scope, id);
}

/** Returns the ids of all proposals about the targets. Requires: `isListComplete`. */
export async function proposalsAbout(
  reader: Reader,
  scope: Scope,
  targets: Targets,
): Promise<string[]> {
  if (targets.kind === "block") {
    const prefix = proposalsOfBlockPrefix(targets.label);
    return (await keysWith(reader, scope, prefix)).map((key) => key.slice(prefix.length));
  }
  const { agentId, ids } = targets;
  if (ids !== "all" && ids.size === 1) {
    // Keys about one memory are next to each other, so other proposals of the agent are not read.
    const [memoryId = ""] = ids;
    const prefix = proposalsOfMemoryPrefix(agentId, memoryId);
    return (await keysWith(reader, scope, prefix)).map((key) => key.slice(prefix.length));
  }
  const prefix = proposalsOfAgentPrefix(agentId);
  return (await keysWith(reader, scope, prefix))
    .map((key) => idsOfAgentProposalKey(prefix, key))
    .filter(({ memoryId }) => ids === "all" || ids.has(memoryId))
    .map(({ proposalId }) => proposalId);
}

/**
 * Whether the list by target (table `proposalsByTarget`) has every proposal of a user. It has not
 * if a part of the records was lost in damage.
 */
export async function isListComplete(reader: Reader, scope: Scope): Promise<boolean> {
  // The store keeps the number of records of each table, so this reads no record.
  const proposals = await reader.count("proposals", scope);
  return proposals === (await reader.count("proposalsByTarget", scope));
}

/** Makes the list by target complete. */
export async function completeList(tx: Transaction, scope: Scope): Promise<void> {
  const keys = new Set<string>();
  const pause = createPause();
  for await (const [, proposal] of tx.scan("proposals", scope)) {
    keys.add(proposalByTargetKey(proposal));
    await pause();
  }
  for (const key of await keysWith(tx, scope, "")) {
    // A backup of damaged data may have an entry but not its proposal.
    if (!keys.delete(key)) tx.delete("proposalsByTarget", scope, key);
  }
  for (const key of keys) tx.put("proposalsByTarget", scope, key, null);
}

async function keysWith(reader: Reader, scope: Scope, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  const range = prefix === "" ? {} : { after: prefix };
  const pause = createPause();
  for await (const [key] of reader.scan("proposalsByTarget", scope, range)) {
    if (!key.startsWith(prefix)) break;
    keys.push(key);
    await pause();
  }
  return keys;
}
