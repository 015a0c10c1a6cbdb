import type { BlockService } from "../blocks/service.js";
import { type Block, blockTitle } from "../model/block.js";
import { errorText, VademecumError } from "../model/errors.js";
import type { Call } from "../ports/call.js";
import type { ProposalService } from "../proposals/service.js";
import { hasLineBreak } from "../text/line-breaks.js";
import { visibleName } from "../text/visible-text.js";
import { outputOf } from "./output.js";
import { blockLabel, blockProposalTools } from "./proposal-tools.js";
import { defineTool, failure, noUser, success, type Tool } from "./tool.js";

/** Number of blocks in a page. */
const pageSize = 1000;

/** The toolset `blocks`: the model reads a user's blocks and proposes edits of them. */
export function blockTools(blocks: BlockService, proposals: ProposalService): readonly Tool[] {
  return [listBlocksTool(blocks), readBlockTool(blocks), ...blockProposalTools(proposals)];
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
  return visibleName(blockTitle(block.label, block));
}
