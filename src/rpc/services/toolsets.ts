import { create } from "@bufbuild/protobuf";
import type { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import {
  DispatchResponseSchema,
  GetToolDefinitionsResponseSchema,
  ToolFormat as ProtoToolFormat,
} from "#gen/vademecum/v1/toolset_pb.js";
import type { ToolFormat } from "../../core/toolsets/definition.js";
import type { DispatchInput, ToolsetService } from "../../core/toolsets/toolset-service.js";
import type { HandlersOf } from "../adapt/handler.js";
import { fromJsonObject } from "../convert/json.js";
import { toNamespace } from "../convert/memory.js";
import { present } from "../convert/present.js";

const formats: Readonly<Record<ProtoToolFormat, ToolFormat>> = {
  [ProtoToolFormat.UNSPECIFIED]: "OPENAI",
  [ProtoToolFormat.OPENAI]: "OPENAI",
  [ProtoToolFormat.ANTHROPIC]: "ANTHROPIC",
  [ProtoToolFormat.MCP]: "MCP",
};

/** The RPCs of `vademecum.v1.ToolService` for language models. */
export function toolsetHandlers(
  toolsets: ToolsetService,
): Pick<HandlersOf<typeof ToolService>, "getToolDefinitions" | "dispatch"> {
  return {
    getToolDefinitions: async ({ toolset, format }) => {
      const definitions = toolsets.definitions(toolset, formats[format]).map(fromJsonObject);
      return create(GetToolDefinitionsResponseSchema, { definitions });
    },
    dispatch: async (
      { runId, namespace, toolName, arguments: given = {}, idempotencyKey },
      call,
    ) => {
      const input = present<DispatchInput>({
        runId,
        namespace: namespace && toNamespace(namespace),
        toolName,
        given,
        idempotencyKey,
      });
      return create(DispatchResponseSchema, await toolsets.dispatch(input, call));
    },
  };
}
