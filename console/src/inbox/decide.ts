import { signal } from "@preact/signals";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";
import { announce } from "../announce.js";
import { failureOf } from "../failure.js";
import { blocks, newIdempotencyKey, proposals } from "../rpc.js";
import { appliedListeners, takeOutcome } from "./feed.js";
import { staleReasons } from "./groups.js";

/** What the last decision did, with the block version that it can be undone to. */
export interface Done {
  readonly text: string;
  readonly undo?: {
    readonly userId: string;
    readonly label: string;
    readonly version: bigint;
    readonly madeVersion: bigint;
    /** The proposal that was approved. */
    readonly approved: Proposal;
  };
}

export const lastDone = signal<Done | undefined>(undefined);

/** Names the target of a proposal for a sentence. */
export function targetName({ namespace, target }: Proposal): string {
  const kind = target.case === "blockLabel" ? "block" : "memory";
  return `${kind} ${target.value ?? ""} of ${namespace?.userId ?? ""}`;
}

/** The version that an approver has seen, and the text that replaces the proposed one. */
export interface Approval {
  readonly expectedVersion: bigint;
  readonly editedWords?: string;
}

/**
 * Approves a proposal as it was seen.
 *
 * @throws ConnectError when the server refuses it
 */
export async function approve(proposal: Proposal, approval: Approval): Promise<void> {
  const userId = proposal.namespace?.userId ?? "";
  const { expectedVersion, editedWords } = approval;
  const response = await proposals.approveProposal({
    userId,
    id: proposal.id,
    expectedVersion,
    idempotencyKey: newIdempotencyKey(),
    ...(editedWords !== undefined && { editedNewString: editedWords }),
  });
  const decided = response.proposal ?? proposal;
  const version = decided.resultVersion ?? 0n;
  const isBlock = proposal.target.case === "blockLabel" && version > 1n;
  done({
    text: response.alreadyDecided
      ? alreadyText(decided, editedWords)
      : `Approved: ${targetName(proposal)} is now version ${version}.`,
    ...(isBlock &&
      !response.alreadyDecided && {
        undo: {
          userId,
          label: proposal.target.value ?? "",
          version: version - 1n,
          madeVersion: version,
          approved: decided,
        },
      }),
  });
  takeOutcome(decided);
}

/** Says that somebody else was first, and whose text was taken. */
function alreadyText(decided: Proposal, editedWords: string | undefined): string {
  const by = decided.decidedBy ?? "somebody";
  const applied = decided.editedNewString;
  if (editedWords !== undefined && editedWords !== applied)
    return `${by} approved it before you, with another text. Your text was not used.`;
  if (editedWords === undefined && applied !== undefined)
    return `${by} approved it before you, with a text of their own. The proposed text was not used.`;
  return `${by} approved it before you. Nothing else has changed.`;
}

/** Rejects a proposal. @throws ConnectError when the server refuses it */
export async function reject(proposal: Proposal, reason: string): Promise<void> {
  const response = await proposals.rejectProposal({
    userId: proposal.namespace?.userId ?? "",
    id: proposal.id,
    reason,
    idempotencyKey: newIdempotencyKey(),
  });
  const decided = response.proposal ?? proposal;
  const by = decided.decidedBy ?? "somebody";
  done({
    text: response.alreadyDecided
      ? `${by} rejected it before you. Your reason was not kept.`
      : `Rejected: the edit of ${targetName(proposal)}.`,
  });
  takeOutcome(decided);
}

/** Takes the last approval back: restores the version before it, unless somebody wrote since. */
export async function undoLast(): Promise<void> {
  const { undo } = lastDone.value ?? {};
  if (undo === undefined) return;
  const { userId, label, version, madeVersion, approved } = undo;
  try {
    const { block } = await blocks.restoreBlock({
      userId,
      label,
      version,
      expectedVersion: madeVersion,
      idempotencyKey: newIdempotencyKey(),
    });
    done({
      text: `Undone: block ${label} of ${userId} has the text of version ${version} again, as version ${block?.version ?? ""}.`,
    });
    for (const listener of appliedListeners) listener(approved);
  } catch (error) {
    const { reason, message } = failureOf(error);
    done({
      text:
        reason === "VERSION_MISMATCH"
          ? `Not undone: somebody has changed block ${label} since. Compare its versions first.`
          : `Not undone: ${message}`,
    });
  }
}

/** Approves one of several proposals as the target is now. @throws Error with the reason */
export async function approveAsIs(proposal: Proposal): Promise<void> {
  const userId = proposal.namespace?.userId ?? "";
  const { preview } = await proposals.getProposal({ userId, id: proposal.id });
  const reason = staleReasons[preview?.applicability ?? Applicability.UNSPECIFIED];
  if (reason !== undefined) throw new Error(reason);
  await approve(proposal, { expectedVersion: preview?.targetVersion ?? 0n });
}

function done(what: Done): void {
  lastDone.value = what;
  announce(what.text);
}
