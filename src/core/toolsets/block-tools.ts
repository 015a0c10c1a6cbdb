import type { BlockService } from "../blocks/service.js";
import { type Block, blockTitle } from "../model/block.js";
import { type Code, errorText, VademecumError } from "../model/errors.js";
import { blockBodyMaxBytes, blockLabelMaxBytes, reasoningMaxBytes } from "../model/limits.js";
import type { Call } from "../ports/call.js";
import type { ProposalService } from "../proposals/service.js";
import { isReusedKey } from "../requests/idempotency.js";
import { hasLineBreak, replaceLineBreaks } from "../text/line-breaks.js";
import { outputOf } from "./output.js";
import { defineTool, failure, noUser, success, type Tool } from "./tool.js";

const blockLabel = { type: "string", maxBytes: blockLabelMaxBytes } as const;
const editedText = { type: "string", maxBytes: blockBodyMaxBytes } as const;

/** Number of blocks in a page. */
const pageSize = 1000;

/** The toolset `blocks`: the model reads a user's blocks and proposes edits of them. */
export function blockTools(blocks: BlockService, proposals: ProposalService): readonly Tool[] {
  return [listBlocksTool(blocks), readBlockTool(blocks), proposeEditTool(proposals)];
}

function listBlocksTool(blocks: BlockService): Tool {
  return defineTool({
    name: "list_memory_blocks",
    description:
      "List the memory blocks about the user: texts that are kept up to date, " +
      "each with its label and title.",
    parameters: {},
    roles: ["reader"],
    effects: { readOnly: true },
    output: outputOf({
      blocks: {
        type: "array",
        items: outputOf({ label: { type: "string" }, title: { type: "string" } }),
      },
    }),
    async run(_, { namespace, call }) {
      if (namespace === undefined) return noUser;
      const rows = await blockRows(blocks, namespace.userId, call);
      const lines = rows.map(({ label, title }) => `- ${labelInLine(label)}: ${title}`);
      return success(
        rows.length === 0
          ? "No memory blocks exist for this user yet."
          : ["Available memory blocks:", "", ...lines].join("\n"),
        { blocks: rows },
      );
    },
  });
}

function readBlockTool(blocks: BlockService): Tool {
  return defineTool({
    name: "read_memory_block",
    description:
      "Read a memory block: returns its title and its text as it is now. " +
      "Do so before you propose an edit of it.",
    parameters: {
      block_label: {
        ...blockLabel,
        description: "The block's label, as list_memory_blocks shows it.",
      },
    },
    roles: ["reader"],
    effects: { readOnly: true },
    async run({ block_label: label }, { namespace }) {
      if (namespace === undefined) return noUser;
      try {
        const block = await blocks.get(namespace.userId, label);
        return success(`# ${titleLine(block)}\n\n${block.body || "(empty)"}`);
      } catch (error) {
        if (error instanceof VademecumError && error.code === "NOT_FOUND")
          return failure(errorText(error));
        throw error;
      }
    },
  });
}

function proposeEditTool(proposals: ProposalService): Tool {
  return defineTool({
    name: "propose_memory_edit",
    description:
      "Propose an edit of a memory block: one text in it is replaced by another. " +
      "A person decides; nothing changes before that. Read the block first: old_string must be " +
      "in it, letter by letter, and only once unless replace_all is true.",
    parameters: {
      block_label: { ...blockLabel, description: "The label of the block to edit." },
      old_string: {
        ...editedText,
        description:
          "The text to replace, exactly as it stands in the block, " +
          "with white space and line breaks.",
      },
      new_string: { ...editedText, description: "The text to put in its place." },
      reasoning: {
        type: "string",
        maxBytes: reasoningMaxBytes,
        description: `Why, in a sentence for the person who decides. At most ${reasoningMaxBytes / 1024} KiB.`,
      },
      replace_all: {
        type: "boolean",
        description: "True: replace every occurrence. Default false.",
        optional: true,
      },
    },
    roles: ["proposer"],
    effects: { readOnly: false },
    output: outputOf({ proposal_id: { type: "string" } }),
    async run(edit, { namespace, callerName, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const {
        block_label: label,
        old_string: oldString,
        new_string: newString,
        reasoning,
        replace_all: replaceAll = false,
      } = edit;
      const input = {
        namespace,
        target: { kind: "block", label },
        oldString,
        newString,
        reasoning,
        replaceAll,
      } as const;
      try {
        const proposed = {
          ...input,
          ...(callerName !== undefined && { proposedBy: callerName }),
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        };
        const { message, proposal } = await proposals.propose(proposed, call.allowance);
        return success(message, { proposal_id: proposal.id });
      } catch (error) {
        if (isRefusal(error)) return failure(refusalText(error));
        throw error;
      }
    },
  });
}

/**
 * Returns the label and the title of each block. Keeps the bodies of one page in RAM at a time,
 * because all bodies together may be large.
 */
async function blockRows(
  blocks: BlockService,
  userId: string,
  call: Call,
): Promise<{ label: string; title: string }[]> {
  const rows: { label: string; title: string }[] = [];
  for (let token: string | undefined = ""; token !== undefined; ) {
    const { items, nextPageToken } = await blocks.list(
      { userId, limit: pageSize, pageToken: token },
      call,
    );
    for (const block of items) rows.push({ label: block.label, title: titleLine(block) });
    token = nextPageToken === "" ? undefined : nextPageToken;
  }
  return rows;
}

/**
 * Writes a label in one line: as a JSON string if it has line breaks, so that models can use it.
 */
function labelInLine(label: string): string {
  if (!hasLineBreak(label)) return label;
  // JSON escapes only the line breaks of ASCII.
  return JSON.stringify(label).replace(
    /[\u0085\u2028\u2029]/g,
    (lineBreak) => `\\u${lineBreak.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the title of a block in one line. */
function titleLine(block: Block): string {
  return replaceLineBreaks(blockTitle(block.label, block), " ");
}

/** Codes of errors about the edit itself. Their messages are written for the model. */
const refusals: ReadonlySet<Code> = new Set<Code>([
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "FAILED_PRECONDITION",
]);

/** Returns the exact message of the service; what else helps follows after an empty line. */
function refusalText(error: VademecumError): string {
  const text = `Error: ${errorText(error)}`;
  return error.hint === undefined ? text : `${text}\n\n${error.hint}`;
}

function isRefusal(error: unknown): error is VademecumError {
  return error instanceof VademecumError && refusals.has(error.code) && !isReusedKey(error);
}
