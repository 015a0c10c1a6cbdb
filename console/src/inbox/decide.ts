import { signal } from "@preact/signals";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";
import { announce } from "../announce.js";
import { newIdempotencyKey, proposals } from "../rpc.js";
import { takeOutcome } from "./feed.js";
import { staleReasons } from "./groups.js";
import { targetName } from "./target-name.js";
import { type Undo, undoOf } from "./undo.js";

/** What the last decision did, and how it can be taken back. */
export interface Done {
  readonly text: string;
  readonly undo?: Undo | undefined;
}

export const lastDone = signal<Done | undefined>(undefined);

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
  done({
    text: response.alreadyDecided
      ? alreadyText(decided, editedWords)
      : `Approved: ${targetName(proposal)} is now version ${decided.resultVersion ?? 0n}.`,
    undo: response.alreadyDecided ? undefined : undoOf(decided),
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

/** Takes the last approval back, if that is possible. */
export async function undoLast(): Promise<void> {
  const { undo } = lastDone.peek() ?? {};
  if (undo === undefined) return;
  lastDone.value = { text: "Taking it back…" };
  done({ text: await undo.run() });
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
