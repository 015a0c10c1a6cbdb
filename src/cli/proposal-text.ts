import {
  ConfidenceSchema,
  type Proposal,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import {
  Applicability,
  type GetProposalResponse,
  type ProposalConflict,
  type ProposalPreview,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { instantText } from "./memory-text.js";
import { enumName } from "./option-values.js";
import { indentLines, printable, printableLine } from "./printable.js";

/** Formats a proposal for a person: its target, its texts, its reasoning and its decision. */
export function proposalText(proposal: Proposal): string {
  const edit = proposal.textsRemoved ? [] : editLines(proposal);
  const [head = "", ...others] = proposalLines(proposal);
  return printable([head, ...edit, ...others].join("\n"));
}

function editLines(proposal: Proposal): string[] {
  const { oldString, change } = proposal;
  const newText = indentLines(newTextOf(proposal));
  if (change.case === "newBody") return [`  new body: ${newText}`];
  if (change.case === "append") return [`  added at the end: ${newText}`];
  return [`  old text: ${indentLines(oldString)}`, `  new text: ${newText}`];
}

/** Returns the text that an edit puts into its target. */
export function newTextOf({ newString, change }: Proposal): string {
  return change.value ?? newString;
}

/** Formats a proposal with its diff and, after a conflict, the conflicting texts. */
export function proposalDetailsText({ proposal, conflict, preview }: GetProposalResponse): string {
  if (proposal === undefined) return "";
  const diff = proposal.textsRemoved ? [] : ["", (preview?.diff || proposal.diff).trimEnd()];
  const notes = previewNotes(preview).map((note) => `  now: ${note}`);
  const lines = [...proposalLines(proposal), ...notes, ...diff, ...conflictLines(conflict)];
  return printable(lines.join("\n"));
}

const previewTexts: { readonly [A in Applicability]?: string } = {
  [Applicability.APPLIES_TO_CHANGED_TEXT]: "the text has changed since",
  [Applicability.OLD_STRING_GONE]: "does not apply: the old text is gone",
  [Applicability.OLD_STRING_AMBIGUOUS]: "does not apply: the old text is there several times",
  [Applicability.TARGET_GONE]: "does not apply: there is no such text any more",
  [Applicability.RESULT_REFUSED]: "does not apply: the result would be too large, or blank",
  [Applicability.TEXT_CHANGED]: "does not apply: the text has changed since",
};

/** Says what is remarkable about the approval of a pending proposal now: nothing, or one note. */
export function previewNotes(preview: ProposalPreview | undefined): readonly string[] {
  const note = preview && previewTexts[preview.applicability];
  return note === undefined ? [] : [note];
}

/** Names the block or memory that a proposal edits. */
export function targetText({ target }: Proposal): string {
  return target.case === "blockLabel"
    ? `block '${printableLine(target.value)}'`
    : `memory '${printableLine(target.value ?? "")}'`;
}

function proposalLines(proposal: Proposal): string[] {
  const { namespace, status, confidence, createTime } = proposal;
  const user = `user '${printableLine(namespace?.userId ?? "")}'`;
  const head = `${targetText(proposal)} of ${user} · ${enumName(ProposalStatusSchema, status)}`;
  const attributes: [label: string, value: string | undefined][] = [
    [
      "by",
      `${printableLine(namespace?.agentId ?? "")}, confidence ${enumName(ConfidenceSchema, confidence)}`,
    ],
    ["why", proposal.reasoning],
    ["texts", proposal.textsRemoved ? `removed, because ${targetText(proposal)} was deleted` : ""],
    ["replaces all", proposal.replaceAll ? "yes" : ""],
    ["rejected before", proposal.repeatOf],
    ["expires", instantText(proposal.expireTime)],
    [
      "decided",
      proposal.decideTime === undefined
        ? ""
        : `${instantText(proposal.decideTime)} by ${printableLine(proposal.decidedBy ?? "")}`,
    ],
    ["reason", proposal.decisionReason],
    ["approved as", proposal.editedNewString],
    ["new version", proposal.resultVersion?.toString()],
    ["id", `${proposal.id} · ${instantText(createTime)}`],
  ];
  const present = attributes.filter(([, value]) => value !== undefined && value !== "");
  return [head, ...present.map(([label, value]) => `  ${label}: ${indentLines(value ?? "")}`)];
}

function conflictLines(conflict: ProposalConflict | undefined): string[] {
  if (conflict === undefined) return [];
  const { baseText, currentText, proposedText } = conflict;
  const sections: [title: string, text: string][] = [
    ["when the edit was proposed", baseText],
    ["when approval was tried", currentText ?? "(deleted)"],
    ["with the proposed edit", proposedText],
  ];
  return sections.flatMap(([title, text]) => [
    "",
    `The text ${title}:`,
    ...text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `  ${line}`),
  ]);
}
