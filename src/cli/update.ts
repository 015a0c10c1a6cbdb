import type { Command } from "commander";
import { UpdateResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { addFieldOptions, type MemoryFields, readContent } from "./add.js";
import { callServer, namespaceCommand, namespaceOf, printReply } from "./client-command.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { wholeNumber } from "./option-values.js";

/** The paths of the fields that an option can clear, which is the same for no other field. */
const clearable = ["tags", "author", "thread_id", "metadata", "event_time", "expire_time"];

/** Options of `update`, named after the fields of an `UpdateRequest`. */
interface UpdateOptions extends MemoryFields {
  readonly content?: string;
  readonly clear?: readonly string[];
  readonly expectedVersion?: number;
}

const examples = `
Examples:
  $ vademecum update --user ada --agent sommelier --content "Ada prefers dry wine" 01993e8a-7c1b-7000-8000-1d2c3b4a5f60
  $ vademecum update --user ada --agent sommelier --status resolved 01993e8a-7c1b-7000-8000-1d2c3b4a5f60

Only the given fields change.`;

/** Creates the command `update`, which changes fields of a memory. */
export function updateCommand(io: CommandIo): Command {
  const command = addFieldOptions(
    namespaceCommand("update", "Change fields of a memory.").argument("<id>", "The memory's id."),
    false,
  )
    .option("--content <text>", "The new text; - reads it from standard input.")
    .option("--clear <fields...>", `Fields to clear: ${clearable.join(", ")}.`)
    .option("--expected-version <number>", "Change only this version.", wholeNumber)
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const { tag, clear = [], content, expectedVersion, ...fields } = command.opts<UpdateOptions>();
    const unknown = clear.find((field) => !clearable.includes(field));
    if (unknown !== undefined)
      throw new CommandFailure(`--clear: '${unknown}' is none of ${clearable.join(", ")}`, 2);
    const changes = {
      ...fields,
      ...(content !== undefined && { content: content === "-" ? await readContent(io) : content }),
      ...(tag !== undefined && { tags: tag }),
    };
    const paths = [...Object.keys(changes).map(snakeCase), ...clear];
    if (paths.length === 0)
      throw new CommandFailure("give at least one field to change, such as --content", 2);
    const request = {
      namespace: namespaceOf(command, io),
      id,
      changes,
      updateMask: { paths },
      ...(expectedVersion !== undefined && { expectedVersion: BigInt(expectedVersion) }),
    };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.memoryProvider.update(request, call.options);
      const text = `Updated ${id}: version ${reply.memory?.version ?? ""}.`;
      await printReply(io, call, UpdateResponseSchema, reply, text);
    });
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
