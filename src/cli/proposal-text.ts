import {
  ConfidenceSchema,
  type Proposal,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import type {
  GetProposalResponse,
  ProposalConflict,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { instantText } from "./memory-text.js";
import { enumName } from "./option-values.js";
import { indentLines, printable, printableLine } from "./printable.js";

/** Formats a proposal for a person: its target, its texts, its reasoning and its decision. */
export function proposalText(proposal: Proposal): string {
  const { oldString, newString, textsRemoved } = proposal;
  const edit = textsRemoved ? [] : [`  old text: ${indentLines(oldString)}`];
  if (!textsRemoved) edit.push(`  new text: ${indentLines(newString)}`);
  const [head = "", ...others] = proposalLines(proposal);
  return printable([head, ...edit, ...others].join("\n"));
}

/** Formats a proposal with its diff and, after a conflict, the conflicting texts. */
export function proposalDetailsText({ proposal, conflict }: GetProposalResponse): string {
  if (proposal === undefined) return "";
  const diff = proposal.textsRemoved ? [] : ["", proposal.diff.trimEnd()];
  const lines = [...proposalLines(proposal), ...diff, ...conflictLines(conflict)];
  return printable(lines.join("\n"));
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
