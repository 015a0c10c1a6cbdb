import { Command } from "commander";
import { readSettings } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import type { VerifyReport } from "../store/level/recovery/verify-folder.js";
import { checkBackupFile } from "./backups/backup-path.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const settings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum verify
  $ vademecum verify --data /var/lib/vademecum --json
  $ vademecum verify --backup vademecum.backup

The server of a folder must be stopped; a backup needs no server. Nothing is changed. The exit code
is 0 when everything is sound. It is 1 when something is damaged, or cannot be checked.`;

/** Creates the command `verify`, which checks the data folder of a stopped server. */
export function verifyCommand(io: CommandIo): Command {
  const command = new Command("verify")
    .description(
      "Check the data folder of a stopped server, or a backup: files, records, checksums, and " +
        "missing parts.",
    )
    .option("--backup <file>", "Check this backup instead of a data folder.")
    .option("--json", "Print the report as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { backup, json = false } = command.opts<{ backup?: string; json?: boolean }>();
    if (backup !== undefined) {
      await verifyBackup(backup, json, io);
      return;
    }
    const { dataFolder } = readSettings(settings, readFlagTexts(command, settings), io.environment);
    // A dynamic import, because most other commands do not need the store.
    const { verifyFolder } = await import("../store/level/recovery/verify-folder.js");
    const report = await verifyFolder(dataFolder, { links: true });
    await printLine(
      io.stdout,
      json
        ? JSON.stringify({ sound: report.findings.length === 0, ...report })
        : printable(reportText(dataFolder, report)),
    );
    if (report.findings.length > 0) throw new CommandFailure(`${dataFolder} is damaged`);
  });
}

async function verifyBackup(path: string, json: boolean, io: CommandIo): Promise<void> {
  const line = createProgressLine(io.stderr, { terminalOnly: json });
  try {
    const { header, scopes, records, bytes } = await checkBackupFile(path, (share) =>
      line.show(`${Math.floor(100 * share)} % checked`),
    );
    line.clear();
    const time = new Date(header.createTimeMs).toISOString();
    await printLine(
      io.stdout,
      json
        ? JSON.stringify({
            sound: true,
            backupId: header.backupId,
            createTime: time,
            scopes,
            records,
            bytes,
          })
        : `${printable(path)} is a sound backup of ${time} (scopes: ${scopes}, ` +
            `records: ${records}, bytes: ${bytes}).`,
    );
  } finally {
    line.clear();
  }
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
