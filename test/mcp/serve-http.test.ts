import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type HttpMcpServer, serveHttp } from "../../src/mcp/serve-http.js";
import type { ToolCalls } from "../../src/mcp/tool-calls.js";

/** No tools. The tests of this file need none. */
const noTools: ToolCalls = {
  definitions: async () => [],
  call: async () => ({ result: "called", isError: false }),
};

const local = { host: "127.0.0.1", port: 0 };
const allowedOrigins = ["http://localhost:3000", "https://notes.example.com"];

let server: HttpMcpServer;
beforeAll(async () => {
  server = await serveHttp(noTools, local, { secret: "", allowedOrigins });
});
afterAll(() => server.close());

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** Sends a request with these headers and the headers of every MCP client. */
async function send(
  headers: Record<string, string>,
  options: RequestOptions = {},
  body = listTools,
) {
  const common = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const sent = request(server.url, {
    method: "POST",
    ...options,
    headers: { ...common, ...headers },
  });
  sent.end(options.method === undefined ? body : undefined);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const received = await text(response);
  // The server may answer before the whole body is sent.
  if (!sent.writableFinished) await once(sent, "finish");
  return { status: response.statusCode, headers: response.headers, body: received };
}

it("the MCP server answers a request whose Host names this machine", async () => {
  const { status, body } = await send({});
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ jsonrpc: "2.0", id: 1, result: { tools: [] } });
});

it.each(allowedOrigins)(
  "the MCP server answers requests and preflight requests of the page %s, which is allowed",
  async (origin) => {
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,mcp-protocol-version",
    };
    expect(await send(preflight, { method: "OPTIONS" })).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type,mcp-protocol-version",
      },
    });
    expect(await send({ origin })).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": origin },
    });
  },
);

it.each([
  "https://example.com",
  "null",
  "http://127.0.0.1.example.com",
  "http://localhost",
  "http://localhost:3001",
  "http://127.0.0.1:3000",
])("the MCP server refuses requests of the page %s, which is not allowed", async (origin) => {
  const { status, body, headers } = await send({ origin });
  expect({ status, body }).toEqual({
    status: 403,
    body: expect.stringContaining("web pages") as unknown,
  });
  expect(headers).not.toHaveProperty("access-control-allow-origin");
  expect(
    (await send({ origin, "access-control-request-method": "POST" }, { method: "OPTIONS" })).status,
  ).toBe(403);
});

it.each(["example.com", "example.com:8090", "127.0.0.1.example.com", "localhost@example.com"])(
  "the MCP server refuses a request with the Host %s, as in an attack by DNS rebinding",
  async (host) => {
    expect(await send({ host })).toMatchObject({
      status: 403,
      body: expect.stringContaining("Host") as unknown,
    });
  },
);

it("the MCP server refuses GET, DELETE and other paths", async () => {
  expect(await send({}, { method: "GET" })).toMatchObject({
    status: 405,
    headers: { allow: "POST" },
  });
  expect(await send({}, { method: "DELETE" })).toMatchObject({
    status: 405,
    headers: { allow: "POST" },
  });
  expect((await send({}, { path: "/" })).status).toBe(404);
});

it("the MCP server refuses a body above 4 MiB, and a body that is not JSON", async () => {
  expect((await send({}, {}, " ".repeat(4 * 1024 * 1024 + 1))).status).toBe(413);
  expect((await send({}, {}, "{")).status).toBe(400);
});

it("an MCP server with a secret answers only requests that have it", async () => {
  const secret = "a secret of sixteen letters".replaceAll(" ", "-");
  const guarded = await serveHttp(noTools, local, { secret, allowedOrigins });
  onTestFinished(() => guarded.close());
  const statusOf = async (authorization?: string) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const sent = { method: "POST", body: listTools };
    const response = await fetch(guarded.url, {
      ...sent,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    });
    return [response.status, response.headers.get("www-authenticate")];
  };
  for (const wrong of [undefined, "Bearer", `Bearer ${secret}x`, `Basic ${secret}`, secret])
    expect(await statusOf(wrong)).toEqual([401, "Bearer"]);
  expect(await statusOf(`Bearer ${secret}`)).toEqual([200, null]);
});
