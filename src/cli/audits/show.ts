import { Command } from "commander";
import { findLines, type LineQuery } from "../../audit/find-lines.js";
import { readSettings } from "../../config/config.js";
import { serverSettings } from "../../config/server-settings.js";
import type { AuditLine } from "../../core/ports/audit.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";
import { addSettings, readFlagTexts } from "../setting-options.js";
import { existingFolder } from "./verify.js";

const settings = { dataFolder: serverSettings.dataFolder };

const examples = `
Examples:
  $ vademecum audit show --user ann
  $ vademecum audit show --user ann --id 019b0d5e-1f3a-7c55-9d2e-3c1f5a7b9d11
  $ vademecum audit show --json > trail.jsonl

The lines hold no users, agents and ids, but pseudonyms made with a key of each user. This command
computes the pseudonyms of what you name. Without --user and --run, it shows all lines.`;

interface ShowOptions extends Partial<LineQuery> {
  readonly json?: boolean;
}

/** Creates the command `audit show`, which lists lines of the audit trail. */
export function showAuditCommand(io: CommandIo): Command {
  const command = new Command("show")
    .description("Show lines of the audit trail: all, or those about a user or a run.")
    .option("--user <id>", "Show the lines about this user.")
    .option("--run <id>", "Show the lines about this run.")
    .option("--tenant <name>", "The tenant of the user or run.")
    .option("--agent <id>", "Of these, show the lines about this agent.")
    .option("--id <id>", "Of these, show the lines that name this id or label of a record.")
    .option("--json", "Print each line as JSON.")
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { json, tenant = "", ...query } = command.opts<ShowOptions>();
    const { user, run, agent, id } = query;
    if (user !== undefined && run !== undefined)
      throw new CommandFailure("--user and --run: give one of them, not both", 2);
    if (user === undefined && run === undefined && (agent ?? id) !== undefined)
      throw new CommandFailure("--agent and --id: name the user too, with --user", 2);
    const { dataFolder } = readSettings(settings, readFlagTexts(command, settings), io.environment);
    let shown = 0;
    for await (const line of findLines(await existingFolder(dataFolder), { ...query, tenant })) {
      await printLine(io.stdout, json === true ? JSON.stringify(line) : printable(textOf(line)));
      shown++;
    }
    if (shown === 0) io.stderr.write("no line fits\n");
  });
}

/** Returns a line as columns: time, caller, method, outcome, then the other fields. */
function textOf(line: AuditLine): string {
  const { number: _, time, principal = "-", method, event, outcome, reason, ...rest } = line;
  const result = reason === undefined ? outcome : `${plain(outcome)} (${plain(reason)})`;
  const name = method ?? event ?? "-";
  const more = Object.entries(rest).map(([key, value]) => `${key}=${plain(value)}`);
  return [time, principal, name, result ?? "-", ...more].map((each) => plain(each)).join("  ");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
