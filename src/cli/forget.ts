import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type ErasureCounts, ErasureReceiptSchema } from "#gen/vademecum/v1/admin_pb.js";
import { callServer, clientCommand } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";

const examples = `
Examples:
  $ vademecum forget ada --dry-run
  $ vademecum forget ada --receipt receipts.jsonl
  $ vademecum forget ada --run trip-7 --run trip-8 --receipt receipts.jsonl
  $ vademecum forget --run trip-9

The call also compacts the store. It has no deadline. If it fails, repeat it.`;

interface ForgetOptions {
  readonly run: readonly string[];
  readonly dryRun?: boolean;
  readonly receipt?: string;
}

/** Creates the command `forget`, which erases a user or runs for good. */
export function forgetCommand(io: CommandIo): Command {
  const command = clientCommand(
    "forget",
    "Erase everything of a user or of runs, for good, and print a receipt.",
  )
    .argument("[user]", "The user to erase.")
    .option("--run <id>", "A run to erase. May be given several times.", collect, [])
    .option("--dry-run", "Only count what would be erased.")
    .option("--receipt <file>", "Append the receipt to a file, for restore --receipts.")
    .addHelpText("after", examples);
  return command.action(async (userId: string | undefined) => {
    const { run: runIds, dryRun = false, receipt: file } = command.opts<ForgetOptions>();
    if (userId === undefined && runIds.length === 0)
      throw new CommandFailure("name a user, or a run with --run", 2);
    const request = {
      ...(userId !== undefined && { userId }),
      ...{ runIds: [...runIds], dryRun, idempotencyKey: randomUUID() },
    };
    await callServer(command, io, async ({ connection, json }) => {
      const { receipt } = await connection.admin.forgetUser(request);
      if (receipt === undefined) throw new CommandFailure("the server sent no receipt");
      const text = toJsonString(ErasureReceiptSchema, receipt);
      if (file !== undefined && !dryRun) await appendFile(file, `${text}\n`, { mode: 0o600 });
      const { counts } = receipt;
      const lines = [dryRun ? "Would erase:" : "Erased:", ...(counts ? countLines(counts) : [])];
      await printLine(io.stdout, json ? text : lines.join("\n"));
    });
  });
}

function countLines(erased: ErasureCounts): readonly string[] {
  const { $typeName: _, ...counts } = erased;
  return Object.entries(counts).map(
    ([kind, count]) =>
      `  ${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count as bigint}`,
  );
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
