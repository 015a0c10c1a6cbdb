import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { ArgumentsOf, Parameters } from "./parameters.js";

/** Whom a tool works for. What a tool needs and does not have becomes a text for the model, as a wrong argument does. */
export interface ToolContext {
  /** The run whose keys the tool works on. */
  readonly runId?: string;
  /** The user and agent whose blocks and memories it works on. */
  readonly namespace?: Namespace;
  /** Makes a retry safe for 24 hours, for tools that change something. */
  readonly idempotencyKey?: string;
  readonly call: Call;
}

/** What the model is told. */
export interface ToolOutcome {
  readonly result: string;
  /** Whether what was asked for was not done. */
  readonly isError: boolean;
}

/** What hosts may want to know before they let a tool run. */
export interface ToolEffects {
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It may take away or replace what is there. Only of a tool that changes something. */
  readonly destructive?: boolean;
  /** Calling it again with the same arguments changes nothing more. Only of a tool that changes something. */
  readonly idempotent?: boolean;
}

/** A function that a language model may call. */
export interface Tool {
  /** Unique among all toolsets. */
  readonly name: string;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  readonly parameters: Parameters;
  readonly effects: ToolEffects;
  /** REQUIRES: `given` is what the parameters say. @throws VademecumError for what cannot be done */
  run(given: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool with the types of its arguments taken from its parameters. */
export function defineTool<const P extends Parameters>(
  tool: Omit<Tool, "parameters" | "run"> & {
    readonly parameters: P;
    readonly run: (given: ArgumentsOf<P>, context: ToolContext) => Promise<ToolOutcome>;
  },
): Tool {
  return { ...tool, run: (given, context) => tool.run(given as ArgumentsOf<P>, context) };
}

/** What was asked for was done. */
export function done(result: string): ToolOutcome {
  return { result, isError: false };
}

/** It was not. */
export function notDone(result: string): ToolOutcome {
  return { result, isError: true };
}

/** The tool works on something of a user, and there is none. */
export const noUser: ToolOutcome = notDone("Unable to identify user. No user context available.");

/** The tool works on the keys of a run, and there is none. */
export const noRun: ToolOutcome = notDone("Unable to identify run. No run context available.");
