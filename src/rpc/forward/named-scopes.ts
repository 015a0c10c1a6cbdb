import type { DescMethod, Message } from "@bufbuild/protobuf";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { DispatchRequest } from "#gen/vademecum/v1/toolset_pb.js";
import { type Scope, userScope } from "../../core/model/namespace.js";
import { keyValueToolNames } from "../../core/toolsets/key-value-tools.js";
import { type IdKind, namedIds } from "../access/named-ids.js";

const manifestMethods: ReadonlySet<DescMethod> = new Set([
  ToolService.method.registerTool,
  ToolService.method.listTools,
  ToolService.method.deleteTool,
]);

/**
 * Returns the scopes whose data a request reads or writes, as far as the request names them. Empty
 * for a call over all users.
 */
export function namedScopes(method: DescMethod, request: Message): readonly Scope[] {
  if (manifestMethods.has(method)) return [{ kind: "server" }];
  const kind = kindOf(method, request);
  return namedIds(method.input, request)
    .filter((named) => named.kind === kind)
    .map(({ id }) => (kind === "run" ? { kind: "run", runId: id } : userScope(id)));
}

/** Other calls may also name the run in which they happen, but they use the data of the user. */
function kindOf(method: DescMethod, request: Message): IdKind {
  if (method.parent === KeyValueService) return "run";
  const isNote =
    method === ToolService.method.dispatch &&
    keyValueToolNames.has((request as DispatchRequest).toolName);
  return isNote ? "run" : "user";
}
