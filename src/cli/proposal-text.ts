import {
  ConfidenceSchema,
  type Proposal,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import type {
  GetProposalResponse,
  ProposalConflict,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { printable } from "./command-io.js";
import { instantText } from "./memory-text.js";
import { enumName } from "./option-values.js";

/** A proposal for a person to read: what it is about, and why. */
export function proposalText(proposal: Proposal): string {
  return printable(proposalLines(proposal).join("\n"));
}

/** The same with its diff, and with the texts that stood against each other. */
export function proposalDetailsText({ proposal, conflict }: GetProposalResponse): string {
  if (proposal === undefined) return "";
  const diff = proposal.textsRemoved ? [] : ["", proposal.diff.trimEnd()];
  const lines = [...proposalLines(proposal), ...diff, ...conflictLines(conflict)];
  return printable(lines.join("\n"));
}

/** What a proposal edits. */
export function targetText({ target }: Proposal): string {
  return target.case === "blockLabel"
    ? `block '${target.value}'`
    : `memory '${target.value ?? ""}'`;
}

function proposalLines(proposal: Proposal): string[] {
  const { namespace, status, confidence, createTime } = proposal;
  const facts = [
    proposal.id,
    enumName(ProposalStatusSchema, status),
    targetText(proposal),
    instantText(createTime),
  ];
  const attributes: [label: string, value: string | undefined][] = [
    ["by", `${namespace?.agentId ?? ""}, confidence ${enumName(ConfidenceSchema, confidence)}`],
    ["why", proposal.reasoning],
    ["texts", proposal.textsRemoved ? `removed, because ${targetText(proposal)} was deleted` : ""],
    ["replaces all", proposal.replaceAll ? "yes" : ""],
    ["rejected before", proposal.repeatOf],
    ["expires", instantText(proposal.expireTime)],
    [
      "decided",
      proposal.decideTime === undefined
        ? ""
        : `${instantText(proposal.decideTime)} by ${proposal.decidedBy ?? ""}`,
    ],
    ["reason", proposal.decisionReason],
    ["approved as", proposal.editedNewString],
    ["made version", proposal.resultVersion?.toString()],
  ];
  const shown = attributes.filter(([, value]) => value !== undefined && value !== "");
  return [facts.join(" · "), ...shown.map(([label, value]) => `  ${label}: ${value}`)];
}

function conflictLines(conflict: ProposalConflict | undefined): string[] {
  if (conflict === undefined) return [];
  const { baseText, currentText, proposedText } = conflict;
  const sections: [title: string, text: string][] = [
    ["when it was proposed", baseText],
    ["when it was to be approved", currentText ?? "(gone)"],
    ["as it was to be", proposedText],
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
