import type { JsonObject } from "../model/json.js";
import type { Namespace } from "../model/namespace.js";
import type { Role } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import { type ArgumentsOf, type Parameters, publishedSchema } from "./parameters.js";

/**
 * The run, user and agent that a tool works for. If a part that the tool needs is absent, the model
 * gets an error text, as for a wrong argument.
 */
export interface ToolContext {
  /** The run of the notes. */
  readonly runId?: string;
  /** The user and agent of the blocks and memories. */
  readonly namespace?: Namespace;
  /** The time zone in which days of queries count. Absent: the server's time zone. */
  readonly timeZone?: string;
  /** Makes a retry safe for 24 hours. Has an effect only for tools that change something. */
  readonly idempotencyKey?: string;
  /** `Principal.name` of the caller. */
  readonly callerName?: string;
  readonly call: Call;
}

/** The text for the model. */
export interface ToolOutcome {
  readonly result: string;
  /** The same as values, in the form of `Tool.output`. Absent for a failure. */
  readonly structured?: JsonObject;
  /** Whether the tool failed to do its work. */
  readonly isError: boolean;
}

/** Hints for a host that decides whether to let a tool run. */
export interface ToolEffects {
  /** The tool changes nothing. */
  readonly readOnly: boolean;
  /** The tool may delete or replace records. Default false. */
  readonly destructive?: boolean;
  /** A second call with the same arguments changes nothing more. Default false. */
  readonly idempotent?: boolean;
}

/** A function that a language model may call. */
export interface Tool {
  /** Unique among all toolsets. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  readonly parameters: Parameters;
  /** The caller needs one of these roles: those for the RPCs that do the same. */
  readonly roles: readonly Role[];
  readonly effects: ToolEffects;
  /** JSON Schema of `ToolOutcome.structured`. Absent: the tool has only texts. */
  readonly output?: JsonObject;
  /**
   * Runs the tool. Requires: `given` matches the parameters. A tool that fails throws a
   * VademecumError.
   */
  run(given: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** Creates a tool. The types of its arguments follow from its parameters. */
export function defineTool<const P extends Parameters>(
  tool: Omit<Tool, "parameters" | "run"> & {
    readonly parameters: P;
    readonly run: (given: ArgumentsOf<P>, context: ToolContext) => Promise<ToolOutcome>;
  },
): Tool {
  return { ...tool, run: (given, context) => tool.run(given as ArgumentsOf<P>, context) };
}

/** Returns the outcome of a tool that did its work. */
export function success(result: string, structured?: JsonObject): ToolOutcome {
  return structured === undefined
    ? { result, isError: false }
    : { result, structured, isError: false };
}

/** Returns the outcome of a tool that did not do its work. */
export function failure(result: string): ToolOutcome {
  return { result, isError: true };
}

/** The outcome of a tool that needs a user when the context has none. */
export const noUser: ToolOutcome = failure("Unable to identify user. No user context available.");

/** The outcome of a tool that needs a run when the context has none. */
export const noRun: ToolOutcome = failure("Unable to identify run. No run context available.");

/** The form of a tool definition. Ollama takes the form of OpenAI. */
export type ToolFormat = "OPENAI" | "OPENAI_RESPONSES" | "ANTHROPIC" | "MCP";

/** Returns the definition of a tool for a chat model or an MCP host. */
export function definitionOf(tool: Tool, format: ToolFormat, isStrict = false): JsonObject {
  const { name, description, parameters, effects } = tool;
  const schema = publishedSchema(parameters, isStrict);
  const strict: JsonObject = isStrict ? { strict: true } : {};
  switch (format) {
    case "OPENAI":
      return { type: "function", function: { name, description, parameters: schema, ...strict } };
    case "OPENAI_RESPONSES":
      // The Responses API takes a definition without `strict` as a strict one.
      return { type: "function", name, description, parameters: schema, strict: isStrict };
    case "ANTHROPIC":
      return { name, description, input_schema: schema, ...strict };
    case "MCP": {
      const { output } = tool;
      const { readOnly, destructive = false, idempotent = false } = effects;
      const changes = readOnly ? {} : { destructiveHint: destructive, idempotentHint: idempotent };
      return {
        name,
        description,
        inputSchema: schema,
        ...(output !== undefined && { outputSchema: output }),
        annotations: { readOnlyHint: readOnly, ...changes, openWorldHint: false },
      };
    }
  }
}
