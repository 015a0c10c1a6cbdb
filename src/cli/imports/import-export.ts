import { stat } from "node:fs/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Command } from "commander";
import { ImportMode } from "#gen/vademecum/v1/export_pb.js";
import { namespaceSettings } from "../../config/client-settings.js";
import { errorText } from "../../core/model/errors.js";
import { callServer } from "../client-command.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { checkExport, isExport, type NumberedRecord, readExport } from "../exports/export-lines.js";
import {
  type ConceptFile,
  conceptPaths,
  folderRecords,
  readConcept,
  recordIn,
} from "../exports/okf-folder.js";
import { type SentImport, sendImport } from "../exports/send-import.js";
import { printable } from "../printable.js";
import { createProgressLine } from "../progress-line.js";
import { readFlagTexts } from "../setting-options.js";

/** Throws a `CommandFailure` if one of the options was given. */
export function requireNone(
  options: Readonly<Record<string, unknown>>,
  names: readonly string[],
  reason: string,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CommandFailure(`--${flag}: ${reason}`, 2);
}

/** What to do with records that the server has with other contents. */
export interface ImportChoices {
  readonly mode?: ImportMode;
  readonly dryRun?: boolean;
}

/** Imports a file that `vademecum export` wrote. */
export async function importFile(
  path: string,
  choices: ImportChoices,
  command: Command,
  io: CommandIo,
): Promise<void> {
  requireNames(command);
  await requireExport(path);
  const { records: total } = await checkExport(path);
  const nameOf = (record: number): string => `line ${record}`;
  const records = { read: () => readExport(path), total, nameOf };
  await send(records, choices, command, io);
}

/** The files of a folder: those of `vademecum export`, and those of other programs. */
export interface FolderFiles {
  /** Paths in the folder. */
  readonly own: readonly string[];
  readonly foreign: readonly ConceptFile[];
}

/**
 * Reads a folder in the Open Knowledge Format.
 *
 * @throws CommandFailure when a file is no concept
 */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const own: string[] = [];
  const foreign: ConceptFile[] = [];
  for (const path of await conceptPaths(folder)) {
    const file = { path, concept: await readConcept(folder, path) };
    if (recordIn(file) === undefined) foreign.push(file);
    else own.push(path);
  }
  return { own, foreign };
}

/** Imports files of a folder that `vademecum export` wrote. */
export async function importFolder(
  folder: string,
  paths: readonly string[],
  choices: ImportChoices,
  command: Command,
  io: CommandIo,
): Promise<void> {
  // The header is the first record.
  const nameOf = (record: number): string => printable(paths[record - 2] ?? `record ${record}`);
  const records = { read: () => folderRecords(folder, paths), total: paths.length + 2, nameOf };
  await send(records, choices, command, io);
}

/** Whether a path is a folder. */
export async function isFolderAt(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw new CommandFailure(`file: cannot read '${path}': ${errorText(error)}`, 2);
  }
}

function requireNames(command: Command): void {
  requireNone(
    { ...command.opts(), ...Object.fromEntries(readFlagTexts(command, namespaceSettings)) },
    ["sourceUser", "user", "agent"],
    "only with --from; a file of `vademecum export` names its users and agents",
  );
}

/** Records to import. */
interface Records {
  readonly read: () => AsyncIterable<NumberedRecord>;
  readonly total: number;
  /** Names a record, from 1, in a message. */
  readonly nameOf: (record: number) => string;
}

async function send(
  { read, total, nameOf }: Records,
  { mode = ImportMode.SKIP, dryRun = false }: ImportChoices,
  command: Command,
  io: CommandIo,
): Promise<void> {
  await callServer(command, io, async ({ connection, json }) => {
    const line = createProgressLine(io.stderr, { terminalOnly: json });
    const onProgress = (records: number): void => line.show(`${records} of ${total} records`);
    const sent = await sendImport(read(), connection, { mode, dryRun, onProgress })
      .catch((error: unknown) => {
        line.clear();
        if (!dryRun && !isRefusal(error))
          io.stderr.write("The import is not whole. Repeat the command to continue.\n");
        throw error;
      })
      .finally(() => line.clear());
    const text = json ? sentJson(sent, nameOf) : printable(sentText(sent, dryRun, nameOf));
    await printLine(io.stdout, text);
    if (sent.refused > 0n)
      throw new CommandFailure(
        `the server refused ${sent.refused} records; the others are ${dryRun ? "sound" : "stored"}.`,
      );
  });
}

/** Whether the same command would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof ConnectError && refusals.has(error.code);
}

const refusals: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.FailedPrecondition,
  Code.Unimplemented,
]);

async function requireExport(path: string): Promise<void> {
  let isOne: boolean;
  try {
    isOne = await isExport(path);
  } catch (error) {
    throw new CommandFailure(`file: cannot read '${path}': ${errorText(error)}`, 2);
  }
  if (isOne) return;
  throw new CommandFailure(
    `--from: missing. '${path}' was not written by \`vademecum export\`. Say where it comes from: ` +
      "mem0 or letta.",
    2,
  );
}

function sentJson({ faults, ...counts }: SentImport, nameOf: Records["nameOf"]): string {
  const numbers = importCounts.map((name) => [name, Number(counts[name])] as const);
  return JSON.stringify({
    ...Object.fromEntries(numbers),
    faults: faults.map(({ record, kind, reason, message }) => ({
      ...{ at: nameOf(Number(record)), kind, reason, message },
    })),
  });
}

const importCounts = ["added", "unchanged", "replaced", "skipped", "refused"] as const;

function sentText(
  { faults, ...counts }: SentImport,
  dryRun: boolean,
  nameOf: Records["nameOf"],
): string {
  const parts = importCounts.map((name) => `${name}: ${counts[name]}`);
  const lines = faults.map(
    ({ record, kind, reason, message }) =>
      `  ${nameOf(Number(record))}, ${kind}: ${message} (${reason})`,
  );
  const more = Number(counts.refused) - faults.length;
  return [
    `${dryRun ? "Would import" : "Imported"} (${parts.join(", ")}).`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}
