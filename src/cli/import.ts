import { readFile } from "node:fs/promises";
import type { JsonValue } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { type ImportMode, ImportModeSchema } from "#gen/vademecum/v1/export_pb.js";
import { errorText } from "../core/model/errors.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { callServer, namespaceCommand, namespaceOf, type ServerCall } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { parseExactJson } from "./imports/exact-json.js";
import {
  importFile,
  importFolder,
  isFolderAt,
  readFolder,
  requireNone,
} from "./imports/import-export.js";
import {
  type ImportChoice,
  type ImportPlan,
  ImportRefusal,
  type Skipped,
} from "./imports/import-plan.js";
import { planLettaImport } from "./imports/letta.js";
import { planMem0Import } from "./imports/mem0.js";
import { planOkfImport } from "./imports/okf.js";
import { type ImportOutcome, runImport } from "./imports/run-import.js";
import { enumOption } from "./option-values.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";

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
  $ vademecum import ./knowledge --user ada --agent guide
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
    .argument("<file>", "The file, or a folder in the Open Knowledge Format.")
    .addOption(
      new Option(
        "--from <system>",
        "Where the file comes from. Default: it is a file or folder of `vademecum export`, or a folder " +
          "of another program in the Open Knowledge Format, whose concepts become memories.",
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
      await importOwn(path, choices, command, io);
      return;
    }
    requireNone(choices, ["mode", "dryRun"], "only with a file of `vademecum export`");
    const namespace = namespaceOf(command, io);
    const plan = await readPlan(path, from, { sourceUser, nowMs: Date.now() });
    await callServer(command, io, (server) => storePlan(plan, namespace, server, io));
  });
}

/** Imports what `vademecum export` wrote, or a folder of another program. */
async function importOwn(
  path: string,
  choices: Pick<ImportOptions, "mode" | "dryRun">,
  command: Command,
  io: CommandIo,
): Promise<void> {
  if (!(await isFolderAt(path))) {
    await importFile(path, choices, command, io);
    return;
  }
  const { own, foreign } = await readFolder(path);
  if (own.length > 0 || foreign.length === 0) await importFolder(path, own, choices, command, io);
  if (foreign.length === 0) return;
  requireNone(choices, ["mode", "dryRun"], "only with a folder of `vademecum export`");
  const plan = planOkfImport(foreign);
  const namespace = namespaceOf(command, io);
  await callServer(command, io, (server) => storePlan(plan, namespace, server, io));
}

/** Stores the memories and blocks of another system, and prints what became of them. */
async function storePlan(
  plan: ImportPlan,
  namespace: { readonly userId: string; readonly agentId: string },
  { connection, json }: ServerCall,
  io: CommandIo,
): Promise<void> {
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
