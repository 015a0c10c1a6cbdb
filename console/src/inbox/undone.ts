import { signal } from "@preact/signals";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { blocks, memories } from "../rpc.js";
import { keyOf } from "./inbox-state.js";
import { type VersionOrigin, wasUndone } from "./lineage.js";

const callsMax = 4;
const versionsMax = 100;

/** The keys of approved proposals whose edits were taken back since. */
const undone = signal<ReadonlySet<string>>(new Set());

/** Whether somebody has restored the text from before an approved edit, as far as is known. */
export function isUndone(proposal: Proposal): boolean {
  return undone.value.has(keyOf(proposal));
}

/** Finds out which of several approved edits were taken back since. */
export async function checkUndone(proposals: readonly Proposal[]): Promise<void> {
  const targets = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    if (proposal.status !== ProposalStatus.APPROVED || proposal.textsRemoved) continue;
    const { namespace, target } = proposal;
    const key = JSON.stringify([namespace?.userId, target.case, target.value]);
    targets.set(key, [...(targets.get(key) ?? []), proposal]);
  }
  const waiting = [...targets.values()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(next);
  };
  await Promise.all(Array.from({ length: callsMax }, work));
}

/** Checks edits of one target. */
async function check(proposals: readonly Proposal[]): Promise<void> {
  const [first] = proposals;
  if (first === undefined) return;
  try {
    const versions = await versionsOf(first);
    const next = new Set(undone.peek());
    for (const proposal of proposals)
      if (wasUndone(versions, proposal.resultVersion ?? 0n)) next.add(keyOf(proposal));
      else next.delete(keyOf(proposal));
    undone.value = next;
  } catch {
    // A target that is gone says nothing about its approvals.
  }
}

async function versionsOf({ namespace, target }: Proposal): Promise<readonly VersionOrigin[]> {
  const { userId = "", agentId = "" } = namespace ?? {};
  const id = target.value ?? "";
  if (target.case === "blockLabel") {
    const { versions } = await blocks.listBlockVersions({ userId, label: id, limit: versionsMax });
    return versions;
  }
  const space = { userId, agentId };
  const { versions } = await memories.listMemoryVersions({
    namespace: space,
    id,
    limit: versionsMax,
  });
  return versions.map(({ memory, restoredFrom }) => ({
    version: memory?.version ?? 0n,
    restoredFrom,
  }));
}
