import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import cors from "cors";
import { type Address, formatAddress } from "../edge/address.js";
import { isTrustedHost, type PageRules, pageRefusal } from "../edge/page-access.js";
import { createMcpServer } from "./mcp-server.js";
import type { ToolCalls } from "./tool-calls.js";

/** The only path of this server. */
const path = "/mcp";

/** Who may call. */
export interface HttpGuard {
  /** What callers must send as bearer token. Empty: nothing, so every local program may call. */
  readonly secret: string;
  /** Origins whose web pages may call. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Lets a page send requests with any headers, and read the responses. Requires: the page may call.
 */
const allowPage = cors({ origin: true, methods: ["POST"], preflightContinue: true });

/** An MCP server that accepts requests. */
export interface HttpMcpServer {
  /** The URL for hosts, with the real port. */
  readonly url: string;
  /** Closes open connections, and resolves when the port is closed. */
  close(): Promise<void>;
}

/**
 * Serves streamable HTTP on an address of this machine, without sessions: each request stands
 * alone.
 *
 * The Host header of every request must be an IP address or `localhost`, so that no page can reach
 * the server under a name of its own. An Origin header, which browsers send, must be allowed.
 *
 * @throws Error when the port cannot be opened
 */
export async function serveHttp(
  tools: ToolCalls,
  { host, port }: Address,
  guard: HttpGuard,
): Promise<HttpMcpServer> {
  const server = createServer((request, response) => {
    // Drains the rest of a refused body. Otherwise the client may lose the answer.
    response.once("finish", () => request.resume());
    answer(tools, guard, request, response).catch((error: unknown) =>
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
  { secret, allowedOrigins }: HttpGuard,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, origin } = request.headers;
  const pageRules: PageRules = {
    allowsOrigin: (it) => allowedOrigins.includes(it),
    allowedHosts: [],
  };
  if (!isTrustedHost(host, []))
    return refuse(response, 403, "the Host header must be localhost or an IP address");
  if (pageRefusal({ host, origin }, pageRules) !== undefined)
    return refuse(
      response,
      403,
      "web pages of this origin may not call this server; --listen-allow-origin allows an origin",
    );
  if (request.url?.split("?", 1)[0] !== path)
    return refuse(response, 404, `not found; the MCP server is at ${path}`);
  if (origin !== undefined) {
    allowPage(request, response, () => undefined);
    // A browser sends OPTIONS first, to ask whether the page may send its request.
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
  }
  if (!hasSecret(request, secret)) {
    response.setHeader("WWW-Authenticate", "Bearer");
    return refuse(
      response,
      401,
      "send the header `authorization` that `vademecum mcp` printed when it started",
    );
  }
  if (request.method !== "POST") {
    response.setHeader("Allow", "POST");
    return refuse(
      response,
      405,
      "this server has no streams and no sessions; send requests with POST",
    );
  }
  const server = createMcpServer(tools);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  // Closes only after the response is written, because closing cancels running calls.
  response.on("close", () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/** Whether a request has the secret. Takes the same time for each wrong secret. */
function hasSecret({ headers }: IncomingMessage, secret: string): boolean {
  if (secret === "") return true;
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
