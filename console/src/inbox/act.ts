import { signal } from "@preact/signals";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { caller, hasRole } from "../caller.js";
import { failureOf } from "../failure.js";
import { approve, reject } from "./decide.js";
import { changeNotice, detail, drafts, keepDraft, loadDetail } from "./detail-state.js";
import { applyEdit, doubts, proposedWords } from "./effect.js";
import { feedStatus } from "./feed.js";
import { isStale } from "./groups.js";
import { choose, currentIndex, rows } from "./selection.js";

/** The error of the last decision about the shown proposal. */
export const decisionError = signal<unknown>(undefined);
/** The key of the proposal that was asked about twice, and why. */
export const asked = signal<{ readonly key: string; readonly why: readonly string[] } | undefined>(
  undefined,
);
/** The key of the proposal whose reason for a rejection is being asked. */
export const rejecting = signal<string | undefined>(undefined);
export const isDeciding = signal(false);

/** Whether the shown proposal can be decided on now. */
export function canDecide(): boolean {
  const { response } = detail.value ?? {};
  const isWaiting = response?.proposal?.status === ProposalStatus.PENDING;
  const isFresh = feedStatus.value === "live" || feedStatus.value === "polling";
  return isWaiting && isFresh && hasRole("approver") && !isDeciding.value;
}

/** Whether the person made a proposal and may therefore not approve it. */
export function isOwn({ proposedBy }: Proposal): boolean {
  const { principal, credentialsInUse } = caller.value ?? {};
  return credentialsInUse === true && proposedBy === principal;
}

/** Whether the shown proposal can be approved now. */
export function canApprove(): boolean {
  const { preview, proposal } = detail.value?.response ?? {};
  if (preview === undefined || proposal === undefined || isOwn(proposal)) return false;
  return canDecide() && !isStale(preview.applicability);
}

/** Approves the shown proposal, with the typed text if there is one. Asks twice if in doubt. */
export async function approveShown(): Promise<void> {
  const { key, response } = detail.peek() ?? {};
  const { proposal, preview } = response ?? {};
  if (key === undefined || proposal === undefined || preview === undefined || !canApprove()) return;
  if (rejecting.peek() === key) return;
  const draft = drafts.peek().get(key);
  const editedWords = draft === proposedWords(proposal) ? undefined : draft;
  const before = preview.currentText ?? "";
  const after = applyEdit(proposal, before, draft ?? proposedWords(proposal));
  const why = doubts(proposal, preview.applicability, before, after);
  const known = asked.peek()?.key === key ? (asked.peek()?.why ?? []) : [];
  // A text that was changed after the question may have further reasons.
  if (why.some((reason) => !known.includes(reason))) {
    asked.value = { key, why };
    return;
  }
  await decide(key, () =>
    approve(proposal, {
      expectedVersion: preview.targetVersion,
      ...(editedWords !== undefined && { editedWords }),
    }),
  );
}

/** Rejects the shown proposal with a reason. */
export async function rejectShown(reason: string): Promise<void> {
  const { key, response } = detail.peek() ?? {};
  const { proposal } = response ?? {};
  if (key === undefined || proposal === undefined) return;
  rejecting.value = undefined;
  await decide(key, () => reject(proposal, reason));
}

/** Makes a decision, and goes to the next proposal. After a refusal, shows the proposal anew. */
async function decide(key: string, call: () => Promise<void>): Promise<void> {
  const index = currentIndex.peek();
  const next = rows.peek()[index + 1]?.key ?? rows.peek()[index - 1]?.key;
  isDeciding.value = true;
  decisionError.value = undefined;
  asked.value = undefined;
  try {
    await call();
    keepDraft(key, undefined);
    choose(rows.peek().findIndex((row) => row.key === next));
    document.querySelector<HTMLElement>(".listbox")?.focus();
  } catch (error) {
    await explainRefusal(key, error);
  } finally {
    isDeciding.value = false;
  }
}

async function explainRefusal(key: string, error: unknown): Promise<void> {
  const { reason } = failureOf(error);
  if (reason === "VERSION_MISMATCH")
    changeNotice.value =
      "The text changed while you looked. Nothing was applied. This is the edit now.";
  else decisionError.value = error;
  await loadDetail(key);
}
