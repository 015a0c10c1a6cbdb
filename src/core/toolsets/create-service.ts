import { errorText, invalidField, VademecumError } from "../model/errors.js";
import { isReusedKey } from "../requests/idempotency.js";
import { type ArgumentCheck, compileArgumentCheck, quote } from "./argument-check.js";
import { blockTools } from "./block-tools.js";
import { readArguments } from "./given-arguments.js";
import { keyValueTools } from "./key-value-tools.js";
import { memoryTools } from "./memory-tools.js";
import { withoutNulls } from "./parameters.js";
import type { ToolsetService, ToolsetServiceParts } from "./service.js";
import { skillTools } from "./skill-tools.js";
import { definitionOf, failure, type Tool, type ToolOutcome } from "./tool.js";

/** Creates the toolsets. */
export function createToolsetService({
  keyValues,
  blocks,
  proposals,
  memories,
  timeZone,
  skills,
}: ToolsetServiceParts): ToolsetService {
  const toolsets = new Map<string, readonly Tool[]>([
    ["key_value", keyValueTools(keyValues)],
    ["blocks", blockTools(blocks, proposals)],
    ["memory", memoryTools({ memories, proposals, timeZone })],
    ["skills", skillTools(skills)],
  ]);
  const tools = new Map<string, Tool>();
  for (const tool of [...toolsets.values()].flat()) {
    if (tools.has(tool.name)) throw new Error(`two tools are called ${tool.name}`);
    tools.set(tool.name, tool);
  }
  const checks = new Map<Tool, ArgumentCheck>();
  const checkOf = (tool: Tool): ArgumentCheck => {
    const check = checks.get(tool) ?? compileArgumentCheck(tool.parameters);
    checks.set(tool, check);
    return check;
  };
  return {
    definitions(toolset, format, isStrict) {
      const found = toolsets.get(toolset);
      if (found === undefined)
        throw invalidField(
          "toolset",
          `must be one of ${[...toolsets.keys()].join(", ")}, and is ${quote(toolset)}`,
        );
      return found.map((tool) => definitionOf(tool, format, isStrict));
    },
    rolesFor: (toolName) => tools.get(toolName)?.roles ?? ["reader"],
    async dispatch({ toolName, given, ...context }, call) {
      const tool = tools.get(toolName);
      if (tool === undefined) return failure(`Error: Tool ${quote(toolName)} not found`);
      const read = readArguments(given);
      if ("fault" in read) return invalidArguments(toolName, read.fault);
      const values = withoutNulls(read.values, tool.parameters);
      const faults = checkOf(tool)(values);
      if (faults !== undefined) return invalidArguments(toolName, faults);
      try {
        return await tool.run(values, { ...context, call });
      } catch (error) {
        return outcomeOfError(toolName, error);
      }
    },
  };
}

/**
 * Returns the text of a `VademecumError` for the model. Rethrows any other error. Also rethrows the
 * errors that concern the host: the call has ended, or its idempotency key was used before.
 */
function outcomeOfError(toolName: string, error: unknown): ToolOutcome {
  if (!(error instanceof VademecumError)) throw error;
  const { code } = error;
  const callEnded = code === "CANCELLED" || code === "DEADLINE_EXCEEDED";
  // The host sets the idempotency key, not the model.
  if (callEnded || isReusedKey(error)) throw error;
  return code === "INVALID_ARGUMENT"
    ? invalidArguments(toolName, errorText(error))
    : failure(`Error executing tool '${toolName}': ${errorText(error)}`);
}

function invalidArguments(toolName: string, faults: string): ToolOutcome {
  return failure(`Error: Invalid arguments for tool '${toolName}': ${faults}`);
}
