import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { DeleteResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { memoryCommand, memoryNameText, namedMemoryOf, withWholeId } from "./memory-command.js";
import { printable } from "./printable.js";

const examples = `
Example:
  $ vademecum delete --user ada --agent sommelier 4a5f60

Deleting a memory that does not exist is no error, if its whole id is given.`;

/** Creates the command `delete`, which deletes one memory. */
export function deleteCommand(io: CommandIo): Command {
  const command = memoryCommand("delete", "Delete one memory.").addHelpText("after", examples);
  return command.action(async (id: string | undefined) => {
    const given = namedMemoryOf(command, io, id);
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const named = await withWholeId(call, given);
      const name = memoryNameText(named);
      const response = await connection.memoryProvider.delete(named, options);
      const text = response.deleted
        ? `Deleted ${name}.`
        : `Nothing to delete: this namespace has no memory ${name}.`;
      await printLine(
        io.stdout,
        json ? toJsonString(DeleteResponseSchema, response) : printable(text),
      );
    });
  });
}
