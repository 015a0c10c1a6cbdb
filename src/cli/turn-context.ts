import { type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  BuildContextResponseSchema,
  ContextFormat,
  ContextFormatSchema,
  type ContextSectionSchema,
} from "#gen/vademecum/v1/context_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { enumOption, wholeNumber } from "./option-values.js";
import { printable } from "./printable.js";

interface ContextOptions {
  readonly budgetTokens: number;
  readonly thread?: string;
  readonly run?: string;
  readonly format?: ContextFormat;
  readonly annotate: boolean;
  readonly timeZone?: string;
}

const examples = `
Examples:
  $ vademecum turn-context --user ada --agent coder --budget-tokens 800 "may I deploy today?"
  $ vademecum turn-context --user ada --agent coder --budget-tokens 2000 --thread monday \\
      --format xml "may I deploy today?" >> prompt.txt

Prints nothing when no section has content. --json shows the receipt of each section.`;

/** Creates the command `turn-context`, which prints the whole context of one turn. */
export function turnContextCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "turn-context",
    "Print the blocks, skills, memories and latest turns for a prompt, within one budget.",
  )
    .argument("[query]", "What the turn is about. Missing or empty: the newest memories.")
    .requiredOption(
      "--budget-tokens <count>",
      "Maximum tokens of the whole text, 1 to 200000.",
      wholeNumber,
    )
    .option("--thread <id>", "The thread whose latest turns to add.")
    .option("--run <id>", "The run whose notes to add.")
    .addOption(
      enumOption("--format <format>", "Form of the text. Default markdown.", ContextFormatSchema),
    )
    .option("--no-annotate", "Leave out the dates of memories and turns, and authors of memories.")
    .option(
      "--time-zone <zone>",
      "The time zone in which days count, such as Europe/Madrid or +05:30. Default: the server's.",
    )
    .addHelpText("after", examples);
  return command.action(async (query: string | undefined) => {
    const options = command.opts<ContextOptions>();
    const { budgetTokens, thread, run, annotate, timeZone = "" } = options;
    const request = {
      namespace: namespaceOf(command, io),
      query: query ?? "",
      ...{ budgetTokens, annotate, timeZone },
      format: options.format ?? ContextFormat.UNSPECIFIED,
      ...(thread !== undefined && { threadId: thread }),
      ...(run !== undefined && { sections: sectionsWith(run) }),
    };
    await callServer(command, io, async ({ connection, options: callOptions, json }) => {
      const reply = await connection.memoryProvider.buildContext(request, callOptions);
      if (json) {
        await printLine(io.stdout, toJsonString(BuildContextResponseSchema, reply));
        return;
      }
      // The text ends with a line break of its own, which its tokens include.
      const text = reply.text.replace(/\n$/, "");
      if (text !== "")
        await printLine(io.stdout, io.stdout.isTTY === true ? printable(text) : text);
    });
  });
}

/** Returns the sections of a context by default, and the notes of a run. */
function sectionsWith(runId: string): MessageInitShape<typeof ContextSectionSchema>[] {
  return [
    { section: { case: "blocks", value: {} } },
    { section: { case: "skills", value: {} } },
    { section: { case: "keys", value: { runId } } },
    { section: { case: "memories", value: {} } },
  ];
}
