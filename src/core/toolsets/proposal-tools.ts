import { type Code, errorText, VademecumError } from "../model/errors.js";
import { millisOfInstant } from "../model/instant.js";
import { blockBodyMaxBytes, blockLabelMaxBytes, reasoningMaxBytes } from "../model/limits.js";
import { type Edit, hasTexts, type ProposalTarget } from "../model/proposal.js";
import type { ProposalService, ProposalView } from "../proposals/service.js";
import { targetName } from "../proposals/target.js";
import { isReusedKey } from "../requests/idempotency.js";
import { replaceLineBreaks } from "../text/line-breaks.js";
import { outputOf } from "./output.js";
import { defineTool, failure, noUser, success, type Tool, type ToolContext } from "./tool.js";

export const blockLabel = { type: "string", maxBytes: blockLabelMaxBytes } as const;
const editedText = { type: "string", maxBytes: blockBodyMaxBytes } as const;
const label = { ...blockLabel, description: "The label of the block to edit." } as const;
const reasoning = {
  type: "string",
  maxBytes: reasoningMaxBytes,
  description: `Why, in a sentence for the person who decides. At most ${reasoningMaxBytes / 1024} KiB.`,
} as const;

const proposalOutput = outputOf({ proposal_id: { type: "string" } });

/** Default number of proposals that list_my_edit_proposals returns. */
const defaultLimit = 10;

/** The tools that propose edits of blocks, and the tool that lists what became of proposals. */
export function blockProposalTools(proposals: ProposalService): readonly Tool[] {
  return [
    proposeEditTool(proposals),
    proposeRewriteTool(proposals),
    proposeAppendTool(proposals),
    listProposalsTool(proposals),
  ];
}

function proposeEditTool(proposals: ProposalService): Tool {
  return defineTool({
    name: "propose_memory_edit",
    description:
      "Propose an edit of a memory block: one text in it is replaced by another. " +
      "A person decides; nothing changes before that. Read the block first: old_string must be " +
      "in it, letter by letter, and only once unless replace_all is true.",
    parameters: {
      block_label: label,
      old_string: {
        ...editedText,
        description:
          "The text to replace, exactly as it stands in the block, " +
          "with white space and line breaks.",
      },
      new_string: { ...editedText, description: "The text to put in its place." },
      reasoning,
      replace_all: {
        type: "boolean",
        description: "True: replace every occurrence. Default false.",
        optional: true,
      },
    },
    roles: ["proposer"],
    effects: { readOnly: false },
    output: proposalOutput,
    run: (given, context) =>
      propose(proposals, context, {
        target: { kind: "block", label: given.block_label },
        oldString: given.old_string,
        newString: given.new_string,
        replaceAll: given.replace_all ?? false,
        reasoning: given.reasoning,
      }),
  });
}

function proposeRewriteTool(proposals: ProposalService): Tool {
  return defineTool({
    name: "propose_memory_rewrite",
    description:
      "Propose the whole new text of a memory block: of an empty block, of a block that should " +
      "be written anew, or of a block that does not exist yet. A person decides; nothing " +
      "changes before that.",
    parameters: {
      block_label: {
        ...blockLabel,
        description: "The label of the block to write, or of the new block.",
      },
      new_body: { ...editedText, description: "The whole text that the block should have." },
      reasoning,
    },
    roles: ["proposer"],
    effects: { readOnly: false },
    output: proposalOutput,
    run: (given, context) =>
      propose(proposals, context, {
        target: { kind: "block", label: given.block_label },
        ...{ whole: "BODY", oldString: "", newString: given.new_body, replaceAll: false },
        reasoning: given.reasoning,
      }),
  });
}

function proposeAppendTool(proposals: ProposalService): Tool {
  return defineTool({
    name: "propose_memory_append",
    description:
      "Propose to add a text at the end of a memory block, on a line of its own, such as an item " +
      "of a list. A person decides; nothing changes before that.",
    parameters: {
      block_label: label,
      append: { ...editedText, minBytes: 1, description: "The text to add." },
      reasoning,
    },
    roles: ["proposer"],
    effects: { readOnly: false },
    output: proposalOutput,
    run: (given, context) =>
      propose(proposals, context, {
        target: { kind: "block", label: given.block_label },
        ...{ whole: "APPEND", oldString: "", newString: given.append, replaceAll: false },
        reasoning: given.reasoning,
      }),
  });
}

function listProposalsTool(proposals: ProposalService): Tool {
  return defineTool({
    name: "list_my_edit_proposals",
    description:
      "List the edits that you have proposed, newest first, each with what became of it: " +
      "pending, approved, rejected and why, conflicted, or expired.",
    parameters: {
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        description: `Most edits to return, 1 to 100. Default ${defaultLimit}.`,
        optional: true,
      },
    },
    roles: ["reader"],
    effects: { readOnly: true },
    async run({ limit = defaultLimit }, { namespace, call }) {
      if (namespace === undefined) return noUser;
      const query = { ...namespace, limit, pageToken: "" };
      const { items } = await proposals.list(query, call);
      return success(
        items.length === 0
          ? "You have proposed no edits yet."
          : ["Your edit proposals, newest first:", "", ...items.flatMap(proposalLines)].join("\n"),
      );
    },
  });
}

/** What a tool proposes. */
interface ProposedEdit extends Edit {
  readonly target: ProposalTarget;
  readonly reasoning: string;
}

async function propose(
  proposals: ProposalService,
  { namespace, callerName, idempotencyKey, call }: ToolContext,
  edit: ProposedEdit,
) {
  if (namespace === undefined) return noUser;
  const input = {
    ...edit,
    namespace,
    ...(callerName !== undefined && { proposedBy: callerName }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  try {
    const { message, proposal } = await proposals.propose(input, call.allowance);
    return success(message, { proposal_id: proposal.id });
  } catch (error) {
    if (isRefusal(error)) return failure(refusalText(error));
    throw error;
  }
}

/** Returns two lines: what became of a proposal, and its edit. */
function proposalLines(proposal: ProposalView): string[] {
  const { target, createTime, status, decisionReason, editedNewString } = proposal;
  const day = new Date(millisOfInstant(createTime)).toISOString().slice(0, 10);
  const edited = editedNewString === undefined ? "" : ", with another text";
  const reason = decisionReason === undefined ? "" : `. Reason: ${inLine(decisionReason)}`;
  const outcome = `${status.toLowerCase()}${edited}${reason}`;
  return [`- [${day}] ${inLine(targetName(target))}: ${outcome}`, `  ${editText(proposal)}`];
}

function editText(proposal: ProposalView): string {
  if (!hasTexts(proposal)) return "The texts were removed with their target.";
  const { whole, oldString, newString } = proposal;
  const newText = shown(newString);
  if (whole === undefined) return `${shown(oldString)} -> ${newText}`;
  return whole === "BODY" ? `new text: ${newText}` : `added: ${newText}`;
}

/** Characters of each text of an edit that a list shows. */
const shownCharacters = 80;

/** Returns the beginning of a text in one line, in quotation marks. */
function shown(text: string): string {
  const characters = Array.from(text.slice(0, 2 * shownCharacters + 2));
  const isCut = characters.length > shownCharacters;
  const beginning = inLine(characters.slice(0, shownCharacters).join(""));
  return isCut ? `"${beginning}…"` : `"${beginning}"`;
}

function inLine(text: string): string {
  return replaceLineBreaks(text, " ");
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
