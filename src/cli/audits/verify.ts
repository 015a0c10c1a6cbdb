import { stat } from "node:fs/promises";
import { Command } from "commander";
import { auditFolder } from "../../audit/audit-files.js";
import { type TrailReport, verifyTrail } from "../../audit/verify-trail.js";
import { readSettings } from "../../config/config.js";
import { serverSettings } from "../../config/server-settings.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";
import { addSettings, readFlagTexts } from "../setting-options.js";

const settings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum audit verify
  $ vademecum audit verify --data /var/lib/vademecum --json

The exit code is 0 when the chain holds. It is 1 when a line was removed, changed or added; the
message names the first one. Lines that were removed from the end leave no trace in the files, so
compare the last line with an earlier report, or with the server log.`;

/** Creates the command `audit verify`, which checks the chain of the audit trail. */
export function verifyAuditCommand(io: CommandIo): Command {
  const command = new Command("verify")
    .description("Check that no line of the audit trail was removed, changed or added.")
    .option("--json", "Print the report as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { json = false } = command.opts<{ json?: boolean }>();
    const { dataFolder } = readSettings(settings, readFlagTexts(command, settings), io.environment);
    const folder = await existingFolder(dataFolder);
    const report = await verifyTrail(folder);
    const isSound = report.fault === undefined;
    await printLine(
      io.stdout,
      json ? JSON.stringify({ sound: isSound, ...report }) : printable(reportText(folder, report)),
    );
    if (!isSound) throw new CommandFailure(`the audit trail in ${folder} is not as it was written`);
  });
}

/**
 * Returns the folder of the audit trail in a data folder.
 *
 * @throws CommandFailure when there is none
 */
export async function existingFolder(dataFolder: string): Promise<string> {
  const folder = auditFolder(dataFolder);
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true)
    throw new CommandFailure(
      `${folder} does not exist or cannot be read; name the data folder of a server with --audit`,
    );
  return folder;
}

function reportText(folder: string, { lines, first, last, fault, tornBytes }: TrailReport): string {
  if (fault !== undefined) return `${fault.file}:${fault.line}: ${fault.what}`;
  if (first === undefined || last === undefined) return `${folder} has no lines.`;
  const texts = [
    `The chain of ${folder} holds (lines: ${lines}, number ${first} to ${last.number}).`,
    `Last line: ${last.number} ${last.hash}`,
  ];
  if (tornBytes > 0)
    texts.push(
      `The last ${tornBytes} bytes are the beginning of a line: the server is writing it now, or ` +
        "has crashed.",
    );
  return texts.join("\n");
}
