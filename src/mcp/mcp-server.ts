import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
} from "@modelcontextprotocol/sdk/types.js";
import { productVersion } from "../version.js";
import type { ToolCalls } from "./tool-calls.js";

/** A server of the Model Context Protocol that passes everything on. It serves one connection, whatever the transport. */
export function createMcpServer(tools: ToolCalls): Server {
  const server = new Server({ name: "vademecum", version: productVersion() }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async (_, { signal }) => {
    // The definitions are made in this form; the client checks them.
    return { tools: (await tools.definitions(signal)) as ListToolsResult["tools"] };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const { result, isError } = await tools.call(params.name, params.arguments as Parameters<ToolCalls["call"]>[1], signal);
    return { content: [{ type: "text", text: result }], isError };
  });
  return server;
}
