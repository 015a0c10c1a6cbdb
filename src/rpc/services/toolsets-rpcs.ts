import type { ToolService as ToolServiceDescriptor } from "#gen/vademecum/v1/tool_service_pb.js";
import type { ToolsetService } from "../../core/toolsets/service.js";
import { requireAnyRole } from "../access/access.js";
import type { HandlersOf } from "../adapt/handler.js";
import { requestTooComplex } from "../adapt/request-errors.js";
import {
  fromToolDefinitions,
  fromToolOutcome,
  toDispatchInput,
  toToolFormat,
} from "../convert/toolset.js";
import { jsonExcess } from "../validation/json-excess.js";

/** Creates the RPCs of `vademecum.v1.ToolService` that serve toolsets of language models. */
export function createToolsetsRpcs(
  toolsets: ToolsetService,
): Pick<HandlersOf<typeof ToolServiceDescriptor>, "getToolDefinitions" | "dispatch"> {
  return {
    getToolDefinitions: async ({ toolset, format, strict }) =>
      fromToolDefinitions(toolsets.definitions(toolset, toToolFormat(format), strict)),
    dispatch: async (request, call) => {
      requireSimpleArguments(request.argumentsJson);
      const input = toDispatchInput(request, call);
      requireAnyRole(call.principal, toolsets.rolesFor(input.toolName));
      return fromToolOutcome(await toolsets.dispatch(input, call));
    },
  };
}

/**
 * Refuses a JSON text that would be expensive to parse, by the same limits as for a JSON request.
 *
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when it has too many elements or levels
 */
function requireSimpleArguments(json: string | undefined): void {
  const excess = json === undefined ? undefined : jsonExcess(Buffer.from(json));
  if (excess !== undefined) throw requestTooComplex(`has arguments_json that ${excess}`);
}
