import { Command } from "commander";
import { givenText, readConfig } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import { environmentName, type Settings } from "../config/setting.js";
import { groupCommand } from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { readSettingsFile } from "./configs/settings-file.js";
import { printable } from "./printable.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum config check /etc/vademecum.yaml
  $ vademecum config check /etc/vademecum.yaml --log-level debug`;

const checkHelp = `
The options are those of \`serve\`. Flags win over environment variables, which win over the file.
The command reads no other file and starts nothing. Exit code 2: a setting is wrong.`;

/** Creates the command `config`, which checks configuration files of servers. */
export function configCommand(io: CommandIo): Command {
  return groupCommand(
    "config",
    "Check the configuration file of a server.",
    [checkCommand(io)],
    examples,
  );
}

/** Creates the command `config check`, which prints the settings that would hold. */
function checkCommand(io: CommandIo): Command {
  const command = new Command("check")
    .description("Check a configuration file, and print which settings would hold, and from where.")
    .argument("<file>", "The file, as for `serve --config`.")
    .option("--json", "Print each setting as one line of JSON.")
    .addHelpText("after", checkHelp);
  addSettings(command, serverSettings);
  // The help of `serve` lists them.
  for (const option of command.options) if (option.long !== "--json") option.hideHelp();
  return command.action(async (path: string) => {
    const flags = readFlagTexts(command, serverSettings);
    const file = await readSettingsFile(path);
    readConfig(flags, io.environment, file);
    const { json = false } = command.opts<{ json?: boolean }>();
    const settings: Settings = serverSettings;
    for (const setting of Object.values(settings)) {
      const { flag, isSecret = false, defaultText } = setting;
      const given = givenText(setting, flags, io.environment, file);
      const value = given === undefined ? defaultText : isSecret ? "(not shown)" : given.text;
      const name = isSecret ? environmentName(flag) : flag;
      const source = given?.source ?? "default";
      const line = json
        ? JSON.stringify({ name, value: value ?? null, source })
        : printable(`${name}: ${value ?? "(none)"}  # ${source}`);
      await printLine(io.stdout, line);
    }
  });
}
