import type { JsonObject } from "../model/json.js";
import type { ToolFormat } from "./definition.js";
import type { ToolContext, ToolOutcome } from "./tool.js";

/** A call that a language model asked for. */
export interface DispatchInput extends Omit<ToolContext, "call"> {
  readonly toolName: string;
  /** As the model gave them: nothing has been checked. */
  readonly given: JsonObject;
}

/** Tools for language models over the other use cases. */
export interface ToolsetService {
  /** What the tools of a toolset are, in its order. @throws INVALID_ARGUMENT if there is no such toolset */
  definitions(toolset: string, format: ToolFormat): readonly JsonObject[];
  /**
   * Runs a tool. What the model did wrong, and what the tool could not do, is a text in the outcome.
   * @throws CANCELLED or DEADLINE_EXCEEDED when the call has ended, INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED); what is no VademecumError is a fault of the server
   */
  dispatch(input: DispatchInput, call: ToolContext["call"]): Promise<ToolOutcome>;
}
