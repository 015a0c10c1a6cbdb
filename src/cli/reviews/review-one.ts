import { stripVTControlCharacters } from "node:util";
import type { CallOptions } from "@connectrpc/connect";
import { ConnectError } from "@connectrpc/connect";
import {
  ConfidenceSchema,
  type Proposal,
  ProposalStatus,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability, type ProposalPreview } from "#gen/vademecum/v1/proposal_service_pb.js";
import { countPhrase } from "../../core/text/count-phrase.js";
import { callFailureText } from "../call-failure.js";
import type { Colours } from "../colours.js";
import { CommandFailure, type CommandIo } from "../command-io.js";
import type { Connection } from "../connection.js";
import type { ProposalName } from "../find-proposals.js";
import { instantText } from "../memory-text.js";
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

/** One edit of a review. */
export interface ReviewedEdit {
  readonly name: ProposalName;
  /** Says which it is, such as `3 of 30`. */
  readonly place: string;
  /** Says what became of the edit before. Empty: there was none. */
  readonly before: string;
}

/** What became of an edit, and a sentence about it for the next screen. */
export interface Decision {
  readonly outcome: Outcome;
  readonly text: string;
}

const prompt = "[y] approve  [n] reject  [e] edit  [s] skip  [q] quit: ";
const promptToShowAll = `[v] show all  ${prompt}`;

/** Rows of a screen for the prompt and the lines of a decision. */
const promptRows = 4;

/** Shows one edit and asks what to do with it, until that is done. */
export async function reviewOne(parts: ReviewParts, edit: ReviewedEdit): Promise<Decision> {
  const { proposals, options, questions } = parts;
  const { proposal, preview } = await proposals.getProposal(edit.name, options);
  if (proposal === undefined) return { outcome: "skipped", text: "" };
  const target = targetText(proposal);
  if (proposal.status !== ProposalStatus.PENDING) {
    const status = enumName(ProposalStatusSchema, proposal.status);
    write(parts, `${edit.place}  ${target} is ${status} by now.`);
    return { outcome: "skipped", text: `Skipped: ${target} is ${status} by now.` };
  }
  let isCut = showEdit(parts, proposal, preview, edit);
  let edited: string | undefined;
  for (;;) {
    switch (await questions.askKey(isCut ? promptToShowAll : prompt)) {
      case undefined:
      case "q":
        return { outcome: "quit", text: "" };
      case "s":
        return { outcome: "skipped", text: `Skipped ${target}.` };
      case "y":
        return decided(parts, () => approve(parts, edit.name, preview, edited));
      case "n": {
        const reason = await questions.askLine("Reason, for the agent (Enter: none): ");
        if (reason === undefined && parts.io.stdin.isTTY === true) break;
        return decided(parts, () => reject(parts, edit.name, target, reason ?? ""));
      }
      case "e":
        edited = await editedText(parts, proposal, edited);
        break;
      case "v":
        showLines(parts, patchText(preview?.diff || proposal.diff, parts.colours));
        isCut = false;
        break;
      default:
        write(parts, "Answer with one of the letters y, n, e, s or q.");
    }
  }
}

/** Shows an edit on a screen of its own. Returns whether lines were cut to fit the screen. */
function showEdit(
  parts: ReviewParts,
  proposal: Proposal,
  preview: ProposalPreview | undefined,
  { place, before }: ReviewedEdit,
): boolean {
  const { io, colours } = parts;
  const { namespace, confidence, reasoning, replaceAll, repeatOf, createTime } = proposal;
  const diff = preview?.diff || proposal.diff;
  const notes = previewNotes(preview);
  // A note about an edit that applies is a fact among others.
  const applies = preview?.applicability === Applicability.APPLIES_TO_CHANGED_TEXT;
  const isTerminal = io.stdout.isTTY === true;
  if (isTerminal) io.stdout.write("\u001b[H\u001b[2J");
  const user = printableLine(namespace?.userId ?? "");
  const agent = printableLine(namespace?.agentId ?? "");
  const facts = [
    `by ${agent}, confidence ${enumName(ConfidenceSchema, confidence)}`,
    instantText(createTime).slice(0, "2026-03-08T09:30".length).replace("T", " "),
    ...(replaceAll ? ["replaces every occurrence"] : []),
    ...(applies ? notes : []),
    ...(repeatOf === undefined ? [] : ["the same edit was rejected before"]),
  ];
  const head = [
    ...(isTerminal && before !== ""
      ? [colours.paint(before.startsWith("error") ? "red" : "dim", before)]
      : []),
    colours.paint("bold", `${place}  ${targetText(proposal)} of user '${user}'`),
    colours.paint("dim", `  ${facts.join(" · ")}`),
    `  why: ${printable(indentLines(reasoning))}`,
    ...(applies ? [] : notes.map((note) => colours.paint("red", `  ${note}`))),
    "",
  ];
  for (const line of head) write(parts, line);
  const all = patchText(diff, colours);
  const shown = isTerminal ? fitting(patchText(diff, colours, true), head, io.stdout) : all;
  showLines(parts, shown);
  return shown.join("\n") !== all.join("\n");
}

/** Returns the first lines that fit on the screen after the head, and a line about the others. */
function fitting(
  lines: readonly string[],
  head: readonly string[],
  { rows, columns }: CommandIo["stdout"],
): readonly string[] {
  const rowsOf = (line: string): number =>
    Math.max(1, Math.ceil((stripVTControlCharacters(line).length + 2) / (columns || 80)));
  const sum = (some: readonly string[]): number => some.reduce((all, it) => all + rowsOf(it), 0);
  let left = (rows || 24) - promptRows - sum(head.flatMap((it) => it.split("\n")));
  if (sum(lines) <= left) return lines;
  const shown: string[] = [];
  for (const line of lines) {
    left -= rowsOf(line);
    if (left < 1) break;
    shown.push(line);
  }
  return [...shown, `… ${countPhrase(lines.length - shown.length, "more line")}`];
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
): Promise<Decision> {
  const edit = editedNewString === undefined ? {} : { editedNewString };
  const seen = preview === undefined ? {} : { expectedVersion: preview.targetVersion };
  const { proposal } = await proposals.approveProposal({ ...name, ...edit, ...seen }, options);
  const target = proposal === undefined ? "" : targetText(proposal);
  const text = `Approved: ${target} is now at version ${proposal?.resultVersion ?? ""}.`;
  return { outcome: "approved", text };
}

async function reject(
  { proposals, options }: ReviewParts,
  name: ProposalName,
  target: string,
  reason: string,
): Promise<Decision> {
  await proposals.rejectProposal({ ...name, reason }, options);
  return { outcome: "rejected", text: `Rejected the edit of ${target}.` };
}

/** Makes a decision. An error of the server is shown, and the review goes on. */
async function decided(parts: ReviewParts, decide: () => Promise<Decision>): Promise<Decision> {
  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const text = `error: ${callFailureText(error, parts.server)}`;
    // On a terminal, the next screen shows the error.
    if (parts.io.stdout.isTTY !== true) write(parts, text);
    return { outcome: "failed", text };
  }
}

function write({ io }: ReviewParts, line: string): void {
  io.stdout.write(`${line}\n`);
}
