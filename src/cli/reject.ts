import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type RejectProposalResponse,
  RejectProposalResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { callServer, userCommand, userOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { printable, printableLine } from "./printable.js";

const examples = `
Example:
  $ vademecum reject --user ada --reason "She never said so" 01993e8a-7c1b-7000-8000-1d2c3b4a5f60

The text does not change. If the same edit is proposed again, the new proposal is marked as
rejected before.`;

/** Creates the command `reject`, which rejects a proposed edit. */
export function rejectCommand(io: CommandIo): Command {
  const command = userCommand("reject", "Reject a proposed edit.")
    .argument("<id>", "The proposal's id.")
    .option("--reason <text>", "The reason, for the agent.")
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const { reason = "" } = command.opts<{ reason?: string }>();
    const userId = userOf(command, io);
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.proposals.rejectProposal({ userId, id, reason }, options);
      await printLine(
        io.stdout,
        json
          ? toJsonString(RejectProposalResponseSchema, response)
          : printable(rejectionText(response, reason !== "")),
      );
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
