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
  readonly name: "Undo" | "Propose the opposite";
  /** Takes the approval back, and returns what was done in a sentence. */
  readonly run: () => Promise<string>;
}

/**
 * Returns how to take an approval back; `undefined` if the person cannot. A block or a memory gets
 * the text of the version before, unless somebody wrote since. A person who may not restore a
 * memory proposes the text from before in its place.
 */
export function undoOf(approved: Proposal): Undo | undefined {
  const version = approved.resultVersion ?? 0n;
  if (version < 2n) return undefined;
  if (approved.target.case === "blockLabel")
    return { name: "Undo", run: () => restore(approved, version) };
  if (hasRole("curator")) return { name: "Undo", run: () => restore(approved, version) };
  if (!hasRole("proposer")) return undefined;
  return { name: "Propose the opposite", run: () => proposeOpposite(approved, version) };
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
    const { reason, message } = failureOf(error);
    return reason === "VERSION_MISMATCH"
      ? `Not undone: somebody has changed ${name} since. Compare its versions first.`
      : `Not undone: ${message}`;
  }
}

async function proposeOpposite(approved: Proposal, version: bigint): Promise<string> {
  const { userId = "", agentId = "" } = approved.namespace ?? {};
  const namespace = { userId, agentId };
  const id = approved.target.value ?? "";
  try {
    const { versions } = await memories.listMemoryVersions({ namespace, id, limit: 100 });
    const before = versions.find(({ memory }) => memory?.version === version - 1n)?.memory;
    if (before === undefined) return "Not proposed: the text from before is no longer kept.";
    await memories.proposeEdit({
      namespace,
      target: { case: "memoryId", value: id },
      change: { case: "newBody", value: before.content },
      reasoning: "Takes back an approved edit.",
      idempotencyKey: newIdempotencyKey(),
    });
    return "Proposed: the text from before the approval. Somebody else has to approve it.";
  } catch (error) {
    return `Not proposed: ${failureOf(error).message}`;
  }
}
