import { readFile } from "node:fs/promises";
import type { JsonValue } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { errorText } from "../core/model/errors.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
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
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";

/** The planner of each supported system. */
const planners: Readonly<Record<string, (file: JsonValue, choice: ImportChoice) => ImportPlan>> = {
  mem0: planMem0Import,
  letta: planLettaImport,
};

/** Options of `import`. */
interface ImportOptions {
  readonly from: string;
  readonly sourceUser?: string;
}

/** How many names are printed for each reason. The rest are counted. */
const namesPerReason = 3;

const examples = `
Examples:
  $ vademecum import --from mem0 --user ada --agent guide memories.json
  $ vademecum import --from letta --user ada --agent guide agent.af

The same file can be imported again: stored memories stay as they are, and missing ones are added.
docs/guides/importing.md says how to make the files, and how each of their parts is imported.`;

/** Creates the command `import`, which stores the memories of another system's export file. */
export function importCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "import",
    "Store the memories of an export file of mem0, or of an agent file of Letta.",
  )
    .argument("<file>", "The file, as JSON.")
    .addOption(
      new Option("--from <system>", "Where the file comes from.")
        .choices(Object.keys(planners))
        .makeOptionMandatory(),
    )
    .option(
      "--source-user <id>",
      "Import only the memories of this mem0 user. Required if the file holds several users.",
    )
    .addHelpText("after", examples);
  return command.action(async (path: string) => {
    const { from, sourceUser } = command.opts<ImportOptions>();
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
