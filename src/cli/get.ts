import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { GetResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { memoryText } from "./memory-text.js";

const examples = `
Example:
  $ vademecum get --user ada --agent sommelier 01993e8a-7c1b-7000-8000-1d2c3b4a5f60`;

/** Creates the command `get`, which shows one memory. */
export function getCommand(io: CommandIo): Command {
  const command = namespaceCommand("get", "Show one memory.")
    .argument("<id>", "The memory's id.")
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const namespace = namespaceOf(command, io);
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.get({ namespace, id }, options);
      if (json) await printLine(io.stdout, toJsonString(GetResponseSchema, response));
      else if (response.memory !== undefined)
        await printLine(io.stdout, memoryText(response.memory));
    });
  });
}
