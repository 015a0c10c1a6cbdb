import { ConnectError } from "@connectrpc/connect";
import { Command } from "commander";
import { moveSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { moveData, planMove } from "./backups/move-data.js";
import { callFailureJson, callFailureText } from "./call-failure.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openConnection } from "./connection.js";
import { wholeNumber } from "./option-values.js";
import { createProgressLine } from "./progress-line.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum move --from 127.0.0.1:50051 --to 127.0.0.1:50052 --dry-run
  $ vademecum move --from 127.0.0.1:50051 --to 127.0.0.1:50052

Both servers run and serve during the move. Writes are held for a moment at its end: for a fraction
of a second with small users, for some seconds with users of more than 10,000 memories. The clients
repeat such a write until the deadline of the call. Afterwards the old server answers
FAILED_PRECONDITION (MOVED) with the new address. Keep it running until no client calls it. An
interrupted move is continued by the same command. The way back is the same command with the
addresses exchanged. If clients went to --client-address, name that address as --from.`;

/** Creates the command `move`, which moves all data between two running servers. */
export function moveCommand(io: CommandIo): Command {
  const command = new Command("move")
    .description("Move all data from one running server to another, without a stop.")
    .option(
      "--slices <number>",
      "Number of parts in which users are cut over. Default: as many as keep each hold short.",
      wholeNumber,
    )
    .option("--dry-run", "Only count what would be copied.")
    .option("--json", "Print the result as one line of JSON, and errors as JSON.")
    .addHelpText("after", examples);
  addSettings(command, moveSettings);
  return command.action(async () => {
    const { slices, dryRun, json } = command.opts<{
      slices?: number;
      dryRun?: boolean;
      json?: boolean;
    }>();
    if (slices !== undefined && (slices < 1 || slices > 1000))
      throw new CommandFailure("--slices: must be a number from 1 to 1,000", 2);
    const servers = openServers(command, io);
    const line = createProgressLine(io.stderr);
    const move = {
      from: servers.from.admin,
      to: servers.to.admin,
      fromAddress: servers.fromAddress,
      toAddress: servers.toAddress,
      slices,
      onProgress: (text: string) => line.show(text),
    };
    try {
      const { text, value } = dryRun === true ? await plan(move) : await run(move);
      line.clear();
      await printLine(io.stdout, json === true ? JSON.stringify(value) : text);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (json === true) throw new CommandFailure(callFailureJson(error), 1, "json");
      throw new CommandFailure(
        callFailureText(error, `${servers.fromAddress} or ${servers.toAddress}`),
      );
    } finally {
      line.clear();
      servers.from.close();
      servers.to.close();
    }
  });
}

/** The output of the command, for a person and for a program. */
interface Report {
  readonly text: string;
  readonly value: object;
}

async function plan(move: Parameters<typeof planMove>[0]): Promise<Report> {
  const value = await planMove(move);
  return {
    value,
    text: `${value.changed} of ${value.scopes} scopes (users, runs and manifests) would be copied.`,
  };
}

async function run(move: Parameters<typeof moveData>[0]): Promise<Report> {
  const { scopes, rounds, longestHoldMs } = await moveData(move);
  const value = { scopes, rounds, longestHoldMs: Math.round(longestHoldMs) };
  return {
    value,
    text:
      `Moved ${countPhrase(scopes, "scope")} to ${move.toAddress} (rounds: ${rounds}, writes held ` +
      `for at most ${value.longestHoldMs} ms). ${move.fromAddress} sends clients there; keep it ` +
      "running until none calls it.",
  };
}

function openServers(command: Command, io: CommandIo) {
  const config = readSettings(moveSettings, readFlagTexts(command, moveSettings), io.environment);
  const { from, to, clientAddress, toApiKeyFile, ...credentials } = config;
  if (from === undefined || to === undefined)
    throw new CommandFailure("--from and --to: both are needed, the addresses of two servers", 2);
  if (from === to) throw new CommandFailure("--to: must be another server than --from", 2);
  const own = { ...credentials, server: to };
  const toConfig =
    toApiKeyFile === undefined ? own : { ...own, apiKey: undefined, apiKeyFile: toApiKeyFile };
  return {
    from: openConnection({ ...credentials, server: from }),
    to: openConnection(toConfig),
    fromAddress: from,
    toAddress: clientAddress ?? to,
  };
}
