import type { Command } from "commander";
import { MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryOrder, MemoryOrderSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import type { CommandIo } from "./command-io.js";
import { addFilterOptions, filterOf } from "./filter-options.js";
import { memoryText } from "./memory-text.js";
import { enumOption } from "./option-values.js";
import { addPageOptions, type PageFlags, printPages } from "./print-pages.js";

/** Options of `list`, named after the fields of a `GetAllRequest`. */
interface ListOptions extends PageFlags {
  readonly includeSuperseded?: boolean;
  readonly includeExpired?: boolean;
  readonly order?: MemoryOrder;
}

const examples = `
Examples:
  $ vademecum list --user ada --agent sommelier
  $ vademecum list --user ada --agent sommelier --memory-type semantic --all --json`;

/** Creates the command `list`, which shows one page of a namespace's memories. */
export function listCommand(io: CommandIo): Command {
  const command = addPageOptions(
    namespaceCommand("list", "List memories page by page."),
    "memories",
    "filter",
  )
    .addOption(
      enumOption(
        "--order <order>",
        "Order of the memories. Default newest_first.",
        MemoryOrderSchema,
      ),
    )
    .option("--include-superseded", "Include superseded memories.")
    .option("--include-expired", "Include expired memories that are not pruned yet.")
    .addHelpText("after", examples);
  addFilterOptions(command);
  return command.action(async () => {
    const {
      limit,
      pageToken,
      all = false,
      includeSuperseded = false,
      includeExpired = false,
      order = MemoryOrder.UNSPECIFIED,
    } = command.opts<ListOptions>();
    const request = {
      namespace: namespaceOf(command, io),
      limit: limit ?? (all ? 1000 : undefined),
      includeSuperseded,
      includeExpired,
      order,
      filter: filterOf(command),
    };
    await callServer(command, io, async ({ connection, options, json }) => {
      await printPages(
        io,
        { json, all, pageToken },
        {
          schema: MemorySchema,
          toText: (memory) => memoryText(memory),
          none: "No memories.",
          read: async (token) => {
            const page = { ...request, pageToken: token };
            const { memories, nextPageToken } = await connection.memoryProvider.getAll(
              page,
              options,
            );
            return { items: memories, nextPageToken };
          },
        },
      );
    });
  });
}
