import { blockOfVersion, contentOf, readVersion, writeBlock } from "../blocks/records.js";
import { changeMemory, type NewContent, withNewContent } from "../memories/change.js";
import type { Block } from "../model/block.js";
import { invalidField, VademecumError } from "../model/errors.js";
import { type Instant, instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, userScope } from "../model/namespace.js";
import { anonymous, identityOf } from "../model/principal.js";
import { isOverdue, type Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { decideOnce, requireStatus, signature } from "./decide.js";
import { applyEdit, type EditResult } from "./edit.js";
import { requireProposal, viewOf } from "./records.js";
import type { ApprovalResult, ApproveInput, ProposalServiceParts } from "./service.js";
import {
  editTarget,
  fieldOf,
  readTarget,
  requireFit,
  requireSize,
  type TargetRecord,
  targetName,
  textMaxBytes,
  textOf,
  versionOf,
} from "./target.js";

/** The edit of a memory, computed before the transaction. */
interface PreparedEdit {
  readonly namespace: Namespace;
  /** The version of the memory that was edited. */
  readonly baseVersion: number;
  readonly result: EditResult;
  /** Token count and vectors of the result. Absent if the edit could not be applied. */
  readonly newContent?: NewContent;
}

/** Thrown when the memory has changed since, and the edit now gives another text than prepared. */
class StaleContent extends Error {
  override readonly name = "StaleContent";
}

/**
 * Applies an edit once, to the present content of its target.
 *
 * Computes and embeds the new content of a memory before the transaction. If the memory changes
 * before the transaction, so that the edit gives a different text, repeats all steps.
 */
export async function approveProposal(
  parts: ProposalServiceParts,
  input: ApproveInput,
  call: Call,
): Promise<ApprovalResult> {
  for (;;) {
    call.throwIfEnded();
    try {
      const prepared = await prepareEdit(parts, input);
      if (prepared?.result.kind !== "applied") return await decide(parts, input, prepared, call);
      const { namespace, result } = prepared;
      return await withNewContent(parts, namespace, result.text, call, (newContent) =>
        decide(parts, input, { ...prepared, newContent }, call),
      );
    } catch (error) {
      if (!(error instanceof StaleContent)) throw error;
    }
  }
}

/** Applies the edit to the memory as it is now. `undefined`: there is no memory to change. */
async function prepareEdit(
  parts: ProposalServiceParts,
  input: ApproveInput,
): Promise<PreparedEdit | undefined> {
  const now = instantOfMillis(parts.clock.nowMs());
  await using snapshot = await parts.store.snapshot(userScope(input.userId));
  const proposal = await requireProposal(snapshot, input, input.id);
  if (
    proposal.target.kind !== "memory" ||
    proposal.status !== "PENDING" ||
    isOverdue(proposal, now)
  )
    return undefined;
  const namespace = { userId: input.userId, agentId: proposal.agentId };
  const found = await readTarget(snapshot, namespace, proposal.target, now, false);
  if (found === undefined) return undefined;
  const result = editTarget(found, editToApprove(proposal, input), proposal);
  return { namespace, baseVersion: versionOf(found), result };
}

async function decide(
  parts: ProposalServiceParts,
  input: ApproveInput,
  prepared: PreparedEdit | undefined,
  { allowance }: Call,
): Promise<ApprovalResult> {
  const { userId, id } = input;
  const now = instantOfMillis(parts.clock.nowMs());
  const { proposal, alreadyDecided } = await decideOnce(
    parts,
    "ApproveProposal",
    input,
    (tx, pending, timeMs) => apply(parts, input, prepared, tx, pending, now, timeMs),
    allowance,
  );
  requireStatus(proposal, "APPROVED");
  const { target, resultVersion, approvedMemory } = proposal;
  return {
    proposal: viewOf(proposal, parts.clock.nowMs()),
    alreadyDecided,
    ...(approvedMemory && { memory: approvedMemory }),
    ...(target.kind === "block" &&
      (await approvedBlock(parts, userId, target.label, resultVersion, id))),
  };
}

/** Returns the block as the approval left it, unless it was deleted since. */
async function approvedBlock(
  { store }: ProposalServiceParts,
  userId: string,
  label: string,
  resultVersion: number | undefined,
  id: string,
): Promise<{ readonly block?: Block }> {
  await using snapshot = await store.snapshot(userScope(userId));
  const version = await readVersion(snapshot, userId, label, resultVersion ?? 0);
  return version?.proposalId === id ? { block: blockOfVersion(label, version) } : {};
}

function editToApprove(proposal: Proposal, { editedNewString }: ApproveInput): Proposal {
  return { ...proposal, newString: editedNewString ?? proposal.newString };
}

/** Returns the result of the edit. Computes it only if the target changed since `prepared`. */
function resultFor(found: TargetRecord, edit: Proposal, prepared: PreparedEdit | undefined) {
  return prepared !== undefined && prepared.baseVersion === versionOf(found)
    ? prepared.result
    : editTarget(found, edit, edit);
}

/** Applies the edit in the transaction, or marks the proposal as conflicted. */
async function apply(
  parts: ProposalServiceParts,
  input: ApproveInput,
  prepared: PreparedEdit | undefined,
  tx: Transaction,
  proposal: Proposal,
  now: Instant,
  timeMs: number,
): Promise<Proposal> {
  const { userId, editedNewString, note = "" } = input;
  requireOther(proposal, input);
  requireChange(proposal, editedNewString);
  const namespace = { userId, agentId: proposal.agentId };
  const decided: Proposal = {
    ...proposal,
    ...signature(input, timeMs),
    ...(editedNewString === undefined ? {} : { editedNewString }),
    ...(note === "" ? {} : { decisionReason: note }),
  };
  const creates = proposal.baseVersion === 0;
  const found = await readTarget(tx, namespace, proposal.target, now, creates);
  requireVersion(proposal, found, input.expectedVersion);
  const result = found && resultFor(found, editToApprove(proposal, input), prepared);
  const field = editedNewString === undefined ? fieldOf(proposal) : "edited_new_string";
  if (
    found === undefined ||
    result === undefined ||
    result.kind === "missing" ||
    result.kind === "ambiguous" ||
    result.kind === "changed"
  ) {
    // GetProposal returns the proposed text of a conflict, so this text must fit as well.
    requireSize(
      proposal.target,
      applyEdit(proposal.baseText, editToApprove(proposal, input), textMaxBytes(proposal.target)),
      field,
    );
    return { ...decided, status: "CONFLICTED", ...(found && { conflictText: textOf(found) }) };
  }
  const text = requireFit(proposal.target, result, field);
  const changed = await changeTarget(parts, tx, {
    namespace,
    found,
    text,
    proposal: decided,
    prepared,
    timeMs,
  });
  return { ...decided, status: "APPROVED", ...changed };
}

/** Refuses an approval by the principal that proposed the edit. */
function requireOther({ id, proposedBy = "" }: Proposal, { decidedBy }: ApproveInput): void {
  const isSame = identityOf({ name: proposedBy }) === identityOf({ name: decidedBy });
  if (!isSame || decidedBy === anonymous.name) return;
  throw new VademecumError(
    "PERMISSION_DENIED",
    "SELF_APPROVAL",
    `your credentials proposed the edit '${id}' themselves; another principal must approve it, ` +
      "but you may reject it",
  );
}

/** Refuses an edited text that leaves the target as it is. */
function requireChange({ whole, oldString }: Proposal, edited: string | undefined): void {
  const isSame = whole === undefined ? edited === oldString : whole === "APPEND" && edited === "";
  if (!isSame) return;
  throw invalidField(
    "edited_new_string",
    whole === undefined
      ? "must differ from the proposal's old_string; to leave the text as it is, reject the proposal"
      : "must not be empty; to leave the text as it is, reject the proposal",
  );
}

/** Refuses an approval of another version of the target than the caller has seen. */
function requireVersion(
  { target }: Proposal,
  found: TargetRecord | undefined,
  expectedVersion: number | undefined,
): void {
  const version = versionOf(found);
  if (expectedVersion === undefined || expectedVersion === version) return;
  const field = "expected_version";
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `${targetName(target)} is at version ${version}, not ${expectedVersion}; read the proposal ` +
      "again and decide on its new preview",
    { field, fields: [{ field, description: `must be ${version}, the target's version now` }] },
  );
}

interface TargetChange {
  readonly namespace: Namespace;
  readonly found: TargetRecord;
  readonly text: string;
  readonly proposal: Proposal;
  readonly prepared: PreparedEdit | undefined;
  readonly timeMs: number;
}

async function changeTarget(
  parts: ProposalServiceParts,
  tx: Transaction,
  { namespace, found, text, proposal, prepared, timeMs }: TargetChange,
): Promise<{ readonly resultVersion: number; readonly approvedMemory?: Memory }> {
  if (found.kind === "block") {
    const previous = found.record;
    const content = { ...(previous && contentOf(previous)), body: text };
    const origin = { writtenBy: proposal.decidedBy ?? "", proposalId: proposal.id };
    const next = {
      userId: namespace.userId,
      label: found.label,
      content,
      tokenCount: await parts.tokens.countInTurns(text),
      previous,
      origin,
    };
    return { resultVersion: writeBlock(tx, next, timeMs).version };
  }
  const { result, newContent } = prepared ?? {};
  if (newContent === undefined || result?.kind !== "applied" || result.text !== text)
    throw new StaleContent();
  const { tokenCount, vectors: made } = newContent;
  const change = {
    changes: { content: text },
    tokenCount,
    vectors: { given: undefined, made },
    writer: proposal.decidedBy ?? anonymous.name,
    from: { proposalId: proposal.id },
  };
  const approvedMemory = await changeMemory(tx, parts, namespace, found.record, change, timeMs);
  return { resultVersion: approvedMemory.version, approvedMemory };
}
