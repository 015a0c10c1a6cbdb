import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config.js";
import { errorText, VademecumError } from "../core/model/errors.js";
import { productVersion } from "../version.js";
import { addCommand } from "./add.js";
import { approveCommand } from "./approve.js";
import { backupCommand } from "./backup.js";
import { calibrateCommand } from "./calibrate.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { deleteCommand } from "./delete.js";
import { getCommand } from "./get.js";
import { healthCommand } from "./health.js";
import { importCommand } from "./import.js";
import { keysCommand } from "./keys.js";
import { listCommand } from "./list.js";
import { mcpCommand } from "./mcp.js";
import { moveCommand } from "./move.js";
import { proposalsCommand } from "./proposals.js";
import { proposeCommand } from "./propose.js";
import { reindexCommand } from "./reindex.js";
import { rejectCommand } from "./reject.js";
import { restoreCommand } from "./restore.js";
import { restoredCommand } from "./restored.js";
import { recallCommand, searchCommand } from "./search.js";
import { serveCommand } from "./serve.js";
import { verifyCommand } from "./verify.js";

const description = `Vademecum is a memory service for AI agents. It keeps what they learn,
finds it again, and hands back exactly as much as fits the prompt.

Start a server with \`serve\`. Store with \`add\`, and find with \`search\` or \`recall\`.
\`vademecum COMMAND --help\` explains a command.`;

const exitCodes = `
A name in brackets, such as [VADEMECUM_DATA], is an environment variable that also sets the option.
Exit codes: 0 done; 1 tried and failed; 2 a wrong command line or setting, nothing was tried.`;

/** Runs one command and returns its exit code. Failures go to standard error. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    await program(io).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return reportFailure(error, io);
  }
}

function program(io: CommandIo): Command {
  const root = new Command("vademecum")
    .description(description)
    .version(productVersion(), "--version", "Print the version.");
  const servers = [
    serveCommand(io),
    healthCommand(io),
    verifyCommand(io),
    backupCommand(io),
    restoreCommand(io),
    restoredCommand(io),
    moveCommand(io),
    calibrateCommand(io),
    reindexCommand(io),
    keysCommand(io),
  ];
  const clients = [
    addCommand(io),
    searchCommand(io),
    recallCommand(io),
    listCommand(io),
    getCommand(io),
    deleteCommand(io),
    importCommand(io),
    mcpCommand(io),
  ];
  const proposals = [
    proposeCommand(io),
    proposalsCommand(io),
    approveCommand(io),
    rejectCommand(io),
  ];
  for (const command of servers) root.addCommand(command.helpGroup("Run a server:"));
  for (const command of clients) root.addCommand(command.helpGroup("Use a server:"));
  for (const command of proposals)
    root.addCommand(command.helpGroup("Propose and decide on edits:"));
  root.addHelpText("after", exitCodes);
  for (const command of [root, ...root.commands.flatMap((it) => [it, ...it.commands])]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    });
    command.helpOption("-h, --help", "Show this help.").helpCommand(false);
    command.showHelpAfterError("See --help for the allowed values.");
  }
  return root;
}

function reportFailure(error: unknown, io: CommandIo): number {
  // Commander has printed its own errors already. Help and version end here too, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) io.stderr.write(`error: ${problem}\n`);
    return 2;
  }
  if (error instanceof CommandFailure) {
    io.stderr.write(error.form === "json" ? `${error.message}\n` : `error: ${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof VademecumError) {
    io.stderr.write(`error: ${errorText(error)}\n`);
    return 1;
  }
  throw error;
}
