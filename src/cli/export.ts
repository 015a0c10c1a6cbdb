import { open, rename, rm } from "node:fs/promises";
import { type Command, Option } from "commander";
import {
  ExportKind,
  ExportKindSchema,
  type ExportRecord,
  type ExportTrailer,
} from "#gen/vademecum/v1/export_pb.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { pathExists } from "./backups/part-file.js";
import { callServer, clientCommand } from "./client-command.js";
import { CommandFailure, type CommandIo, type Output, printLine } from "./command-io.js";
import type { Connection } from "./connection.js";
import { LineWriter } from "./exports/export-lines.js";
import { writeFolder } from "./exports/okf-folder.js";
import { collectValues, repeatedEnumOption } from "./option-values.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";

const examples = `
Examples:
  $ vademecum export --to everything.jsonl
  $ vademecum export --to ann.jsonl --user ann --vectors
  $ vademecum export --format okf --to ./knowledge --user ann
  $ vademecum export --user ann --kind memories | grep '"content"'

The file holds memories with their earlier versions, blocks, proposals, skills, keys of runs and
traces, one record a line. \`vademecum import\` stores it in another server. Keep the file as private
as the data. docs/guides/export.md describes it.`;

/** Options of `export`. */
interface ExportOptions {
  readonly to?: string;
  readonly format: "jsonl" | "okf";
  readonly user?: readonly string[];
  readonly agent?: readonly string[];
  readonly run?: readonly string[];
  readonly kind?: readonly number[];
  readonly vectors?: boolean;
}

/** Creates the command `export`, which writes data as records that other programs can read. */
export function exportCommand(io: CommandIo): Command {
  const command = clientCommand(
    "export",
    "Write data of users and runs to a file that other programs can read.",
  )
    .addOption(
      new Option(
        "--to <path>",
        "The file or folder to write. It must not exist. Default: standard output.",
      ),
    )
    .option(
      "--user <id>",
      "Export only this user. Can be repeated. Default: all users whom you may name.",
      collectValues,
    )
    .option(
      "--agent <id>",
      "Export only memories, skills, traces and proposals of this agent. Can be repeated.",
      collectValues,
    )
    .option(
      "--run <id>",
      "Export the keys of this run. Can be repeated. Default: all runs, or none with --user.",
      collectValues,
    )
    .addOption(
      new Option(
        "--format <format>",
        "jsonl: all kinds of records, one a line. okf: a folder in the Open Knowledge Format, with a " +
          "Markdown file for each memory and block.",
      )
        .choices(["jsonl", "okf"])
        .default("jsonl"),
    )
    .addOption(repeatedEnumOption("--kind <kind>", "Export only this kind.", ExportKindSchema))
    .option("--vectors", "Export the vectors of memories and skills too.")
    .addHelpText("after", examples);
  return command.action(async () => {
    const options = command.opts<ExportOptions>();
    const { to, format } = options;
    if (format === "okf") requireOkf(options);
    if (to !== undefined && (await pathExists(to)))
      throw new CommandFailure(`--to: '${to}' exists; choose another name, or remove it`, 2);
    await callServer(command, io, async ({ connection, json }) => {
      const line = createProgressLine(io.stderr, { terminalOnly: json });
      const records = recordsOf(connection, options, (count) => line.show(`${count} records`));
      try {
        const trailer = await write(records, options, io.stdout);
        line.clear();
        if (to !== undefined)
          await printLine(io.stdout, json ? JSON.stringify(countsIn(trailer)) : wrote(to, trailer));
        warnOfMoved(trailer, io.stderr);
      } finally {
        line.clear();
      }
    });
  });
}

/** Kinds that the Open Knowledge Format has files for. */
const okfKinds: readonly number[] = [ExportKind.MEMORIES, ExportKind.BLOCKS];

/** Throws a `CommandFailure` if an option is only for files of JSON Lines. */
function requireOkf({ to, kind = [], vectors, run }: ExportOptions): void {
  if (to === undefined) throw new CommandFailure("--to: missing; name the folder to write", 2);
  const flag =
    (vectors === true && "--vectors") ||
    (run !== undefined && "--run") ||
    (kind.some((one) => !okfKinds.includes(one)) && "--kind");
  if (flag !== false)
    throw new CommandFailure(
      `${flag}: not with --format okf, which has memories and blocks alone`,
      2,
    );
}

function write(
  records: AsyncIterable<ExportRecord>,
  { to, format }: ExportOptions,
  stdout: Output,
): Promise<ExportTrailer> {
  if (to === undefined) return writeLines(records, stdout);
  return format === "okf" ? writeFolder(records, to) : writeFile(records, to);
}

/** Reads the records of an export. Throws if the trailer is missing. */
async function* recordsOf(
  { admin }: Pick<Connection, "admin">,
  { user = [], agent = [], run = [], vectors = false, ...options }: ExportOptions,
  onProgress: (records: number) => void,
): AsyncGenerator<ExportRecord> {
  const request = {
    users: [...user],
    agents: [...agent],
    runs: [...run],
    kinds: [...(options.kind ?? (options.format === "okf" ? okfKinds : []))],
    vectors,
  };
  let count = 0;
  let isWhole = false;
  for await (const { records } of admin.export(request)) {
    for (const record of records) {
      isWhole = record.record.case === "trailer";
      yield record;
    }
    count += records.length;
    onProgress(count);
  }
  if (!isWhole) throw new CommandFailure("the export ended before its trailer: repeat the command");
}

async function writeLines(
  records: AsyncIterable<ExportRecord>,
  output: Output,
): Promise<ExportTrailer> {
  const writer = new LineWriter();
  let last: ExportRecord | undefined;
  for await (const record of records) {
    await printLine(output, writer.lineOf(record).slice(0, -1));
    last = record;
  }
  return trailerOf(last);
}

/** Writes a file under another name first, so that a cut off file never has its name. */
async function writeFile(
  records: AsyncIterable<ExportRecord>,
  path: string,
): Promise<ExportTrailer> {
  const part = `${path}.part`;
  const file = await open(part, "w", 0o600);
  let isWhole = false;
  try {
    const writer = new LineWriter();
    let last: ExportRecord | undefined;
    for await (const record of records) {
      await file.writeFile(writer.lineOf(record));
      last = record;
    }
    await file.sync();
    isWhole = true;
    return trailerOf(last);
  } finally {
    await file.close();
    await (isWhole ? rename(part, path) : rm(part));
  }
}

function trailerOf(last: ExportRecord | undefined): ExportTrailer {
  if (last?.record.case === "trailer") return last.record.value;
  throw new Error("an export ended without a trailer");
}

function countsIn({ counts }: ExportTrailer): Readonly<Record<string, number>> {
  return Object.fromEntries(counts.map(({ kind, records }) => [kind, Number(records)]));
}

function wrote(path: string, trailer: ExportTrailer): string {
  const counts = Object.entries(countsIn(trailer)).map(([kind, count]) => `${kind}: ${count}`);
  return `Wrote ${printable(path)} (${counts.length === 0 ? "no records" : counts.join(", ")}).`;
}

function warnOfMoved({ movedUsers, movedTo }: ExportTrailer, stderr: Output): void {
  if (movedUsers === 0n) return;
  const users = countPhrase(Number(movedUsers), "user", "users");
  stderr.write(
    `Not exported: ${users} who moved to ${printable(movedTo.join(", "))}. Export from there.\n`,
  );
}
