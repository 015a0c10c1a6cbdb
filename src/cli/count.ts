import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CountResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { addFilterOptions, filterOf } from "./filter-options.js";

const examples = `
Examples:
  $ vademecum count --user ada --agent sommelier
  $ vademecum count --user ada --agent sommelier --tag-any wine --json`;

/** Creates the command `count`, which prints how many memories of a namespace pass a filter. */
export function countCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "count",
    "Count the memories that list shows on all pages together.",
  ).addHelpText("after", examples);
  addFilterOptions(command);
  return command.action(async () => {
    const request = { namespace: namespaceOf(command, io), filter: filterOf(command) };
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.count(request, options);
      await printLine(
        io.stdout,
        json ? toJsonString(CountResponseSchema, response) : String(response.count),
      );
    });
  });
}
