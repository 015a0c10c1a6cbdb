import type { JsonObject } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import type { DispatchResponse, ToolFormat } from "#gen/vademecum/v1/toolset_pb.js";
import type { Connection } from "./protocols.js";

/** The run and the namespace that a host names in its calls. */
export interface ToolHost {
  readonly runId?: string;
  readonly namespace?: { readonly userId: string; readonly agentId: string };
}

/** Calls of a host: a program that runs a language model and its function calls. */
export interface ToolClient {
  readonly service: Client<typeof ToolService>;
  definitions(toolset: string, format?: ToolFormat, strict?: boolean): Promise<JsonObject[]>;
  /** Returns the answer of a tool. Fails the test if `is_error` is set. */
  outcome(toolName: string, given?: JsonObject): Promise<DispatchResponse>;
  /** Returns the text for the model. Fails the test if `is_error` is set. */
  dispatch(toolName: string, given?: JsonObject, idempotencyKey?: string): Promise<string>;
  /** Returns the text for the model. Fails the test if `is_error` is not set. */
  fail(toolName: string, given?: JsonObject): Promise<string>;
}

/** Creates the client of a host. */
export function createToolClient({ transport }: Connection, host: ToolHost): ToolClient {
  const service = createClient(ToolService, transport);
  const call = async (
    toolName: string,
    given: JsonObject | undefined,
    isError: boolean,
    idempotencyKey?: string,
  ) => {
    const request = {
      ...host,
      toolName,
      ...(given && { arguments: given }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const response = await service.dispatch(request);
    if (response.isError !== isError)
      throw new Error(`is_error is ${response.isError} with: ${response.result}`);
    return response;
  };
  return {
    service,
    definitions: async (toolset, format, strict = false) =>
      (
        await service.getToolDefinitions({
          ...{ toolset, strict },
          ...(format !== undefined && { format }),
        })
      ).definitions,
    outcome: (toolName, given) => call(toolName, given, false),
    dispatch: async (toolName, given, idempotencyKey) =>
      (await call(toolName, given, false, idempotencyKey)).result,
    fail: async (toolName, given) => (await call(toolName, given, true)).result,
  };
}
