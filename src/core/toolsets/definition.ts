import type { JsonObject } from "../model/json.js";
import { publishedSchema } from "./parameters.js";
import type { Tool } from "./tool.js";

/** Whose form definitions of tools have. Ollama takes that of OpenAI. */
export type ToolFormat = "OPENAI" | "ANTHROPIC" | "MCP";

/** What a tool is, as a chat model or an MCP host takes it. */
export function definitionOf(tool: Tool, format: ToolFormat): JsonObject {
  const { name, description, parameters, effects } = tool;
  const schema = publishedSchema(parameters);
  switch (format) {
    case "OPENAI":
      return { type: "function", function: { name, description, parameters: schema } };
    case "ANTHROPIC":
      return { name, description, input_schema: schema };
    case "MCP": {
      const { readOnly, destructive = false, idempotent = false } = effects;
      const changes = readOnly ? {} : { destructiveHint: destructive, idempotentHint: idempotent };
      return {
        name,
        description,
        inputSchema: schema,
        annotations: { readOnlyHint: readOnly, ...changes, openWorldHint: false },
      };
    }
  }
}
