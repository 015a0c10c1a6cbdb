import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { hasRole } from "../caller.js";
import { failureOf } from "../failure.js";
import { blocks, memories, newIdempotencyKey } from "../rpc.js";
import { appliedListeners } from "./feed.js";
import { targetName } from "./target-name.js";
import { checkUndone } from "./undone.js";

/** How an approval can be taken back. */
export interface Undo {
  /** What it would do, for the button. */
  readonly name: "Undo" | "Delete the new block" | "Propose the opposite";
  /** Takes the approval back, and returns what was done in a sentence. */
  readonly run: () => Promise<string>;
}

/**
 * Returns how to take an approval back; `undefined` if the person cannot. A block or a memory gets
 * the text of the version before, and a block that the approval made is deleted, unless somebody
 * wrote since. A person without the role for this proposes it instead.
 */
export function undoOf(approved: Proposal): Undo | undefined {
  const version = approved.resultVersion ?? 0n;
  const isBlock = approved.target.case === "blockLabel";
  if (version < 1n || (version === 1n && !isBlock)) return undefined;
  if (version === 1n && hasRole("curator"))
    return { name: "Delete the new block", run: () => deleteCreated(approved) };
  if (version > 1n && hasRole(isBlock ? "approver" : "curator"))
    return { name: "Undo", run: () => restore(approved, version) };
  if (!hasRole("proposer")) return undefined;
  return { name: "Propose the opposite", run: () => proposeOpposite(approved, version) };
}

async function deleteCreated(approved: Proposal): Promise<string> {
  const userId = approved.namespace?.userId ?? "";
  const label = approved.target.value ?? "";
  const idempotencyKey = newIdempotencyKey();
  try {
    await blocks.deleteBlock({ userId, label, expectedVersion: 1n, idempotencyKey });
    for (const listener of appliedListeners) listener(approved);
    return `Undone: ${targetName(approved)} was deleted, and the texts of its proposals with it.`;
  } catch (error) {
    return notUndone(approved, error);
  }
}

function notUndone(approved: Proposal, error: unknown): string {
  const { reason, message } = failureOf(error);
  return reason === "VERSION_MISMATCH"
    ? `Not undone: somebody has changed ${targetName(approved)} since. Compare its versions first.`
    : `Not undone: ${message}`;
}

async function restore(approved: Proposal, expectedVersion: bigint): Promise<string> {
  const { userId = "", agentId = "" } = approved.namespace ?? {};
  const version = expectedVersion - 1n;
  const request = { version, expectedVersion, idempotencyKey: newIdempotencyKey() };
  const id = approved.target.value ?? "";
  const name = targetName(approved);
  try {
    const { version: made } =
      approved.target.case === "blockLabel"
        ? ((await blocks.restoreBlock({ userId, label: id, ...request })).block ?? {})
        : ((await memories.restoreMemory({ namespace: { userId, agentId }, id, ...request }))
            .memory ?? {});
    for (const listener of appliedListeners) listener(approved);
    void checkUndone([approved]);
    return `Undone: ${name} has the text of version ${version} again, as version ${made ?? ""}.`;
  } catch (error) {
    return notUndone(approved, error);
  }
}

async function proposeOpposite(approved: Proposal, version: bigint): Promise<string> {
  const { userId = "", agentId = "" } = approved.namespace ?? {};
  const { target } = approved;
  try {
    const newBody = await textBefore(approved, version);
    if (newBody === undefined) return "Not proposed: the text from before is no longer kept.";
    await memories.proposeEdit({
      namespace: { userId, agentId },
      target,
      change: { case: "newBody", value: newBody },
      reasoning: "Takes back an approved edit.",
      idempotencyKey: newIdempotencyKey(),
    });
    return version === 1n
      ? "Proposed: an empty text. Somebody else has to approve it. Only a curator can delete the block."
      : "Proposed: the text from before the approval. Somebody else has to approve it.";
  } catch (error) {
    return `Not proposed: ${failureOf(error).message}`;
  }
}

/** Returns the text before an approval. That of a block which the approval made is empty. */
async function textBefore(approved: Proposal, version: bigint): Promise<string | undefined> {
  if (version === 1n) return "";
  const { userId = "", agentId = "" } = approved.namespace ?? {};
  const request = { namespace: { userId, agentId }, id: approved.target.value ?? "", limit: 100 };
  const { versions } = await memories.listMemoryVersions(request);
  return versions.find(({ memory }) => memory?.version === version - 1n)?.memory?.content;
}
