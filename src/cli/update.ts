import { Command } from "commander";
import { UpdateResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { addFieldOptions, type MemoryFields, readContent } from "./add.js";
import { callServer, printReply } from "./client-command.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { memoryCommand, memoryNameText, namedMemoryOf, withWholeId } from "./memory-command.js";
import { wholeNumber } from "./option-values.js";

/** The paths of the fields that an option can clear, which is the same for no other field. */
const clearable = ["tags", "author", "thread_id", "metadata", "event_time", "expire_time"];

/** The names of the options that say what a field becomes. */
const fieldNames = addFieldOptions(new Command(), false).options.map((it) => it.attributeName());

/** Options of `update`, named after the fields of an `UpdateRequest`. */
interface UpdateOptions extends MemoryFields {
  readonly content?: string;
  readonly clear?: readonly string[];
  readonly expectedVersion?: number;
  readonly includeExpired?: boolean;
}

const examples = `
Examples:
  $ vademecum update --user ada --agent sommelier --content "Ada prefers dry wine" 4a5f60
  $ vademecum update --user ada --agent sommelier --status resolved 4a5f60
  $ vademecum update --user ada --agent sommelier --include-expired --clear expire_time 4a5f60

Only the given fields change.`;

/** Creates the command `update`, which changes fields of a memory. */
export function updateCommand(io: CommandIo): Command {
  const command = addFieldOptions(memoryCommand("update", "Change fields of a memory."), false)
    .option("--content <text>", "The new text; - reads it from standard input.")
    .option("--clear <fields...>", `Fields to clear: ${clearable.join(", ")}.`)
    .option("--expected-version <number>", "Change only this version.", wholeNumber)
    .option("--include-expired", "Change an expired memory too, until it is pruned.")
    .addHelpText("after", examples);
  return command.action(async (id: string | undefined) => {
    const options = command.opts<UpdateOptions>();
    const { clear = [], content, expectedVersion, includeExpired = false } = options;
    // The other options name the memory, the server and the form of the reply.
    const given = Object.entries(options).filter(([name]) => fieldNames.includes(name));
    const { tag, ...fields } = Object.fromEntries(given) as MemoryFields;
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
    const name = namedMemoryOf(command, io, id);
    const request = {
      includeExpired,
      changes,
      updateMask: { paths },
      ...(expectedVersion !== undefined && { expectedVersion: BigInt(expectedVersion) }),
    };
    await callServer(command, io, async (call) => {
      const named = await withWholeId(call, name);
      const whole = { ...request, ...named };
      const reply = await call.connection.memoryProvider.update(whole, call.options);
      const text = `Updated ${memoryNameText(named)}: version ${reply.memory?.version ?? ""}.`;
      await printReply(io, call, UpdateResponseSchema, reply, text);
    });
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
