import type { Command } from "commander";
import { type PruneOutcome, PruneResponseSchema } from "#gen/vademecum/v1/admin_pb.js";
import { callServer, clientCommand, printReply } from "./client-command.js";
import { CommandFailure, type CommandIo } from "./command-io.js";

const examples = `
Examples:
  $ vademecum prune --dry-run
  $ vademecum prune

The server prunes by itself once a day. The call has no deadline.`;

/** Creates the command `prune`, which removes outdated records and compacts the store. */
export function pruneCommand(io: CommandIo): Command {
  const command = clientCommand("prune", "Remove expired and outdated records now.")
    .option("--dry-run", "Only count the records.")
    .option(
      "--accept-clock",
      "Confirm that the clock of the server's machine is right, although it is far ahead of the data.",
    )
    .addHelpText("after", examples);
  return command.action(async () => {
    const request = command.opts<{ dryRun?: boolean; acceptClock?: boolean }>();
    await callServer(command, io, async (call) => {
      const reply = await call.connection.admin.prune(request);
      const lines = reply.outcomes.map(outcomeText);
      if (reply.movedUsers > 0n)
        lines.push(`left out: ${reply.movedUsers} users, who are at ${reply.movedTo.join(", ")}`);
      await printReply(io, call, PruneResponseSchema, reply, lines.join("\n"));
      if (reply.outcomes.some(({ result }) => result.case === "error"))
        throw new CommandFailure("some kinds of records could not be pruned");
    });
  });
}

function outcomeText({ name, result }: PruneOutcome): string {
  const text = result.case === "error" ? `failed: ${result.value.message}` : (result.value ?? 0n);
  return `${name.replaceAll("_", " ")}: ${text}`;
}
