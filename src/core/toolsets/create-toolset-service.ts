import type { BlockService } from "../blocks/block-service.js";
import type { KeyValueService } from "../key-values/key-value-service.js";
import type { MemoryService } from "../memories/memory-service.js";
import { invalidField, VademecumError } from "../model/errors.js";
import type { ProposalService } from "../proposals/proposal-service.js";
import { isReusedKey } from "../requests/idempotency.js";
import { type ArgumentCheck, compileArgumentCheck, quoted } from "./argument-check.js";
import { blockTools } from "./block-tools.js";
import { definitionOf } from "./definition.js";
import { keyValueTools } from "./key-value-tools.js";
import { memoryTools } from "./memory-tools.js";
import { notDone, type Tool, type ToolOutcome } from "./tool.js";
import type { ToolsetService } from "./toolset-service.js";

/** The use cases that tools stand on. */
export interface ToolsetServiceParts {
  readonly keyValues: KeyValueService;
  readonly blocks: BlockService;
  readonly proposals: ProposalService;
  readonly memories: MemoryService;
}

/** The toolsets over the use cases that they stand on. */
export function createToolsetService({
  keyValues,
  blocks,
  proposals,
  memories,
}: ToolsetServiceParts): ToolsetService {
  const toolsets = new Map<string, readonly Tool[]>([
    ["key_value", keyValueTools(keyValues)],
    ["blocks", blockTools(blocks, proposals)],
    ["memory", memoryTools(memories)],
  ]);
  const tools = new Map<string, { readonly tool: Tool; readonly faultsIn: ArgumentCheck }>();
  for (const tool of [...toolsets.values()].flat()) {
    if (tools.has(tool.name)) throw new Error(`two tools are called ${tool.name}`);
    tools.set(tool.name, { tool, faultsIn: compileArgumentCheck(tool.parameters) });
  }
  return {
    definitions(toolset, format) {
      const found = toolsets.get(toolset);
      if (found === undefined)
        throw invalidField(
          "toolset",
          `must be one of ${[...toolsets.keys()].join(", ")}, and is ${quoted(toolset)}`,
        );
      return found.map((tool) => definitionOf(tool, format));
    },
    async dispatch({ toolName, given, ...context }, call) {
      const found = tools.get(toolName);
      if (found === undefined) return notDone(`Error: Tool ${quoted(toolName)} not found`);
      const faults = found.faultsIn(given);
      if (faults !== undefined) return invalidArguments(toolName, faults);
      try {
        return await found.tool.run(given, { ...context, call });
      } catch (error) {
        return failure(toolName, error);
      }
    },
  };
}

/** What the model is told of an error. Throws it again if it is none of the model's business. */
function failure(toolName: string, error: unknown): ToolOutcome {
  if (!(error instanceof VademecumError)) throw error;
  const { code, message } = error;
  const callEnded = code === "CANCELLED" || code === "DEADLINE_EXCEEDED";
  // The host gives the key, not the model.
  if (callEnded || isReusedKey(error)) throw error;
  return code === "INVALID_ARGUMENT"
    ? invalidArguments(toolName, message)
    : notDone(`Error executing tool '${toolName}': ${message}`);
}

function invalidArguments(toolName: string, faults: string): ToolOutcome {
  return notDone(`Error: Invalid arguments for tool '${toolName}': ${faults}`);
}
