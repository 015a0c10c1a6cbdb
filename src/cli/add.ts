import { type JsonObject, toJsonString } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import {
  type MemoryStatus,
  MemoryStatusSchema,
  type MemoryType,
  MemoryTypeSchema,
} from "#gen/vademecum/v1/memory_pb.js";
import {
  AddOutcome,
  type AddResponse,
  AddResponseSchema,
  type OnConflict,
  OnConflictSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { findMemory } from "./find-memory.js";
import { collectValues, decimalNumber, enumOption, instant, jsonObject } from "./option-values.js";

/** Values of `addFieldOptions`, named after the fields of a memory. */
export interface MemoryFields {
  readonly memoryType?: MemoryType;
  readonly kind?: string;
  readonly tag?: string[];
  readonly importance?: number;
  readonly status?: MemoryStatus;
  readonly restricted?: boolean;
  readonly source?: string;
  readonly author?: string;
  readonly threadId?: string;
  readonly metadata?: JsonObject;
  readonly eventTime?: Timestamp;
  readonly expireTime?: Timestamp;
}

/** Options of `add`, named after the fields of an `AddRequest`. */
interface AddOptions extends MemoryFields {
  readonly supersedes?: string;
  readonly externalId?: string;
  readonly onConflict?: OnConflict;
  readonly idempotencyKey?: string;
}

const examples = `
Examples:
  $ vademecum add --user ada --agent sommelier "Ada prefers dry Burgundy"
  $ vademecum add --user ada --agent sommelier --memory-type semantic --tag wine \\
      --metadata '{"stars":5}' "Ada gave the 2019 five stars"
  $ vademecum add --user ada --agent sommelier --external-id order-17 --on-conflict replace "Ada ordered six bottles"
  $ vademecum add --user ada --agent sommelier --event-time 2026-05-01T09:30:00Z < minutes.txt

Exit code 0 means that the memory is synced to disk and can be found.`;

/** Creates the command `add`, which stores one memory. */
export function addCommand(io: CommandIo): Command {
  const command = addFieldOptions(
    namespaceCommand(
      "add",
      "Store a memory and print its id. The text is kept exactly as given.",
    ).argument(
      "[content]",
      "The text. Default, and `-`: standard input, without its last line break.",
    ),
  )
    .option("--supersedes <id>", "The id of the memory that this one supersedes.")
    .option(
      "--external-id <id>",
      "Your own id of the memory, such as the id of an event. No other memory of the namespace has it.",
    )
    .addOption(
      enumOption(
        "--on-conflict <action>",
        "What to do if a memory has this external id: fail, replace it, or keep it. Default fail.",
        OnConflictSchema,
      ),
    )
    .option(
      "--idempotency-key <key>",
      "Makes a retry safe: within 24 hours, the same key and content store one memory.",
    )
    .addHelpText("after", examples);
  return command.action(async (argument: string | undefined) => {
    const { tag, supersedes, ...fields } = command.opts<AddOptions>();
    const namespace = namespaceOf(command, io);
    const content = argument === undefined || argument === "-" ? await readContent(io) : argument;
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const older =
        supersedes === undefined
          ? {}
          : { supersedes: await findMemory(call, namespace, supersedes) };
      const response = await connection.memoryProvider.add(
        { ...fields, ...older, namespace, content, tags: tag ?? [] },
        options,
      );
      await printLine(
        io.stdout,
        json ? toJsonString(AddResponseSchema, response) : addedText(response),
      );
    });
  });
}

/**
 * Adds an option for each field of a memory that a person may set, except its text.
 *
 * @param isNew whether the help says what a new memory gets without the option
 */
export function addFieldOptions(command: Command, isNew = true): Command {
  const ifUnset = (value: string) => (isNew ? ` Default ${value}.` : "");
  return command
    .addOption(
      enumOption(
        "--memory-type <type>",
        `What the memory is for.${ifUnset("episodic")}`,
        MemoryTypeSchema,
      ),
    )
    .option("--kind <kind>", "A finer type in your own words, such as observation or risk_alert.")
    .addOption(new Option("--tag <tag>", "A label. Can be repeated.").argParser(collectValues))
    .option("--importance <number>", `How important it is, 0 to 1.${ifUnset("0.5")}`, decimalNumber)
    .addOption(
      enumOption(
        "--status <status>",
        `Whether it still needs attention.${ifUnset("active")}`,
        MemoryStatusSchema,
      ),
    )
    .option("--restricted", "Hide it from tools.")
    .option("--source <source>", "Where the text comes from.")
    .option("--author <author>", "Who said or wrote it.")
    .option("--thread-id <id>", "The conversation, run or document that contains it.")
    .option("--metadata <json>", "Your own data, as a JSON object.", jsonObject)
    .option("--event-time <instant>", `When it happened.${ifUnset("now")}`, instant)
    .option(
      "--expire-time <instant>",
      `When it expires. Expired memories are not returned.${ifUnset("never")}`,
      instant,
    );
}

const doneTexts: Readonly<Partial<Record<AddOutcome, string>>> = {
  [AddOutcome.REPLACED]: "Replaced",
  [AddOutcome.KEPT]: "Kept",
};

function addedText({ id, nearDuplicates, outcome }: AddResponse): string {
  const lines = nearDuplicates.map(
    (near) => `Near-duplicate of ${near.id} (relevance ${near.relevance.toFixed(2)}).`,
  );
  return [`${doneTexts[outcome] ?? "Stored"} ${id}.`, ...lines].join("\n");
}

/** Reads standard input as text, without the final line break that `echo` and editors add. */
export async function readContent({ stdin }: CommandIo): Promise<string> {
  if (stdin.isTTY === true)
    throw new CommandFailure("content: missing. Give the text as an argument, or pipe it in.", 2);
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(Buffer.concat(chunks))
      .replace(/\r?\n$/, "");
  } catch {
    throw new CommandFailure(
      "content: standard input is not valid UTF-8 text. Convert it first, for example with iconv.",
      2,
    );
  }
}
