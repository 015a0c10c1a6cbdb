import { Command, CommanderError, Help, type Option } from "commander";
import { connectionSettings } from "../config/client-settings.js";
import { ConfigError } from "../config/config.js";
import { contextChoice } from "../config/contexts.js";
import { errorText, VademecumError } from "../core/model/errors.js";
import { productVersion } from "../edge/version.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { completeCommandName } from "./completion/complete-command.js";
import { environmentOf } from "./contexts/environment.js";

const description = `Vademecum is a memory service for AI agents. It keeps what they learn,
finds it again, and hands back exactly as much as fits the prompt.

Start a server with \`serve\`. Store with \`add\`, and find with \`search\` or \`recall\`.
\`vademecum COMMAND --help\` explains a command.`;

const exitCodes = `
A name in brackets, such as [VADEMECUM_DATA], is an environment variable that also sets the option.
Exit codes: 0 done; 1 tried and failed; 2 a wrong command line or setting, nothing was tried.`;

/** The width of help on a terminal that tells none, and in a pipe. */
const defaultColumns = 100;

/** Runs one command and returns its exit code. Failures go to standard error. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const [name, ...words] = args;
    if (name === completeCommandName) {
      const { printCandidates } = await import("./completion/candidates.js");
      await printCandidates(io, words, commandNames, (each) => createProgram(io, each));
      return 0;
    }
    const root = await createProgram(io, name);
    // Commander would show the help of the program for an unknown command with --help.
    const isUnknown = name !== undefined && !name.startsWith("-") && !commandNames.has(name);
    await root.parseAsync(isUnknown ? [name] : args, { from: "user" });
    return 0;
  } catch (error) {
    return reportFailure(error, io);
  }
}

/** Loads the module of a command and returns the function that creates the command. */
type LoadCommand = () => Promise<(io: CommandIo) => Command>;

/**
 * The commands by their names, in groups by the headings of the help. A command loads its module
 * only when it is run, because the modules of all commands take longer to load than most commands
 * take to run.
 */
const commands: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  "Run a server:": {
    serve: async () => (await import("./serve.js")).serveCommand,
    dev: async () => (await import("./dev.js")).devCommand,
    "serve-testing": async () => (await import("./serve-testing.js")).serveTestingCommand,
    demo: async () => (await import("./demo.js")).demoCommand,
    console: async () => (await import("./console.js")).consoleCommand,
    health: async () => (await import("./health.js")).healthCommand,
    status: async () => (await import("./status.js")).statusCommand,
    jobs: async () => (await import("./jobs.js")).jobsCommand,
    verify: async () => (await import("./verify.js")).verifyCommand,
    audit: async () => (await import("./audit.js")).auditCommand,
    backup: async () => (await import("./backup.js")).backupCommand,
    restore: async () => (await import("./restore.js")).restoreCommand,
    "new-epoch": async () => (await import("./new-epoch.js")).newEpochCommand,
    move: async () => (await import("./move.js")).moveCommand,
    calibrate: async () => (await import("./calibrate.js")).calibrateCommand,
    prune: async () => (await import("./prune.js")).pruneCommand,
    forget: async () => (await import("./forget.js")).forgetCommand,
    reindex: async () => (await import("./reindex.js")).reindexCommand,
    config: async () => (await import("./config.js")).configCommand,
    keys: async () => (await import("./keys.js")).keysCommand,
    report: async () => (await import("./report.js")).reportCommand,
  },
  "Use a server:": {
    add: async () => (await import("./add.js")).addCommand,
    search: async () => (await import("./search.js")).searchCommand,
    recall: async () => (await import("./search.js")).recallCommand,
    "turn-context": async () => (await import("./turn-context.js")).turnContextCommand,
    list: async () => (await import("./list.js")).listCommand,
    count: async () => (await import("./count.js")).countCommand,
    get: async () => (await import("./get.js")).getCommand,
    update: async () => (await import("./update.js")).updateCommand,
    explain: async () => (await import("./search.js")).explainCommand,
    delete: async () => (await import("./delete.js")).deleteCommand,
    block: async () => (await import("./block.js")).blockCommand,
    skills: async () => (await import("./skills.js")).skillsCommand,
    notes: async () => (await import("./notes.js")).notesCommand,
    export: async () => (await import("./export.js")).exportCommand,
    import: async () => (await import("./import.js")).importCommand,
    mcp: async () => (await import("./mcp.js")).mcpCommand,
    test: async () => (await import("./test.js")).testCommand,
  },
  "Propose and decide on edits:": {
    propose: async () => (await import("./propose.js")).proposeCommand,
    proposals: async () => (await import("./proposals.js")).proposalsCommand,
    review: async () => (await import("./review.js")).reviewCommand,
    approve: async () => (await import("./approve.js")).approveCommand,
    reject: async () => (await import("./reject.js")).rejectCommand,
  },
  "Set up the command line:": {
    context: async () => (await import("./context.js")).contextCommand,
    completion: async () => (await import("./completion.js")).completionCommand,
  },
};

const commandNames: ReadonlySet<string> = new Set(Object.values(commands).flatMap(Object.keys));

/**
 * Creates the command line.
 *
 * @param name the name of the only command to add. If no command has this name, all are added
 */
export async function createProgram(given: CommandIo, name?: string): Promise<Command> {
  const io = { ...given };
  const root = new Command("vademecum")
    .description(description)
    .version(productVersion(), "--version", "Print the version.");
  const isKnown = commandNames.has(name ?? "");
  for (const [heading, group] of Object.entries(commands))
    for (const [each, load] of Object.entries(group))
      if (!isKnown || each === name) root.addCommand((await load())(io).helpGroup(heading));
  root.addHelpText("after", exitCodes);
  root.hook("preAction", async (_, command) => {
    io.environment = await environmentOf(command, given);
  });
  for (const command of [root, ...root.commands.flatMap((it) => [it, ...it.commands])]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns || defaultColumns,
      getErrHelpWidth: () => io.stderr.columns || defaultColumns,
    });
    command.helpOption("-h, --help", "Show this help.").helpCommand(false);
    for (const option of command.options)
      if (connectionFlags.has(option.long ?? "")) option.helpGroup(connectionHeading);
    command.configureHelp({ groupItems: connectionLast });
    command.showHelpAfterError("See --help for the allowed values.");
  }
  return root;
}

const connectionHeading = "Connection:";

/** Groups the options or commands for the help. The options of the connection are last. */
function connectionLast<T extends Command | Option>(
  all: T[],
  visible: T[],
  headingOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Help().groupItems(all, visible, headingOf);
  const connection = groups.get(connectionHeading);
  if (connection === undefined || !groups.delete(connectionHeading)) return groups;
  return groups.set(connectionHeading, connection);
}

const connectionFlags: ReadonlySet<string> = new Set(
  Object.values({ ...contextChoice, ...connectionSettings }).map(({ flag }) => `--${flag}`),
);

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
