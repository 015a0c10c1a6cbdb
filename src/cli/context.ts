import { resolve } from "node:path";
import { Argument, Command } from "commander";
import { connectionSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import {
  type Context,
  contextChoice,
  contextSettings,
  parseContextName,
} from "../config/contexts.js";
import { environmentName } from "../config/setting.js";
import { groupCommand } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openConnection } from "./connection.js";
import { changeContexts, contextOf, readContexts } from "./contexts/context-file.js";
import { settingParser } from "./option-values.js";
import { printableLine } from "./printable.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum context add home --server 127.0.0.1:50051 --user ada --agent coder
  $ vademecum context add work --server https://memory.example.com:50051 --api-key-file ~/work.key
  $ vademecum context use work
  $ vademecum search --context home "Can I deploy on Friday?"

A context holds the address, key, TLS options, user and agent of commands that call a server. For a
setting, the first of these counts: the flag, the variable, the context. A context's key goes to the
context's address only. Contexts are in vademecum/contexts.json in XDG_CONFIG_HOME or ~/.config,
which only you can read.`;

/** Creates the command `context`, which keeps addresses and keys of servers under names. */
export function contextCommand(io: CommandIo): Command {
  const group = groupCommand(
    "context",
    "Keep addresses and keys of servers under names. Alone: list them.",
    [add(io), use(io), remove(io)],
    examples,
  );
  return group.addCommand(list(io), { isDefault: true });
}

function nameArgument(placeholder = "<context>"): Argument {
  return new Argument(placeholder, "The name of the context.").argParser(
    settingParser(parseContextName),
  );
}

function add(io: CommandIo): Command {
  const command = new Command("add")
    .description("Add a context with the given settings.")
    .addArgument(nameArgument("<name>"))
    .addHelpText(
      "after",
      `
Settings of variables such as ${environmentName("server")} are kept too. So is the key in ${environmentName("api-key")},
in a file that only you can read.`,
    );
  addSettings(command, contextSettings);
  return command.action(async (name: string) => {
    const context = givenContext(command, io);
    await changeContexts(io.environment, ({ current, byName }) => {
      if (byName.has(name))
        throw new CommandFailure(
          `there is a context '${name}' already; remove it first, or choose another name`,
          2,
        );
      return { current, byName: new Map([...byName, [name, context]]) };
    });
    await printLine(
      io.stdout,
      `Added ${contextText(name, context)}\n\`vademecum context use ${name}\` makes it the default.`,
    );
  });
}

/**
 * Returns the settings of the command line and the environment.
 *
 * @throws CommandFailure when they do not make a connection, such as a file that cannot be read
 */
function givenContext(command: Command, { environment }: CommandIo): Context {
  const flagTexts = readFlagTexts(command, contextSettings);
  const config = readSettings(contextSettings, flagTexts, environment);
  openConnection(config).close();
  const paths: ReadonlySet<string> = new Set(
    ["tlsCa", "apiKeyFile", "clientCert", "clientKey"].map(
      (name) => connectionSettings[name as "tlsCa"].flag,
    ),
  );
  const texts = Object.values(contextSettings).flatMap(({ flag }): [string, string][] => {
    const text = flagTexts.get(flag) || environment[environmentName(flag)];
    if (text) return [[flag, paths.has(flag) ? resolve(text) : text]];
    return flag === connectionSettings.server.flag ? [[flag, config.server]] : [];
  });
  return new Map(texts);
}

function use(io: CommandIo): Command {
  return new Command("use")
    .description("Make a context the default.")
    .addArgument(nameArgument())
    .action(async (name: string) => {
      await changeContexts(io.environment, (contexts) => {
        contextOf(contexts, name);
        return { ...contexts, current: name };
      });
      await printLine(io.stdout, `The default is now '${name}'.`);
    });
}

function remove(io: CommandIo): Command {
  return new Command("remove")
    .description("Remove a context with its key.")
    .addArgument(nameArgument())
    .action(async (name: string) => {
      await changeContexts(io.environment, (contexts) => {
        contextOf(contexts, name);
        const byName = new Map([...contexts.byName].filter(([it]) => it !== name));
        return { current: contexts.current === name ? undefined : contexts.current, byName };
      });
      await printLine(io.stdout, `Removed '${name}'.`);
    });
}

function list(io: CommandIo): Command {
  const command = new Command("list")
    .description("List the contexts; a star marks the one in use.")
    .option("--json", "Print one context per line, as JSON.");
  return command.action(async () => {
    const { environment, stdout, stderr } = io;
    const contexts = await readContexts(environment);
    const { context: chosen = contexts.current } = readSettings(
      contextChoice,
      new Map(),
      environment,
    );
    const { json = false } = command.opts<{ json?: boolean }>();
    for (const [name, context] of contexts.byName) {
      const isCurrent = name === chosen;
      const text = `${isCurrent ? "*" : " "} ${contextText(name, context)}`;
      await printLine(stdout, json ? contextJson(name, isCurrent, context) : text);
    }
    if (contexts.byName.size === 0 && !json)
      await printLine(stdout, "No contexts. `vademecum context add NAME` adds one.");
    const server = environmentName(connectionSettings.server.flag);
    if (environment[server] && contexts.byName.size > 0)
      await printLine(stderr, `note: ${server} is set, and wins over every context`);
  });
}

/** Describes a context in one line. Says that there is a key, and never which. */
function contextText(name: string, context: Context): string {
  const { server, apiKey } = connectionSettings;
  const others = [...context].filter(([flag]) => flag !== server.flag);
  const facts = others.map(([flag, text]) =>
    flag === apiKey.flag ? "api-key kept" : `${flag} ${text}`,
  );
  return printableLine([`${name}  ${context.get(server.flag) ?? ""}`, ...facts].join(" · "));
}

function contextJson(name: string, isCurrent: boolean, context: Context): string {
  const shown = [...context].filter(([flag]) => flag !== connectionSettings.apiKey.flag);
  const hasKey = shown.length < context.size;
  return JSON.stringify({ name, current: isCurrent, ...Object.fromEntries(shown), hasKey });
}
