import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
  RequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { productVersion } from "../version.js";
import type { ToolCalls } from "./tool-calls.js";

/** Takes any parameters, as the server checks them once more: what is wrong there comes as an internal error from here, and as invalid parameters from the server. */
const AnyCallToolRequestSchema = RequestSchema.extend({
  method: CallToolRequestSchema.shape.method,
});

/** A server of the Model Context Protocol that passes everything on. It serves one connection, whatever the transport. */
export function createMcpServer(tools: ToolCalls): Server {
  const server = new Server(
    { name: "vademecum", version: productVersion() },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, async (_, { signal }) => {
    // The definitions are made in this form; the client checks them.
    return { tools: (await tools.definitions(signal)) as ListToolsResult["tools"] };
  });
  server.setRequestHandler(
    AnyCallToolRequestSchema,
    async (request, { signal }): Promise<CallToolResult> => {
      const { name, arguments: given } = request.params as CallToolRequest["params"];
      const { result, isError } = await tools.call(
        name,
        given as Parameters<ToolCalls["call"]>[1],
        signal,
      );
      return { content: [{ type: "text", text: result }], isError };
    },
  );
  return server;
}
