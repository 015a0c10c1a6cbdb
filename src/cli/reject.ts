import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type RejectProposalResponse,
  RejectProposalResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { addUserChoice, callServer, clientCommand, optionalUserOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { findProposals } from "./find-proposals.js";
import { printable, printableLine } from "./printable.js";

const examples = `
Example:
  $ vademecum reject --reason "She never said so" 4a5f60

An id can be shortened to its beginning or end, at least 4 characters, where it names one proposal.
The text does not change. If the same edit is proposed again, the new proposal is marked as
rejected before.`;

/** Creates the command `reject`, which rejects a proposed edit. */
export function rejectCommand(io: CommandIo): Command {
  const command = addUserChoice(clientCommand("reject", "Reject proposed edits."))
    .argument("<id...>", "The ids of the proposals.")
    .option("--reason <text>", "The reason, for the agent.")
    .addHelpText("after", examples);
  return command.action(async (ids: readonly string[]) => {
    const { reason = "" } = command.opts<{ reason?: string }>();
    const userId = optionalUserOf(command, io);
    await callServer(command, io, async ({ connection, options, json }) => {
      for (const name of await findProposals(connection, ids, userId, options)) {
        const response = await connection.proposals.rejectProposal({ ...name, reason }, options);
        await printLine(
          io.stdout,
          json
            ? toJsonString(RejectProposalResponseSchema, response)
            : printable(rejectionText(response, reason !== "")),
        );
      }
    });
  });
}

/** Describes a rejection for a person. `gaveReason`: the caller gave a reason. */
function rejectionText(
  { proposal, alreadyDecided }: RejectProposalResponse,
  gaveReason: boolean,
): string {
  if (proposal === undefined) return "";
  const { id, decidedBy = "" } = proposal;
  if (!alreadyDecided) return `Rejected ${id}.`;
  const outcome = gaveReason ? "Your reason was not used." : "Nothing was changed.";
  return `Already rejected by ${printableLine(decidedBy)}: ${id}. ${outcome}`;
}
