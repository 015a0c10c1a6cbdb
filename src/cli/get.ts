import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { GetResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { findMemory } from "./find-memory.js";
import { memoryText } from "./memory-text.js";

const examples = `
Example:
  $ vademecum get --user ada --agent sommelier 4a5f60`;

/** Creates the command `get`, which shows one memory. */
export function getCommand(io: CommandIo): Command {
  const command = namespaceCommand("get", "Show one memory.")
    .argument("<id>", "The memory's id.")
    .option("--include-expired", "Show an expired memory too, until it is pruned.")
    .addHelpText("after", examples);
  return command.action(async (id: string) => {
    const namespace = namespaceOf(command, io);
    const { includeExpired = false } = command.opts<{ includeExpired?: boolean }>();
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const request = { namespace, id: await findMemory(call, namespace, id), includeExpired };
      const response = await connection.memoryProvider.get(request, options);
      if (json) await printLine(io.stdout, toJsonString(GetResponseSchema, response));
      else if (response.memory !== undefined)
        await printLine(io.stdout, memoryText(response.memory));
    });
  });
}
