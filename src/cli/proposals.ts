import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  ProposalSchema,
  type ProposalStatus,
  ProposalStatusSchema,
} from "#gen/vademecum/v1/proposal_pb.js";
import { GetProposalResponseSchema } from "#gen/vademecum/v1/proposal_service_pb.js";
import {
  addUserChoice,
  callServer,
  clientCommand,
  optionalUserOf,
  type ServerCall,
} from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { findProposals } from "./find-proposals.js";
import { enumOption } from "./option-values.js";
import { addPageOptions, type PageFlags, printPages } from "./print-pages.js";
import { proposalDetailsText, proposalText } from "./proposal-text.js";

/** Options of `proposals`, named after the fields of a `ListProposalsRequest`. */
interface ProposalsOptions extends PageFlags {
  readonly status?: ProposalStatus;
}

const examples = `
Examples:
  $ vademecum proposals --status pending
  $ vademecum proposals --user ada --all
  $ vademecum proposals 4a5f60

An id can be shortened to its beginning or end, at least 4 characters, where it names one proposal.`;

/** Creates the command `proposals`, which lists proposals or shows one with its diff. */
export function proposalsCommand(io: CommandIo): Command {
  const command = addUserChoice(
    clientCommand("proposals", "List proposed edits, newest first, or show one with its diff."),
  )
    .argument("[id]", "The id of the proposal to show. Default: list them.")
    .addOption(
      enumOption(
        "--status <status>",
        "Only proposals with this status. Default: any.",
        ProposalStatusSchema,
      ),
    )
    .addHelpText("after", examples);
  addPageOptions(command, "proposals", "status");
  return command.action(async (id: string | undefined) => {
    const userId = optionalUserOf(command, io);
    await callServer(command, io, async (call) => {
      if (id === undefined) await list(io, call, userId, command.opts<ProposalsOptions>());
      else await show(io, call, userId, id);
    });
  });
}

async function show(
  io: CommandIo,
  { connection, options, json }: ServerCall,
  userId: string | undefined,
  id: string,
): Promise<void> {
  for (const name of await findProposals(connection, [id], userId, options)) {
    const response = await connection.proposals.getProposal(name, options);
    await printLine(
      io.stdout,
      json ? toJsonString(GetProposalResponseSchema, response) : proposalDetailsText(response),
    );
  }
}

async function list(
  io: CommandIo,
  { connection, options, json }: ServerCall,
  userId: string | undefined,
  { status, limit, pageToken, all = false }: ProposalsOptions,
): Promise<void> {
  const fields = {
    ...(userId !== undefined && { userId }),
    ...(status !== undefined && { status }),
    limit: limit ?? (all ? 1000 : undefined),
  };
  await printPages(
    io,
    { json, all, pageToken },
    {
      schema: ProposalSchema,
      toText: proposalText,
      none: "No proposals.",
      read: async (token) => {
        const request = { ...fields, pageToken: token };
        const { proposals, nextPageToken } = await connection.proposals.listProposals(
          request,
          options,
        );
        return { items: proposals, nextPageToken };
      },
    },
  );
}
