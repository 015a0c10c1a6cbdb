import type { BlockService } from "../blocks/service.js";
import type { KeyValueService } from "../key-values/service.js";
import type { MemoryService } from "../memories/service.js";
import type { JsonObject } from "../model/json.js";
import type { Role } from "../model/principal.js";
import type { TimeZone } from "../model/time-zone.js";
import type { ProposalService } from "../proposals/service.js";
import type { SkillService } from "../skills/service.js";
import type { GivenArguments } from "./given-arguments.js";
import type { ToolContext, ToolFormat, ToolOutcome } from "./tool.js";

/** The use cases that the tools call. */
export interface ToolsetServiceParts {
  readonly keyValues: KeyValueService;
  readonly blocks: BlockService;
  readonly proposals: ProposalService;
  readonly memories: MemoryService;
  /** The time zone of calls that name none. Default UTC. */
  readonly timeZone?: TimeZone | undefined;
  readonly skills: SkillService;
}

/** A tool call of a language model. */
export interface DispatchInput extends Omit<ToolContext, "call"> {
  readonly toolName: string;
  /** The model's arguments, unchecked. */
  readonly given: GivenArguments;
}

/** The tools with which language models call the other use cases. */
export interface ToolsetService {
  /**
   * Returns the definitions of a toolset's tools, in their order. Strict ones name every parameter
   * as required, and let a model leave out an optional one with null.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when there is no such toolset.
   */
  definitions(toolset: string, format: ToolFormat, isStrict?: boolean): readonly JsonObject[];
  /**
   * Returns the roles of which the caller of a tool needs one; `reader` for a tool that does not
   * exist.
   */
  rolesFor(toolName: string): readonly Role[];
  /**
   * Runs a tool. A mistake of the model, or a `VademecumError` of the tool, becomes a text in the
   * outcome. Any other error is a fault of the server and is rethrown.
   *
   * @throws CANCELLED, DEADLINE_EXCEEDED when the call has ended.
   * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when the key was used for another call.
   */
  dispatch(input: DispatchInput, call: ToolContext["call"]): Promise<ToolOutcome>;
}
