import { Command } from "commander";
import { readSettings } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import { type CommandIo, printable, printLine } from "./command-io.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const settings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum restored --data /var/lib/vademecum

For a data folder that was restored by other means than \`restore\`: a copy of the folder, or a
snapshot of its disk. The server must be stopped. Page tokens and commit_seq of the time before are
refused afterwards, because they may speak of writes that are gone.`;

/** Creates the command `restored`, which gives a data folder a new epoch. */
export function restoredCommand(io: CommandIo): Command {
  const command = new Command("restored")
    .description("Give a data folder that was restored from a copy a new epoch.")
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { dataFolder } = readSettings(settings, readFlagTexts(command, settings), io.environment);
    // A dynamic import, because other commands do not need the store.
    const { openLevelStore } = await import("../store/level/level-store.js");
    const clock = { nowMs: () => Date.now() };
    const store = await openLevelStore({ folder: dataFolder, clock, newEpoch: true });
    await store.close();
    await printLine(
      io.stdout,
      printable(`${dataFolder} has a new epoch. Tokens of the time before are refused.`),
    );
  });
}
