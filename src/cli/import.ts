import { readFile } from "node:fs/promises";
import type { JsonValue } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { ImportMode, ImportModeSchema } from "#gen/vademecum/v1/export_pb.js";
import { namespaceSettings } from "../config/client-settings.js";
import { errorText } from "../core/model/errors.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { checkExport, isExport, readExport } from "./exports/export-lines.js";
import { type SentImport, sendImport } from "./exports/send-import.js";
import { parseExactJson } from "./imports/exact-json.js";
import {
  type ImportChoice,
  type ImportPlan,
  ImportRefusal,
  type Skipped,
} from "./imports/import-plan.js";
import { planLettaImport } from "./imports/letta.js";
import { planMem0Import } from "./imports/mem0.js";
import { type ImportOutcome, runImport } from "./imports/run-import.js";
import { enumOption } from "./option-values.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";
import { readFlagTexts } from "./setting-options.js";

/** The planner of each supported system. */
const planners: Readonly<Record<string, (file: JsonValue, choice: ImportChoice) => ImportPlan>> = {
  mem0: planMem0Import,
  letta: planLettaImport,
};

/** Options of `import`. */
interface ImportOptions {
  readonly from?: string;
  readonly sourceUser?: string;
  readonly mode?: ImportMode;
  readonly dryRun?: boolean;
}

/** How many names are printed for each reason. The rest are counted. */
const namesPerReason = 3;

const examples = `
Examples:
  $ vademecum import everything.jsonl
  $ vademecum import ann.jsonl --mode replace --dry-run
  $ vademecum import --from mem0 --user ada --agent guide memories.json
  $ vademecum import --from letta --user ada --agent guide agent.af

The same file can be imported again: stored memories stay as they are, and missing ones are added.
A file that \`vademecum export\` wrote is checked as a whole before anything is sent. It names its
users and agents itself. docs/guides/importing.md says how to make the files of other systems, and
how each of their parts is imported; docs/guides/export.md describes the files of \`export\`.`;

/**
 * Creates the command `import`, which stores the data of an export file: one of Vademecum, or one
 * of another system.
 */
export function importCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "import",
    "Store the data of a file of `vademecum export`, of mem0 or of Letta.",
  )
    .argument("<file>", "The file.")
    .addOption(
      new Option(
        "--from <system>",
        "Where the file comes from. Default: it is a file of `vademecum export`.",
      ).choices(Object.keys(planners)),
    )
    .addOption(
      enumOption(
        "--mode <mode>",
        "With a file of `export`: what to do with records that the server has with other contents. " +
          "Default: skip.",
        ImportModeSchema,
      ),
    )
    .option("--dry-run", "With a file of `export`: only count what would be imported.")
    .option(
      "--source-user <id>",
      "Import only the memories of this mem0 user. Required if the file holds several users.",
    )
    .addHelpText("after", examples);
  return command.action(async (path: string) => {
    const { from, sourceUser, ...choices } = command.opts<ImportOptions>();
    if (from === undefined) {
      await importExport(path, choices, command, io);
      return;
    }
    requireNone(choices, ["mode", "dryRun"], "only with a file of `vademecum export`");
    const namespace = namespaceOf(command, io);
    const plan = await readPlan(path, from, { sourceUser, nowMs: Date.now() });
    await callServer(command, io, async ({ connection, json }) => {
      const line = createProgressLine(io.stderr, { terminalOnly: json });
      const onProgress = (done: number, total: number): void =>
        line.show(`${done} of ${total} memories`);
      const outcome = await runImport(plan, { connection, namespace, onProgress }).finally(() =>
        line.clear(),
      );
      await printLine(io.stdout, json ? JSON.stringify(outcome) : printable(outcomeText(outcome)));
      const { length } = outcome.refused;
      if (length > 0)
        throw new CommandFailure(
          `the server refused ${length} of the file's memories and blocks; the others are stored.`,
        );
    });
  });
}

/** Throws a `CommandFailure` if one of the options was given. */
function requireNone(
  options: Readonly<Record<string, unknown>>,
  names: readonly string[],
  reason: string,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CommandFailure(`--${flag}: ${reason}`, 2);
}

/** Imports a file that `vademecum export` wrote. */
async function importExport(
  path: string,
  { mode = ImportMode.SKIP, dryRun = false }: Pick<ImportOptions, "mode" | "dryRun">,
  command: Command,
  io: CommandIo,
): Promise<void> {
  requireNone(
    { ...command.opts(), ...Object.fromEntries(readFlagTexts(command, namespaceSettings)) },
    ["sourceUser", "user", "agent"],
    "only with --from; a file of `vademecum export` names its users and agents",
  );
  await requireExport(path);
  const { records: total } = await checkExport(path);
  await callServer(command, io, async ({ connection, json }) => {
    const line = createProgressLine(io.stderr, { terminalOnly: json });
    const onProgress = (records: number): void => line.show(`${records} of ${total} records`);
    const sent = await sendImport(readExport(path), connection, { mode, dryRun, onProgress })
      .catch((error: unknown) => {
        line.clear();
        if (!dryRun) io.stderr.write("The import is not whole. Repeat the command to continue.\n");
        throw error;
      })
      .finally(() => line.clear());
    await printLine(io.stdout, json ? sentJson(sent) : printable(sentText(sent, dryRun)));
    if (sent.refused > 0n)
      throw new CommandFailure(
        `the server refused ${sent.refused} records; the others are ${dryRun ? "sound" : "stored"}.`,
      );
  });
}

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
      `${Object.keys(planners).join(" or ")}.`,
    2,
  );
}

function sentJson({ faults, ...counts }: SentImport): string {
  const numbers = importCounts.map((name) => [name, Number(counts[name])] as const);
  return JSON.stringify({
    ...Object.fromEntries(numbers),
    faults: faults.map(({ record, kind, reason, message }) => ({
      ...{ line: Number(record), kind, reason, message },
    })),
  });
}

const importCounts = ["added", "unchanged", "replaced", "skipped", "refused"] as const;

function sentText({ faults, ...counts }: SentImport, dryRun: boolean): string {
  const parts = importCounts.map((name) => `${name}: ${counts[name]}`);
  const lines = faults.map(
    ({ record, kind, reason, message }) => `  line ${record}, ${kind}: ${message} (${reason})`,
  );
  const more = Number(counts.refused) - faults.length;
  return [
    `${dryRun ? "Would import" : "Imported"} (${parts.join(", ")}).`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}

async function readPlan(path: string, from: string, choice: ImportChoice): Promise<ImportPlan> {
  let file: JsonValue;
  try {
    file = parseExactJson(utf8Text(await readFile(path)));
  } catch (error) {
    throw new CommandFailure(`file: cannot read '${path}' as JSON: ${errorText(error)}`, 2);
  }
  try {
    return (planners[from] as (typeof planners)[string])(file, choice);
  } catch (error) {
    if (error instanceof ImportRefusal)
      throw new CommandFailure(`file: cannot import '${path}': ${printable(error.message)}`, 2);
    throw error;
  }
}

/**
 * Decodes UTF-8, and drops a byte order mark. Other encodings are refused, because their letters
 * would change silently.
 */
function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError)
      throw new Error("it is not UTF-8; save it in that encoding", { cause: error });
    throw error;
  }
}

function outcomeText({
  memoriesAdded,
  blocksAdded,
  alreadyThere,
  skipped,
  incomplete,
  refused,
}: ImportOutcome): string {
  const memories = countPhrase(memoriesAdded, "memory", "memories");
  const added = `Added ${memories} and ${countPhrase(blocksAdded, "block", "blocks")}.`;
  return [
    alreadyThere === 0 ? added : `${added} Already stored: ${alreadyThere}.`,
    ...reasonLines("Skipped", skipped),
    ...reasonLines("Not read, in memories that are stored", incomplete),
    ...reasonLines("Refused by the server", refused),
  ].join("\n");
}

function reasonLines(title: string, parts: readonly Skipped[]): string[] {
  if (parts.length === 0) return [];
  const namesByReason = new Map<string, string[]>();
  for (const { name, reason } of parts)
    namesByReason.set(reason, [...(namesByReason.get(reason) ?? []), name]);
  const lines = [...namesByReason].map(([reason, names]) => {
    const examples = names.slice(0, namesPerReason).join(", ");
    const moreCount = names.length - namesPerReason;
    const more = moreCount > 0 ? `, and ${moreCount} more` : "";
    return `  ${names.length} × ${reason} (${examples}${more})`;
  });
  return [`${title}: ${parts.length}`, ...lines];
}
