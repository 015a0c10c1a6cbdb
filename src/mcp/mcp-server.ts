import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  ReadResourceRequestSchema,
  RequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { productVersion } from "../edge/version.js";
import { type BlockResources, blockTemplate } from "./block-resources.js";
import { instructions } from "./offered-tools.js";
import type { ToolCalls } from "./tool-calls.js";

/**
 * Accepts any parameters, because the Vademecum server checks them and reports faults. If
 * this schema checked them, the host would get an internal error.
 */
const AnyCallToolRequestSchema = RequestSchema.extend({
  method: CallToolRequestSchema.shape.method,
});

/**
 * Creates a Model Context Protocol server that forwards everything to a Vademecum server. It serves
 * one connection, over any transport.
 */
export function createMcpServer(tools: ToolCalls): Server {
  const server = new Server(
    { name: "vademecum", version: productVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, async (_, { signal }) => {
    // The server returns definitions in this form, and the MCP client checks them.
    return { tools: (await tools.definitions(signal)) as ListToolsResult["tools"] };
  });
  server.setRequestHandler(
    AnyCallToolRequestSchema,
    async (request, { signal }): Promise<CallToolResult> => {
      const { name, arguments: toolArguments } = request.params as CallToolRequest["params"];
      const { result, isError, structured } = await tools.call(
        name,
        toolArguments as Parameters<ToolCalls["call"]>[1],
        signal,
      );
      return {
        content: [{ type: "text", text: result }],
        isError,
        ...(structured !== undefined && { structuredContent: structured }),
      };
    },
  );
  if (tools.resources !== undefined) offerResources(server, tools.resources);
  return server;
}

/** Lets hosts list and read blocks. */
function offerResources(server: Server, resources: BlockResources): void {
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    resources.list(params?.cursor, { signal }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [blockTemplate],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    resources.read(params.uri, { signal }),
  );
}
