import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { DeleteResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { printable } from "./printable.js";

const examples = `
Example:
  $ vademecum delete --user ada --agent sommelier 01993e8a-7c1b-7000-8000-1d2c3b4a5f60

Deleting a memory that does not exist is no error.`;

/** Creates the command `delete`, which deletes one memory. */
export function deleteCommand(io: CommandIo): Command {
  const command = namespaceCommand("delete", "Delete one memory.")
    .argument("<id>", "The memory's id.")
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const namespace = namespaceOf(command, io);
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.delete({ namespace, id }, options);
      const text = response.deleted
        ? `Deleted ${id}.`
        : `Nothing to delete: this namespace has no memory ${id}.`;
      await printLine(
        io.stdout,
        json ? toJsonString(DeleteResponseSchema, response) : printable(text),
      );
    });
  });
}
