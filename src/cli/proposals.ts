import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type ProposalStatus, ProposalStatusSchema } from "#gen/vademecum/v1/proposal_pb.js";
import {
  GetProposalResponseSchema,
  ListProposalsResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { callServer, type ServerCall, userCommand, userOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { enumOption, wholeNumber } from "./option-values.js";
import { proposalDetailsText, proposalText } from "./proposal-text.js";

/** Options of `proposals`, named after the fields of a `ListProposalsRequest`. */
interface ProposalsOptions {
  readonly status?: ProposalStatus;
  readonly limit?: number;
  readonly pageToken?: string;
}

const examples = `
Examples:
  $ vademecum proposals --user ada --status pending
  $ vademecum proposals --user ada 01993e8a-7c1b-7000-8000-1d2c3b4a5f60`;

/** Creates the command `proposals`, which lists a user's proposals or shows one with its diff. */
export function proposalsCommand(io: CommandIo): Command {
  const command = userCommand(
    "proposals",
    "List proposed edits, newest first, or show one with its diff.",
  )
    .argument("[id]", "The id of the proposal to show. Default: list all.")
    .addOption(
      enumOption(
        "--status <status>",
        "Only proposals with this status. Default: all.",
        ProposalStatusSchema,
      ),
    )
    .option("--limit <count>", "Maximum proposals per page, 1 to 1000. Default 10.", wholeNumber)
    .option(
      "--page-token <token>",
      "The token at the end of the previous page. Repeat the same status.",
    )
    .addHelpText("after", examples);
  return command.action(async (id: string | undefined) => {
    const userId = userOf(command, io);
    await callServer(command, io, async (call) => {
      if (id === undefined) await list(io, call, { ...command.opts<ProposalsOptions>(), userId });
      else await show(io, call, { userId, id });
    });
  });
}

async function show(
  io: CommandIo,
  { connection, options, json }: ServerCall,
  request: { readonly userId: string; readonly id: string },
): Promise<void> {
  const response = await connection.proposals.getProposal(request, options);
  await printLine(
    io.stdout,
    json ? toJsonString(GetProposalResponseSchema, response) : proposalDetailsText(response),
  );
}

async function list(
  io: CommandIo,
  { connection, options, json }: ServerCall,
  request: ProposalsOptions & { readonly userId: string },
): Promise<void> {
  const { userId, status, limit, pageToken } = request;
  const fields = {
    userId,
    ...(status !== undefined && { status }),
    limit,
    ...(pageToken !== undefined && { pageToken }),
  };
  const response = await connection.proposals.listProposals(fields, options);
  if (json) {
    await printLine(io.stdout, toJsonString(ListProposalsResponseSchema, response));
    return;
  }
  for (const proposal of response.proposals) await printLine(io.stdout, proposalText(proposal));
  if (response.proposals.length === 0) await printLine(io.stdout, "No proposals.");
  if (response.nextPageToken !== "")
    await printLine(io.stdout, `Next page: --page-token ${response.nextPageToken}`);
}
