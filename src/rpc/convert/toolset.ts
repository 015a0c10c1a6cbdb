import { create } from "@bufbuild/protobuf";
import {
  type DispatchRequest,
  type DispatchResponse,
  DispatchResponseSchema,
  type GetToolDefinitionsResponse,
  GetToolDefinitionsResponseSchema,
  ToolFormat as ProtoToolFormat,
} from "#gen/vademecum/v1/toolset_pb.js";
import { invalidField } from "../../core/model/errors.js";
import type { JsonObject } from "../../core/model/json.js";
import { requireTimeZone } from "../../core/model/time-zone.js";
import type { DispatchInput } from "../../core/toolsets/service.js";
import type { ToolFormat, ToolOutcome } from "../../core/toolsets/tool.js";
import type { Caller } from "./author.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromJsonObject } from "./json.js";
import { toNamespace } from "./memory.js";

const formats: Readonly<Record<ProtoToolFormat, ToolFormat>> = {
  [ProtoToolFormat.UNSPECIFIED]: "OPENAI",
  [ProtoToolFormat.OPENAI]: "OPENAI",
  [ProtoToolFormat.OPENAI_RESPONSES]: "OPENAI_RESPONSES",
  [ProtoToolFormat.ANTHROPIC]: "ANTHROPIC",
  [ProtoToolFormat.MCP]: "MCP",
};

/** Converts the format of tool definitions. An unspecified format means OPENAI. */
export function toToolFormat(format: ProtoToolFormat): ToolFormat {
  return formats[format];
}

/** Converts tool definitions to their message. */
export function fromToolDefinitions(
  definitions: readonly JsonObject[],
): GetToolDefinitionsResponse {
  return create(GetToolDefinitionsResponseSchema, {
    definitions: definitions.map(fromJsonObject),
  });
}

/** Converts the outcome of a tool to its message. */
export function fromToolOutcome({ result, isError, structured }: ToolOutcome): DispatchResponse {
  return create(DispatchResponseSchema, {
    result,
    isError,
    ...(structured !== undefined && { structured: fromJsonObject(structured) }),
  });
}

/**
 * Converts a tool call of a language model into the input of the core. Does not check the arguments
 * for the tool.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the arguments are given twice
 * @throws INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such time zone
 */
export function toDispatchInput(request: DispatchRequest, caller: Caller): DispatchInput {
  const {
    runId,
    namespace,
    toolName,
    arguments: object,
    argumentsJson,
    idempotencyKey,
    timeZone,
  } = request;
  if (object !== undefined && argumentsJson !== undefined)
    throw invalidField("arguments_json", "must not be set together with arguments");
  const given = argumentsJson ?? object ?? {};
  return dropUndefined<DispatchInput>({
    runId,
    namespace: namespace && toNamespace(namespace),
    toolName,
    given,
    timeZone: timeZone === "" ? undefined : requireTimeZone(timeZone, "time_zone").name,
    callerName: caller.principal.name,
    idempotencyKey,
  });
}
