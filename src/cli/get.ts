import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { GetResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { memoryCommand, namedMemoryOf, withWholeId } from "./memory-command.js";
import { memoryText } from "./memory-text.js";

const examples = `
Example:
  $ vademecum get --user ada --agent sommelier 4a5f60`;

/** Options of `get`, named after the fields of a `GetRequest`. */
interface GetOptions {
  readonly includeExpired?: boolean;
  readonly includeEmbedding?: boolean;
}

/** Creates the command `get`, which shows one memory. */
export function getCommand(io: CommandIo): Command {
  const command = memoryCommand("get", "Show one memory.")
    .option("--include-embedding", "Show its stored vector too.")
    .option("--include-expired", "Show an expired memory too, until it is pruned.")
    .addHelpText("after", examples);
  return command.action(async (id: string | undefined) => {
    const named = namedMemoryOf(command, io, id);
    const { includeExpired = false, includeEmbedding = false } = command.opts<GetOptions>();
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const request = { ...(await withWholeId(call, named)), includeExpired, includeEmbedding };
      const response = await connection.memoryProvider.get(request, options);
      if (json) await printLine(io.stdout, toJsonString(GetResponseSchema, response));
      else if (response.memory !== undefined)
        await printLine(io.stdout, memoryText(response.memory));
    });
  });
}
