import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type ApproveProposalResponse,
  ApproveProposalResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { addUserChoice, callServer, clientCommand, optionalUserOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { findProposals } from "./find-proposals.js";
import { printable, printableLine } from "./printable.js";
import { targetText } from "./proposal-text.js";

/** Options of `approve`, named after the fields of an `ApproveProposalRequest`. */
interface ApproveOptions {
  readonly editedNewString?: string;
}

const examples = `
Examples:
  $ vademecum approve 4a5f60
  $ vademecum approve 01993e8a-7c1b-7000-8000-1d2c3b4a5f60 4a5f61
  $ vademecum approve --user ada --edited-new-string "loves maths" 4a5f60

An id can be shortened to its beginning or end, at least 4 characters, where it names one proposal.
An edit applies to the current text. Approving again changes nothing, and says so. \`vademecum review\`
shows the edits and asks about each.`;

/** Creates the command `approve`, which applies a proposed edit. */
export function approveCommand(io: CommandIo): Command {
  const command = addUserChoice(clientCommand("approve", "Approve proposed edits and apply them."))
    .argument("<id...>", "The ids of the proposals.")
    .option(
      "--edited-new-string <text>",
      "Replaces the old text by this text instead of the proposed one. Can be empty.",
    )
    .addHelpText("after", examples);
  return command.action(async (ids: readonly string[]) => {
    const { editedNewString } = command.opts<ApproveOptions>();
    const userId = optionalUserOf(command, io);
    if (ids.length > 1 && editedNewString !== undefined)
      throw new CommandFailure("--edited-new-string: give one id, for one text", 2);
    await callServer(command, io, async ({ connection, options, json }) => {
      const edit = editedNewString === undefined ? {} : { editedNewString };
      for (const name of await findProposals(connection, ids, userId, options)) {
        const response = await connection.proposals.approveProposal({ ...name, ...edit }, options);
        await printLine(
          io.stdout,
          json
            ? toJsonString(ApproveProposalResponseSchema, response)
            : printable(approvalText(response, editedNewString !== undefined)),
        );
      }
    });
  });
}

/** Describes an approval for a person. `gaveText`: the caller gave another new text. */
function approvalText(
  { proposal, alreadyDecided }: ApproveProposalResponse,
  gaveText: boolean,
): string {
  if (proposal === undefined) return "";
  const { resultVersion = "", decidedBy = "" } = proposal;
  const target = targetText(proposal);
  if (!alreadyDecided) return `Approved: ${target} is now at version ${resultVersion}.`;
  const outcome = gaveText ? "Your text was not used." : "Nothing was changed.";
  const approver = printableLine(decidedBy);
  return `Already approved by ${approver}: the edit made version ${resultVersion} of ${target}. ${outcome}`;
}
