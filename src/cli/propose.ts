import { toJsonString } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { ProposeEditResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { type Confidence, ConfidenceSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printable, printLine } from "./command-io.js";
import { enumOption } from "./option-values.js";

/** The options of `propose`: most are fields of a `ProposeEditRequest`, by their names. */
interface ProposeOptions {
  readonly block?: string;
  readonly memory?: string;
  readonly oldString: string;
  readonly newString: string;
  readonly reasoning: string;
  readonly replaceAll?: boolean;
  readonly confidence?: Confidence;
  readonly idempotencyKey?: string;
}

const examples = `
Example:
  $ vademecum propose --user ada --agent tutor --block student --old-string "likes math" --new-string "loves mathematics" --reasoning "She said so today"

Nothing changes until somebody approves it: see \`vademecum proposals\` and \`vademecum approve\`.`;

/** `propose`: proposes an edit of a block or memory. */
export function proposeCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "propose",
    "Propose an edit of a block or memory, for a person to approve.",
  )
    .addOption(new Option("--block <label>", "The label of the block to edit.").conflicts("memory"))
    .addOption(new Option("--memory <id>", "The id of the memory to edit."))
    .requiredOption(
      "--old-string <text>",
      "The text to replace, exactly as it stands there. It must be there once, unless --replace-all is given.",
    )
    .requiredOption(
      "--new-string <text>",
      "The text to put in its place, taken literally. May be empty.",
    )
    .requiredOption("--reasoning <text>", "Why, in words for the person who decides.")
    .option("--replace-all", "Replace every occurrence.")
    .addOption(
      enumOption(
        "--confidence <confidence>",
        "How sure you are of it. Default medium.",
        ConfidenceSchema,
      ),
    )
    .option(
      "--idempotency-key <key>",
      "Makes a retry safe: the same key with the same edit is recorded once within 24 hours.",
    )
    .addHelpText("after", examples);
  return command.action(async () => {
    const { block, memory, ...fields } = command.opts<ProposeOptions>();
    const request = {
      ...fields,
      namespace: namespaceOf(command, io),
      target: targetOf(block, memory),
    };
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.proposeEdit(request, options);
      const text = `${response.message}\nIts id is ${response.proposal?.id ?? ""}.`;
      await printLine(
        io.stdout,
        json ? toJsonString(ProposeEditResponseSchema, response) : printable(text),
      );
    });
  });
}

function targetOf(block: string | undefined, memory: string | undefined) {
  if (block !== undefined) return { case: "blockLabel", value: block } as const;
  if (memory !== undefined) return { case: "memoryId", value: memory } as const;
  throw new CommandFailure(
    "--block, --memory: none is given. Say what to edit: give --block LABEL or --memory ID.",
    2,
  );
}
