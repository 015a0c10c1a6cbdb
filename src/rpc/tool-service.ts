import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { VademecumError } from "../core/errors.js";
import { type Implementation, implement } from "./handler.js";

/** The RPCs of `vademecum.v1.ToolService`. */
export function createToolService(): Implementation {
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
  });
}
