import { Code, ConnectError } from "@connectrpc/connect";
import { Command } from "commander";
import { moveSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { moveData, planMove } from "./backups/move-data.js";
import { addSelection, selectionOf } from "./backups/scope-selection.js";
import { failedAddress } from "./call-addresses.js";
import { callFailureJson, callFailureText } from "./call-failure.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openConnection } from "./connection.js";
import { wholeNumber } from "./option-values.js";
import { createProgressLine } from "./progress-line.js";
import { createProgressReport } from "./progress-report.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum move --from 127.0.0.1:50051 --to 127.0.0.1:50052 --dry-run
  $ vademecum move --from 127.0.0.1:50051 --to 127.0.0.1:50052 --user ann
  $ vademecum move --from 127.0.0.1:50051 --to 127.0.0.1:50052

Start both servers with the address of the other one in --move-targets. Both serve during the move.
At its end, the writes of each user are held for a moment: for a fraction of a second in general, for
some seconds if a user has more than 10,000 memories. Clients repeat a held write until the deadline
of the call. After the move, the old server forwards the calls of all users to the new one. Keep it
running until no client calls it: --dry-run counts the calls that it has forwarded. After an
interruption, the same command continues the move, by default with the same
--client-address. To move the data back, exchange the servers of --from and --to.`;

/** Creates the command `move`, which moves all data between two running servers. */
export function moveCommand(io: CommandIo): Command {
  const command = new Command("move")
    .description("Move all data from one running server to another, without a stop.")
    .option(
      "--slices <number>",
      "Maximum number of parts in which users switch to the new server, one part after another. " +
        "Default: enough parts to hold the writes of each for only a moment.",
      wholeNumber,
    )
    .option("--dry-run", "Only check both servers, and count what would be copied.")
    .option("--json", "Print the result as one line of JSON, and errors as JSON.")
    .addHelpText("after", examples);
  addSelection(command, "Move");
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
    const progress = showProgress(io, json === true);
    const move = {
      from: servers.from.admin,
      to: servers.to.admin,
      fromAddress: servers.addresses.from,
      toAddress: servers.addresses.to,
      clientAddress: servers.clientAddress,
      ranges: selectionOf(command).ranges,
      slices,
      onProgress: (stage: string, detail: string) => progress.show(stage, detail),
    };
    try {
      const { text, value } = dryRun === true ? await plan(move) : await run(move);
      progress.clear();
      await printLine(io.stdout, json === true ? JSON.stringify(value) : text);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      const address = failedAddress(error);
      if (address === undefined) throw error;
      const side = address === servers.addresses.from ? "from" : "to";
      throw json === true
        ? new CommandFailure(callFailureJson(error, { side }), 1, "json")
        : new CommandFailure(failureText(error, side, address));
    } finally {
      progress.clear();
      servers.from.close();
      servers.to.close();
    }
  });
}

/** The option that names a server. */
type Side = "from" | "to";

const keyHelp: Readonly<Record<Side, string>> = {
  from: "The key for --from comes from VADEMECUM_API_KEY or --api-key-file.",
  to: "The key for --to comes from --to-api-key-file. Without this option, it is the key for --from.",
};

/** Says which server has failed the call, and why. */
function failureText(error: ConnectError, side: Side, address: string): string {
  const text = `--${side}: ${callFailureText(error, address, `--${side}`)}`;
  const isAboutKey = [Code.Unauthenticated, Code.PermissionDenied].includes(error.code);
  return isAboutKey ? `${text}\n${keyHelp[side]}` : text;
}

/** With `--json`, standard error has JSON only, so it gets no lines about the progress. */
function showProgress({ stderr }: CommandIo, isJson: boolean) {
  if (!isJson) return createProgressReport(stderr);
  const line = createProgressLine(stderr, { terminalOnly: true });
  return {
    show: (stage: string, detail: string) => line.show(`${stage}: ${detail}`),
    clear: () => line.clear(),
  };
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
    text:
      `${value.changed} of ${value.scopes} scopes (users, runs and manifests) would be copied. ` +
      `Calls would be forwarded to ${value.clientAddress}. Forwarded so far: ` +
      `${countPhrase(value.forwardedCalls, "call")}.`,
  };
}

async function run(move: Parameters<typeof moveData>[0]): Promise<Report> {
  const { longestHoldMs, ...outcome } = await moveData(move);
  const value = { ...outcome, longestHoldMs: Math.round(longestHoldMs) };
  const { scopes, rounds, clientAddress } = outcome;
  return {
    value,
    text:
      `Moved ${countPhrase(scopes, "scope")} to ${clientAddress} (rounds: ${rounds}, writes held ` +
      `for at most ${value.longestHoldMs} ms). ${move.fromAddress} forwards calls there; keep it ` +
      "running until no client calls it.",
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
  const toKeyFlag = toApiKeyFile === undefined ? "api-key-file" : "to-api-key-file";
  return {
    from: openConnection(
      { ...credentials, server: from },
      { server: "from", apiKeyFile: "api-key-file" },
    ),
    to: openConnection(toConfig, { server: "to", apiKeyFile: toKeyFlag }),
    addresses: { from, to },
    clientAddress,
  };
}
