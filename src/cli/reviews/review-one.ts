import type { CallOptions } from "@connectrpc/connect";
import { ConnectError } from "@connectrpc/connect";
import {
  ConfidenceSchema,
  type Proposal,
  ProposalStatus,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import type { ProposalPreview } from "#gen/vademecum/v1/proposal_service_pb.js";
import { callFailureText } from "../call-failure.js";
import type { Colours } from "../colours.js";
import { CommandFailure, type CommandIo } from "../command-io.js";
import type { Connection } from "../connection.js";
import type { ProposalName } from "../find-proposals.js";
import { enumName } from "../option-values.js";
import { indentLines, printable, printableLine } from "../printable.js";
import { newTextOf, previewNotes, targetText } from "../proposal-text.js";
import { editText } from "./edit-text.js";
import type { Questions } from "./questions.js";
import { patchText, wordDiff } from "./word-diff.js";

/** What became of one edit. */
export type Outcome = "approved" | "rejected" | "skipped" | "failed" | "quit";

/** What a review needs for each edit. */
export interface ReviewParts {
  readonly io: CommandIo;
  readonly proposals: Connection["proposals"];
  readonly options: CallOptions;
  readonly questions: Questions;
  readonly colours: Colours;
  /** The address of the server, for messages. */
  readonly server: string;
}

const prompt = "[y] approve  [n] reject  [e] edit  [s] skip  [q] quit: ";

/** Shows one edit and asks what to do with it, until that is done. `place` says which it is. */
export async function reviewOne(
  parts: ReviewParts,
  name: ProposalName,
  place: string,
): Promise<Outcome> {
  const { proposal, preview } = await parts.proposals.getProposal(name, parts.options);
  if (proposal === undefined) return "skipped";
  showEdit(parts, proposal, preview, place);
  if (proposal.status !== ProposalStatus.PENDING) {
    write(parts, `It is ${enumName(ProposalStatusSchema, proposal.status)} by now.`);
    return "skipped";
  }
  let edited: string | undefined;
  for (;;) {
    const answer = (await parts.questions.ask(prompt))?.toLowerCase();
    switch (answer) {
      case undefined:
      case "q":
        return "quit";
      case "s":
        return "skipped";
      case "y":
        return decided(parts, () => approve(parts, name, preview, edited));
      case "n": {
        const reason = await parts.questions.ask("Reason, for the agent (Enter: none): ");
        return decided(parts, () => reject(parts, name, reason ?? ""));
      }
      case "e":
        edited = await editedText(parts, proposal, edited);
        break;
      default:
        write(parts, "Answer with one of the letters y, n, e, s or q.");
    }
  }
}

function showEdit(
  parts: ReviewParts,
  proposal: Proposal,
  preview: ProposalPreview | undefined,
  place: string,
): void {
  const { io, colours } = parts;
  const { namespace, confidence, reasoning, replaceAll, repeatOf } = proposal;
  const diff = preview?.diff || proposal.diff;
  if (io.stdout.isTTY === true) io.stdout.write("\u001b[H\u001b[2J");
  const user = printableLine(namespace?.userId ?? "");
  write(parts, colours.paint("bold", `${place}  ${targetText(proposal)} of user '${user}'`));
  const agent = printableLine(namespace?.agentId ?? "");
  const facts = [
    `by ${agent}, confidence ${enumName(ConfidenceSchema, confidence)}`,
    ...(replaceAll ? ["replaces every occurrence"] : []),
    ...(repeatOf === undefined ? [] : ["the same edit was rejected before"]),
    ...previewNotes(preview),
  ];
  write(parts, colours.paint("dim", `  ${facts.join(" · ")}`));
  write(parts, `  why: ${printable(indentLines(reasoning))}\n`);
  showLines(parts, patchText(diff, colours));
}

/** Writes lines with a margin, so that no text looks like a line of the command. */
function showLines(parts: ReviewParts, lines: readonly string[]): void {
  for (const line of lines) write(parts, `${parts.colours.paint("dim", "│")} ${line}`);
  write(parts, "");
}

/** Returns the text that the person wrote; `edited`, the text before, if the editor failed. */
async function editedText(
  parts: ReviewParts,
  proposal: Proposal,
  edited: string | undefined,
): Promise<string | undefined> {
  try {
    const newText = newTextOf(proposal);
    const text = await parts.questions.paused(() => editText(edited ?? newText, parts.io));
    write(parts, "\nYour edit:");
    const isReplacement = proposal.change.case === undefined;
    showLines(parts, wordDiff(isReplacement ? proposal.oldString : newText, text, parts.colours));
    return text;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    write(parts, `error: ${error.message}`);
    return edited;
  }
}

/** Approves exactly what the person has seen: an edit of the previewed version. */
async function approve(
  { proposals, options }: ReviewParts,
  name: ProposalName,
  preview: ProposalPreview | undefined,
  editedNewString: string | undefined,
): Promise<Outcome> {
  const edit = editedNewString === undefined ? {} : { editedNewString };
  const seen = preview === undefined ? {} : { expectedVersion: preview.targetVersion };
  await proposals.approveProposal({ ...name, ...edit, ...seen }, options);
  return "approved";
}

async function reject(
  { proposals, options }: ReviewParts,
  name: ProposalName,
  reason: string,
): Promise<Outcome> {
  await proposals.rejectProposal({ ...name, reason }, options);
  return "rejected";
}

/** Makes a decision. An error of the server is shown, and the review goes on. */
async function decided(parts: ReviewParts, decide: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    write(parts, `error: ${callFailureText(error, parts.server)}`);
    // On a terminal, the next edit would cover the error.
    if (parts.io.stdout.isTTY === true) await parts.questions.ask("Press Enter to go on. ");
    return "failed";
  }
}

function write({ io }: ReviewParts, line: string): void {
  io.stdout.write(`${line}\n`);
}
