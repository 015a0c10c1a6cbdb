import type { MemoryService } from "../memories/service.js";
import { contentMaxBytes, reasoningMaxBytes } from "../model/limits.js";
import { hasRole } from "../model/principal.js";
import { isWriter } from "../model/writer.js";
import type { ProposalService } from "../proposals/service.js";
import { outputOf } from "./output.js";
import {
  defineTool,
  failure,
  noUser,
  success,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from "./tool.js";

/** Maximum length of an id that a model gives. */
const idMaxBytes = 64;

const id = {
  type: "string",
  minBytes: 1,
  maxBytes: idMaxBytes,
  description: "The id of the memory, as search_memory shows it.",
} as const;

/** What correct_memory needs. */
interface CorrectionParts {
  readonly memories: MemoryService;
  readonly proposals: ProposalService;
}

/**
 * Creates the tool correct_memory. It changes a memory that the caller may change. Otherwise it
 * proposes the change, and says so.
 */
export function correctMemoryTool(parts: CorrectionParts): Tool {
  return defineTool({
    name: "correct_memory",
    description:
      "Correct a memory that is wrong or out of date: its text is replaced. A memory that others " +
      "wrote changes only after a person has approved; the answer says which.",
    parameters: {
      id,
      content: {
        type: "string",
        minBytes: 1,
        notBlank: true,
        maxBytes: contentMaxBytes,
        description: `The whole new text. At most ${contentMaxBytes / 1024} KiB.`,
      },
      reasoning: {
        type: "string",
        minBytes: 1,
        notBlank: true,
        maxBytes: reasoningMaxBytes,
        description: "Why, in a sentence for the person who may have to decide.",
      },
    },
    roles: ["writer", "proposer"],
    effects: { readOnly: false, destructive: true },
    output: outputOf(
      {
        id: { type: "string" },
        outcome: { type: "string", enum: ["corrected", "proposed"] },
        proposal_id: { type: "string" },
      },
      ["proposal_id"],
    ),
    async run(correction, context) {
      return correct(parts, correction, context);
    },
  });
}

/** What correct_memory changes. */
interface Correction {
  readonly id: string;
  readonly content: string;
  readonly reasoning: string;
}

async function correct(
  { memories, proposals }: CorrectionParts,
  { id, content, reasoning }: Correction,
  { namespace, idempotencyKey, callerName, call }: ToolContext,
): Promise<ToolOutcome> {
  if (namespace === undefined) return noUser;
  const { principal, allowance } = call;
  const { memory: found } = await memories.get({ namespace, id }, call);
  const retry = idempotencyKey === undefined ? {} : { idempotencyKey };
  const mayWrite = hasRole(principal, "writer");
  if (mayWrite && isWriter(principal, found)) {
    await memories.update({ namespace, id, changes: { content }, ...retry }, call);
    return success(`Corrected memory '${id}'`, { id, outcome: "corrected" });
  }
  const why = mayWrite ? "others wrote this memory" : "your credentials may only propose";
  if (!hasRole(principal, "proposer"))
    return failure(`Error: ${why}, and your credentials do not have the role 'proposer'`);
  const edit = { oldString: found.content, newString: content, replaceAll: false, reasoning };
  const { proposal, message } = await proposals.propose(
    {
      ...edit,
      ...retry,
      namespace,
      target: { kind: "memory", id },
      ...(callerName !== undefined && { proposedBy: callerName }),
    },
    allowance,
  );
  return success(`Not changed yet, because ${why}. ${message}`, {
    id,
    outcome: "proposed",
    proposal_id: proposal.id,
  });
}

/** Creates the tool forget_memory, which deletes a memory that the caller may delete. */
export function forgetMemoryTool(memories: MemoryService): Tool {
  return defineTool({
    name: "forget_memory",
    description:
      "Forget a memory for good, for example because the user asks for it. Correct a memory that " +
      "is only out of date with correct_memory instead.",
    parameters: { id },
    roles: ["writer"],
    effects: { readOnly: false, destructive: true, idempotent: true },
    output: outputOf({ id: { type: "string" }, deleted: { type: "boolean" } }),
    async run({ id }, { namespace, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const { deleted } = await memories.delete(
        { namespace, id, ...(idempotencyKey !== undefined && { idempotencyKey }) },
        call,
      );
      return success(deleted ? `Forgot memory '${id}'` : `There is no memory '${id}'`, {
        id,
        deleted,
      });
    },
  });
}
