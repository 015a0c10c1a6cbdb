import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { VademecumError } from "../core/errors.js";
import type { ToolsetService } from "../core/toolsets/toolset-service.js";
import { type Implementation, implement } from "./handler.js";
import { toolsetHandlers } from "./toolsets.js";

/** The RPCs of `vademecum.v1.ToolService`. */
export function createToolService(toolsets: ToolsetService): Implementation {
  const unavailable = (rpc: string) => async () => {
    throw new VademecumError("UNIMPLEMENTED", "NOT_IN_THIS_VERSION", `${rpc} is not available in this version of the server`);
  };
  const unavailableStream = (rpc: string) => () => ({ [Symbol.asyncIterator]: () => ({ next: unavailable(rpc) }) });
  return implement(ToolService, {
    registerTool: unavailable("RegisterTool"),
    listTools: unavailable("ListTools"),
    deleteTool: unavailable("DeleteTool"),
    queryMemory: unavailableStream("QueryMemory"),
    submitToolResponse: unavailable("SubmitToolResponse"),
    getTurnTrace: unavailableStream("GetTurnTrace"),
    ...toolsetHandlers(toolsets),
  });
}
