import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type ApproveProposalResponse,
  ApproveProposalResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { callServer, userCommand, userOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { printable, printableLine } from "./printable.js";
import { targetText } from "./proposal-text.js";

/** Options of `approve`, named after the fields of an `ApproveProposalRequest`. */
interface ApproveOptions {
  readonly editedNewString?: string;
}

const examples = `
Examples:
  $ vademecum approve --user ada 01993e8a-7c1b-7000-8000-1d2c3b4a5f60
  $ vademecum approve --user ada --edited-new-string "loves maths" 01993e8a-7c1b-7000-8000-1d2c3b4a5f60

The edit applies to the current text. Approving again changes nothing, and says so.`;

/** Creates the command `approve`, which applies a proposed edit. */
export function approveCommand(io: CommandIo): Command {
  const command = userCommand("approve", "Approve a proposed edit and apply it.")
    .argument("<id>", "The proposal's id.")
    .option(
      "--edited-new-string <text>",
      "Replaces the old text by this text instead of the proposed one. Can be empty.",
    )
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const { editedNewString } = command.opts<ApproveOptions>();
    const userId = userOf(command, io);
    await callServer(command, io, async ({ connection, options, json }) => {
      const fields = { userId, id, ...(editedNewString !== undefined && { editedNewString }) };
      const response = await connection.proposals.approveProposal(fields, options);
      await printLine(
        io.stdout,
        json
          ? toJsonString(ApproveProposalResponseSchema, response)
          : printable(approvalText(response, editedNewString !== undefined)),
      );
    });
  });
}

/** Describes an approval for a person. `gaveText`: the caller gave another new text. */
function approvalText(
  { proposal, alreadyDecided }: ApproveProposalResponse,
  gaveText: boolean,
): string {
  if (proposal === undefined) return "";
  const { resultVersion = "" } = proposal;
  const decidedBy = printableLine(proposal.decidedBy ?? "");
  const target = targetText(proposal);
  if (!alreadyDecided) return `Approved: ${target} is now at version ${resultVersion}.`;
  const outcome = gaveText ? "Your text was not used." : "Nothing was changed.";
  return `Already approved by ${decidedBy}: the edit made version ${resultVersion} of ${target}. ${outcome}`;
}
