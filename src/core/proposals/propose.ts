import type { Allowance } from "../model/allowance.js";
import { type ErrorDetails, VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { scopeOf } from "../model/namespace.js";
import {
  type Confidence,
  hasTexts,
  type Proposal,
  type ProposalTarget,
} from "../model/proposal.js";
import { rejectedEditKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { putProposal, waitingTwin } from "../proposal-records/proposals-by-target.js";
import { mutate } from "../requests/mutate.js";
import type { EditResult } from "./edit.js";
import { readProposal, viewOf } from "./records.js";
import type {
  ProposalServiceParts,
  ProposalView,
  ProposeEditInput,
  ProposeEditResult,
} from "./service.js";
import {
  editTarget,
  fieldOf,
  readTarget,
  requireFit,
  targetName,
  targetNotFound,
  textOf,
  versionOf,
} from "./target.js";

/** Records an edit for a person to decide on. */
export async function proposeEdit(
  parts: ProposalServiceParts,
  input: ProposeEditInput,
  allowance?: Allowance,
): Promise<ProposeEditResult> {
  // No two principals share idempotency keys, so the request need not name the principal.
  const { proposedBy: _principal, ...request } = input;
  const { namespace } = input;
  requireEdit(input);
  const nowMs = parts.clock.nowMs();
  const { userId } = namespace;
  const scope = scopeOf(namespace);
  const compared = { ...request, confidence: input.confidence ?? defaultConfidence };
  const mutation = {
    ...{ rpc: "ProposeEdit", target: namespace, input: compared },
    stands: async (tx: Transaction, reply: { readonly id: string }) =>
      (await tx.get("proposals", scope, reply.id)) !== undefined,
  };
  const { id, waitingId } = await changeProposals(parts, userId, (changed) =>
    mutate<ProposalReply>(parts, { ...mutation, nowMs, allowance }, async (tx) => {
      const proposal = await newProposal(tx, input, nowMs, parts);
      const twin = await waitingTwin(tx, scope, proposal, instantOfMillis(nowMs));
      putProposal(tx, scope, proposal);
      changed.add(proposal.id);
      return { id: proposal.id, ...(twin !== undefined && { waitingId: twin }) };
    }),
  );
  const proposal = viewOf(await readProposal(parts, { userId }, id), nowMs);
  const message = messageAbout(proposal, waitingId);
  return { proposal, message, ...(waitingId !== undefined && { waitingId }) };
}

/** The stored reply. */
interface ProposalReply {
  readonly id: string;
  /** The id of an earlier proposal of the same edit that waited then. */
  readonly waitingId?: string;
}

/** Returns the message for the agent. It has no reasoning if the texts of the proposal are gone. */
function messageAbout(proposal: ProposalView, waitingId: string | undefined): string {
  const { target, reasoning, repeatOf } = proposal;
  const message =
    `Edit proposal created for ${targetName(target)}. ` +
    "The user will be asked to approve this change." +
    (hasTexts(proposal) ? ` Reasoning provided: ${reasoning}` : "");
  const notes = [
    ...(repeatOf === undefined
      ? []
      : [`The same edit was rejected before (proposal ${repeatOf}).`]),
    ...(waitingId === undefined ? [] : [`The same edit waits already (proposal ${waitingId}).`]),
  ];
  return notes.length === 0 ? message : `${message}\n\n${notes.join(" ")}`;
}

const defaultConfidence = "MEDIUM" satisfies Confidence;

async function newProposal(
  tx: Transaction,
  input: ProposeEditInput,
  nowMs: number,
  { ids, lifetimeMs }: Pick<ProposalServiceParts, "ids" | "lifetimeMs">,
): Promise<Proposal> {
  const {
    namespace,
    target,
    whole,
    oldString,
    newString,
    replaceAll,
    reasoning,
    confidence = defaultConfidence,
    proposedBy,
  } = input;
  const scope = scopeOf(namespace);
  const creates = whole === "BODY";
  const found = await readTarget(tx, namespace, target, instantOfMillis(nowMs), creates);
  if (found === undefined) throw targetNotFound(target);
  const base = { baseText: textOf(found), baseVersion: versionOf(found) };
  if (creates && base.baseVersion > 0 && base.baseText === newString) throw unchanged(target);
  const result = requireMatch(target, oldString, base.baseText, editTarget(found, input, base));
  requireFit(target, result, fieldOf(input));
  const timeMs = tx.commitTimeMs(nowMs);
  const id = ids.next(timeMs);
  if (!(await tx.isUnused("proposals", scope, id))) {
    throw new VademecumError(
      "ABORTED",
      "ID_COLLISION",
      "the id made for this proposal is in use; repeat the call",
    );
  }
  const key = rejectedEditKey(namespace.agentId, target, input);
  const repeatOf = await tx.get("rejectedEdits", scope, key);
  return {
    id,
    agentId: namespace.agentId,
    target,
    ...(whole === undefined ? {} : { whole }),
    oldString,
    newString,
    replaceAll,
    reasoning,
    confidence,
    status: "PENDING",
    ...base,
    createTime: instantOfMillis(timeMs),
    expireTime: instantOfMillis(timeMs + lifetimeMs),
    ...(proposedBy === undefined ? {} : { proposedBy }),
    ...(repeatOf === undefined ? {} : { repeatOf }),
  };
}

/** Refuses an edit that is invalid for every target. */
function requireEdit({ whole, oldString, newString, reasoning }: ProposeEditInput): void {
  if (whole === undefined) {
    if (oldString === newString)
      throw invalidEdit("new_string", "old_string and new_string must be different.");
    if (oldString === "") throw invalidEdit("old_string", "old_string cannot be empty.");
  }
  if (whole === "APPEND" && newString === "")
    throw invalidEdit("append", "append cannot be empty.");
  if (reasoning.trim() === "")
    throw invalidEdit("reasoning", "reasoning is required to explain the edit to the user.");
}

function invalidEdit(field: string, message: string): VademecumError {
  return new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", message, {
    fields: [{ field, description: message }],
  });
}

function unchanged(target: ProposalTarget): VademecumError {
  const message = `${targetName(target)} has exactly this text already; propose another new_body.`;
  return new VademecumError("FAILED_PRECONDITION", "TEXT_UNCHANGED", message, {
    field: "new_body",
  });
}

function requireMatch(
  target: ProposalTarget,
  oldString: string,
  text: string,
  result: EditResult,
): Extract<EditResult, { kind: "applied" | "too large" }> {
  if (result.kind === "missing") {
    const message =
      `old_string not found in ${targetName(target)}. Make sure you've read the ${target.kind} ` +
      "first and the text matches exactly (including whitespace and newlines).";
    const details = unmatched(message, lineEndHint(target, oldString, text));
    throw new VademecumError("FAILED_PRECONDITION", "OLD_STRING_NOT_FOUND", message, details);
  }
  if (result.kind === "ambiguous") {
    const { count, lines } = result;
    const named = lines.join(", ");
    const message =
      `old_string appears ${count} times in ${targetName(target)}. Provide a larger ` +
      "unique string with more surrounding context, or set replace_all=True to replace all " +
      "occurrences.";
    const hint = `Found on ${lines.length === 1 ? "line" : "lines"} ${named}.`;
    const details = { ...unmatched(message, hint), metadata: { lines: named } };
    throw new VademecumError("FAILED_PRECONDITION", "OLD_STRING_AMBIGUOUS", message, details);
  }
  // An edit of the whole text is made for the text as it is now.
  if (result.kind === "changed") throw new Error("an edit of the present text found another text");
  return result;
}

function unmatched(
  message: string,
  hint: string | undefined,
): Pick<ErrorDetails, "fields" | "hint"> {
  const description = hint === undefined ? message : `${message} ${hint}`;
  return { fields: [{ field: "old_string", description }], hint };
}

/** Returns a hint if the text has CRLF line ends and a model has probably read them as LF. */
function lineEndHint(
  { kind }: ProposalTarget,
  oldString: string,
  text: string,
): string | undefined {
  const hasLineFeed = /(?<!\r)\n/.test(oldString);
  return hasLineFeed && text.includes("\r\n") ? `The ${kind} has CRLF line ends.` : undefined;
}
