import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import cors from "cors";
import { type Address, formatAddress } from "../address.js";
import { createMcpServer } from "./mcp-server.js";
import type { ToolCalls } from "./tool-calls.js";

/** The one path that is served. */
const path = "/mcp";

/** Names of this machine, as they stand in URLs. */
const localNames = ["localhost", "127.0.0.1", "[::1]"];

/** Lets a page send requests, with any headers, and read the answers. It is asked only for pages of this machine. */
const allowPage = cors({ origin: true, methods: ["POST"], preflightContinue: true });

/** An MCP server that takes requests. */
export interface HttpMcpServer {
  /** Where hosts connect, with the real port. */
  readonly url: string;
  /** Cuts what is open and resolves when the port is closed. */
  close(): Promise<void>;
}

/**
 * Serves streamable HTTP on an address of this machine. Callers are not checked, but web pages are: a request must name this machine in its Host and, where a browser sends one, in its Origin.
 * Without sessions: each request is complete by itself. @throws if the port cannot be opened
 */
export async function serveHttp(tools: ToolCalls, { host, port }: Address): Promise<HttpMcpServer> {
  const server = createServer((request, response) => {
    answer(tools, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: realPort } = server.address() as AddressInfo;
  return {
    url: `http://${formatAddress({ host, port: realPort })}${path}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(
  tools: ToolCalls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, origin } = request.headers;
  if (!isLocal(`http://${host ?? ""}`))
    return refuse(
      response,
      403,
      `the Host header must name this machine: ${localNames.join(", ")}`,
    );
  if (origin !== undefined && !isLocal(origin))
    return refuse(response, 403, "web pages of other machines may not use this server");
  if (request.url?.split("?", 1)[0] !== path)
    return refuse(response, 404, `there is nothing here; the server is at ${path}`);
  if (origin !== undefined) {
    allowPage(request, response, () => undefined);
    // A browser asks before it sends what the page wants to send.
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
  }
  if (request.method !== "POST") {
    response.setHeader("Allow", "POST");
    return refuse(
      response,
      405,
      "this server has no streams and no sessions: send requests with POST",
    );
  }
  const server = createMcpServer(tools);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  // Not before the answer is written: closing ends calls that are running.
  response.on("close", () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && localNames.includes(new URL(url).hostname);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
