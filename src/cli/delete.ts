import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { DeleteResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { findMemory } from "./find-memory.js";
import { printable } from "./printable.js";

const examples = `
Example:
  $ vademecum delete --user ada --agent sommelier 4a5f60

Deleting a memory that does not exist is no error, if its whole id is given.`;

/** Creates the command `delete`, which deletes one memory. */
export function deleteCommand(io: CommandIo): Command {
  const command = namespaceCommand("delete", "Delete one memory.")
    .argument("<id>", "The memory's id.")
    .addHelpText("after", examples);
  return command.action(async (given: string) => {
    const namespace = namespaceOf(command, io);
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const id = await findMemory(call, namespace, given);
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
