import { toJsonString } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { ProposeEditResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { type Confidence, ConfidenceSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { findMemory } from "./find-memory.js";
import { enumOption } from "./option-values.js";
import { printable } from "./printable.js";

/** Options of `propose`. Most are named after the fields of a `ProposeEditRequest`. */
interface ProposeOptions {
  readonly block?: string;
  readonly memory?: string;
  readonly oldString?: string;
  readonly newString?: string;
  readonly newBody?: string;
  readonly append?: string;
  readonly reasoning: string;
  readonly replaceAll?: boolean;
  readonly confidence?: Confidence;
  readonly idempotencyKey?: string;
}

const examples = `
Examples:
  $ vademecum propose --user ada --agent tutor --block student \\
      --old-string "likes math" --new-string "loves mathematics" --reasoning "She said so today"
  $ vademecum propose --user ada --agent tutor --block goals --append "- Learn to sail" \\
      --reasoning "A new goal since Monday"

Nothing changes until the edit is approved: see \`vademecum proposals\` and \`vademecum approve\`.`;

/** Creates the command `propose`, which proposes an edit of a block or memory. */
export function proposeCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "propose",
    "Propose an edit of a block or memory, for a person to approve.",
  )
    .addOption(new Option("--block <label>", "The label of the block to edit.").conflicts("memory"))
    .addOption(new Option("--memory <id>", "The id of the memory to edit."))
    .option(
      "--old-string <text>",
      "The text to replace, character for character. It must occur exactly once, " +
        "unless --replace-all is given.",
    )
    .option("--new-string <text>", "The text that replaces it, taken literally. Can be empty.")
    .addOption(
      new Option(
        "--new-body <text>",
        "The whole new text, in place of --old-string. Creates a block that does not exist.",
      ).conflicts(["oldString", "newString", "replaceAll", "append"]),
    )
    .addOption(
      new Option(
        "--append <text>",
        "The text to add at the end, on a line of its own, in place of --old-string.",
      ).conflicts(["oldString", "newString", "replaceAll"]),
    )
    .requiredOption("--reasoning <text>", "The reason, for the person who decides.")
    .option("--replace-all", "Replace every occurrence.")
    .addOption(
      enumOption(
        "--confidence <confidence>",
        "How sure you are. Default medium.",
        ConfidenceSchema,
      ),
    )
    .option(
      "--idempotency-key <key>",
      "Makes a retry safe: within 24 hours, the same key and edit make one proposal.",
    )
    .addHelpText("after", examples);
  return command.action(async () => {
    const { block, memory, newBody, append, ...fields } = command.opts<ProposeOptions>();
    const change = changeOf(newBody, append);
    if (change === undefined && (fields.oldString === undefined || fields.newString === undefined))
      throw new CommandFailure(
        "--old-string, --new-string: missing. Give both, or --new-body, or --append.",
        2,
      );
    const namespace = namespaceOf(command, io);
    requireTarget(block, memory);
    await callServer(command, io, async (call) => {
      const { connection, options, json } = call;
      const target =
        block !== undefined
          ? ({ case: "blockLabel", value: block } as const)
          : ({
              case: "memoryId",
              value: await findMemory(call, namespace, memory ?? ""),
            } as const);
      const request = { ...fields, ...(change && { change }), namespace, target };
      const response = await connection.memoryProvider.proposeEdit(request, options);
      const text = `${response.message}\nProposal id: ${response.proposal?.id ?? ""}`;
      await printLine(
        io.stdout,
        json ? toJsonString(ProposeEditResponseSchema, response) : printable(text),
      );
    });
  });
}

function changeOf(newBody: string | undefined, append: string | undefined) {
  if (newBody !== undefined) return { case: "newBody", value: newBody } as const;
  return append === undefined ? undefined : ({ case: "append", value: append } as const);
}

function requireTarget(block: string | undefined, memory: string | undefined): void {
  if (block !== undefined || memory !== undefined) return;
  throw new CommandFailure(
    "--block, --memory: missing. Give the target of the edit with --block LABEL or --memory ID.",
    2,
  );
}
