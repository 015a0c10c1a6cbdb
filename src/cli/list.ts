import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { GetAllResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { addFilterOptions, filterOf } from "./filter-options.js";
import { memoryText } from "./memory-text.js";
import { wholeNumber } from "./option-values.js";

/** Options of `list`, named after the fields of a `GetAllRequest`. */
interface ListOptions {
  readonly limit?: number;
  readonly pageToken?: string;
  readonly includeSuperseded?: boolean;
}

const examples = `
Examples:
  $ vademecum list --user ada --agent sommelier
  $ vademecum list --user ada --agent sommelier --memory-type semantic --limit 100 --json`;

/** Creates the command `list`, which shows one page of a namespace's memories. */
export function listCommand(io: CommandIo): Command {
  const command = namespaceCommand("list", "List memories, newest first, page by page.")
    .option("--limit <count>", "Maximum memories per page, 1 to 1000. Default 10.", wholeNumber)
    .option(
      "--page-token <token>",
      "The token at the end of the previous page. Repeat the same filter.",
    )
    .option("--include-superseded", "Include superseded memories.")
    .addHelpText("after", examples);
  addFilterOptions(command);
  return command.action(async () => {
    const { limit, pageToken = "", includeSuperseded = false } = command.opts<ListOptions>();
    const request = {
      namespace: namespaceOf(command, io),
      limit,
      pageToken,
      includeSuperseded,
      filter: filterOf(command),
    };
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.getAll(request, options);
      if (json) {
        await printLine(io.stdout, toJsonString(GetAllResponseSchema, response));
        return;
      }
      for (const memory of response.memories) await printLine(io.stdout, memoryText(memory));
      if (response.memories.length === 0) await printLine(io.stdout, "No memories.");
      if (response.nextPageToken !== "")
        await printLine(io.stdout, `Next page: --page-token ${response.nextPageToken}`);
    });
  });
}
