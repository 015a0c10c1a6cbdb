import { writeFile } from "node:fs/promises";
import { cwd } from "node:process";
import type { Command } from "commander";
import { connectedCommand, connectionConfigOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openConnection } from "./connection.js";
import { wholeNumber } from "./option-values.js";
import { printable } from "./printable.js";

const examples = `
Examples:
  $ vademecum report
  $ sudo vademecum report --pid "$(systemctl show --property MainPID --value vademecum)" report.json

The report has versions, the sizes of the data folder, counts of users and memories, metrics, and the
settings of the server. Numbers, switches and choices have their values; all others are only 'set'.
There are no texts, no ids and no keys in it. Read it before you send it. The server may be down: the
report then says so. Counts need a key of a principal with the role operator.`;

/** Creates the command `report`, which writes a file for a bug report. */
export function reportCommand(io: CommandIo): Command {
  const command = connectedCommand("report", "Write a file with facts for a bug report.")
    .argument("[file]", "The file to write. It must not exist. - is standard output.", "-")
    .option(
      "--pid <id>",
      "Take the settings from this process of a server. Only on Linux. Default: the environment of " +
        "this command.",
      wholeNumber,
    )
    .addHelpText("after", examples);
  return command.action(async (path: string) => {
    const { pid } = command.opts<{ pid?: number }>();
    const { settingsOfProcess } = await import("./reports/process-settings.js");
    const { buildReport } = await import("./reports/build-report.js");
    const settings =
      pid === undefined
        ? { flags: new Map(), environment: io.environment, folder: cwd() }
        : settingsOfProcess(pid);
    const connection = openConnection(connectionConfigOf(command, io));
    try {
      const text = JSON.stringify(await buildReport(settings, connection), null, 2);
      if (path === "-") await printLine(io.stdout, text);
      else await writeNew(path, text, io);
    } finally {
      connection.close();
    }
  });
}

async function writeNew(path: string, text: string, io: CommandIo): Promise<void> {
  await writeFile(path, `${text}\n`, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new CommandFailure(`file: '${path}' exists; choose another name, or remove it`, 2);
    throw error;
  });
  await printLine(io.stdout, `Wrote ${printable(path)}. Read it before you send it.`);
}
