import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer } from "./mcp-server.js";
import type { ToolCalls } from "./tool-calls.js";

/** Serves the host that has started this process, over its standard input and output. Resolves when the host closes the input. */
export async function serveStdio(tools: ToolCalls, stdin: Readable, stdout: Writable): Promise<void> {
  const server = createMcpServer(tools);
  const ended = once(stdin, "end");
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await server.close();
}
