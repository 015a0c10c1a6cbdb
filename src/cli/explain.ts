import type { Command } from "commander";
import {
  type ExplainResponse,
  ExplainResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, printReply } from "./client-command.js";
import type { CommandIo } from "./command-io.js";
import { queryCommand, searchRequest } from "./search.js";

const examples = `
Example:
  $ vademecum explain --user ada --agent sommelier --memory 01993e8a-7c1b-7000-8000-1d2c3b4a5f60 \\
      "which wine does Ada like?"

Give the options of the search that you want to understand.`;

/** Creates the command `explain`, which says why a search returned a memory or left it out. */
export function explainCommand(io: CommandIo): Command {
  const command = queryCommand(
    "explain",
    "Say why a search returns a memory, or leaves it out.",
    examples,
  ).requiredOption("--memory <id>", "The id of the memory.");
  return command.action(async (query: string | undefined) => {
    const { memory: id } = command.opts<{ memory: string }>();
    const request = { search: searchRequest(command, io, query), id };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.memoryProvider.explain(request, call.options);
      await printReply(io, call, ExplainResponseSchema, reply, explanationText(reply));
    });
  });
}

function explanationText({ returned, stages, respellings }: ExplainResponse): string {
  const lines = stages.map(({ name, score, rank, droppedReason }) => {
    const place = rank === undefined ? "" : `, rank ${rank}`;
    const dropped = droppedReason === "" ? "" : `: ${droppedReason}`;
    return `  ${name}: ${Number(score.toFixed(3))}${place}${dropped}`;
  });
  const read = respellings.map(({ word, terms }) => `  '${word}' is read as ${terms.join(", ")}`);
  return [returned ? "Returned." : "Not returned.", ...lines, ...read].join("\n");
}
