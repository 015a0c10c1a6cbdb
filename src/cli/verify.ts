import { Command } from "commander";
import { readSettings } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import type { VerifyReport } from "../store/level/recovery/verify-folder.js";
import { CommandFailure, type CommandIo, printable, printLine } from "./command-io.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const settings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum verify
  $ vademecum verify --data /var/lib/vademecum --json

The server must be stopped. The folder is not changed. The exit code is 0 when the folder is sound.
It is 1 when something is damaged, or when the folder cannot be checked.`;

/** Creates the command `verify`, which checks the data folder of a stopped server. */
export function verifyCommand(io: CommandIo): Command {
  const command = new Command("verify")
    .description(
      "Check the data folder of a stopped server: files, records, checksums, and missing parts.",
    )
    .option("--json", "Print the report as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { dataFolder } = readSettings(settings, readFlagTexts(command, settings), io.environment);
    // A dynamic import, because other commands do not need the store.
    const { verifyFolder } = await import("../store/level/recovery/verify-folder.js");
    const report = await verifyFolder(dataFolder);
    const json = command.opts<{ json?: boolean }>().json === true;
    await printLine(
      io.stdout,
      json
        ? JSON.stringify({ sound: report.findings.length === 0, ...report })
        : reportText(dataFolder, report),
    );
    if (report.findings.length > 0) throw new CommandFailure(`${dataFolder} is damaged`);
  });
}

function reportText(folder: string, { findings, namespaces, records }: VerifyReport): string {
  const counts = `records: ${records}, namespaces: ${namespaces}`;
  if (findings.length === 0) return `${folder} is sound (${counts}).`;
  const lines = findings.map(({ where, what }) => `  ${where}: ${what}`);
  const remedies = [...new Set(findings.map(({ remedy }) => remedy))].map(
    (remedy) => `What to do: ${remedy}.`,
  );
  return printable(
    [
      `${folder} is damaged (findings: ${findings.length}; readable ${counts}).`,
      ...lines,
      ...remedies,
    ].join("\n"),
  );
}
