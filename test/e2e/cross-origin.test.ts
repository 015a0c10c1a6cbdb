import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { sendHttp2 } from "../rpc/raw-http2.js";
import { describeFailure } from "./harness/failure.js";
import { protocols } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const path = "/vademecum.v1.MemoryProvider/Search";
const origin = "https://app.example.com";
const otherOrigin = "http://localhost:5173";
const foreignOrigins = [
  "https://evil.example",
  "https://app.example.com.evil.example",
  "http://app.example.com",
  `${origin}:8443`,
  "null",
];
const namespace = { userId: "ada", agentId: "guide" };

/** The CORS headers of a reply. */
function crossOriginHeaders(
  headers: Headers | Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = headers instanceof Headers ? [...headers.entries()] : Object.entries(headers);
  return Object.fromEntries(
    entries.filter(([name]) => name === "vary" || name.startsWith("access-control-")),
  );
}

const preflightHeaders = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,content-type",
};

/** Sends a preflight of a page's origin over HTTP/1.1, and another one over HTTP/2. */
async function preflights(
  server: TestServer,
  from: string,
): Promise<{ status: unknown; headers: Record<string, unknown> }[]> {
  const headers = { ...preflightHeaders, origin: from };
  const http1 = await fetch(server.httpUrl + path, { method: "OPTIONS", headers });
  const http2 = await sendHttp2(server.httpUrl, {
    ":method": "OPTIONS",
    ":path": path,
    ...headers,
  });
  return [
    { status: http1.status, headers: crossOriginHeaders(http1.headers) },
    { status: http2.headers[":status"], headers: crossOriginHeaders(http2.headers) },
  ];
}

describe("a server with two allowed origins", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ "http-allow-origin": `${origin},${otherOrigin}` });
  });
  afterAll(() => server.stop());

  it("a server with allowed origins answers preflights completely, and lets browsers cache the answer", async () => {
    for (const from of [origin, otherOrigin]) {
      for (const { status, headers } of await preflights(server, from)) {
        expect(status).toBe(204);
        expect(headers).toMatchObject({
          "access-control-allow-origin": from,
          "access-control-allow-methods": "POST,GET",
          "access-control-max-age": "7200",
          vary: "Origin",
        });
        const allowed = String(headers["access-control-allow-headers"]).toLowerCase().split(",");
        for (const name of [
          "content-type",
          "connect-protocol-version",
          "connect-timeout-ms",
          "x-grpc-web",
          "grpc-timeout",
          "authorization",
          "x-vademecum-user",
        ]) {
          expect(allowed).toContain(name);
        }
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
      }
    }
  });

  it.each(foreignOrigins)(
    "a server with allowed origins does not allow pages of %s to read its replies",
    async (from) => {
      for (const { headers } of await preflights(server, from)) {
        expect(headers).not.toHaveProperty("access-control-allow-origin");
        expect(headers).toMatchObject({ vary: "Origin" });
      }
      const call = await fetch(server.httpUrl + path, {
        method: "POST",
        headers: { origin: from },
      });
      expect(crossOriginHeaders(call.headers)).not.toHaveProperty("access-control-allow-origin");
    },
  );

  it("a server with allowed origins answers callers without an Origin header, and names no origin in the answer", async () => {
    const health = await fetch(`${server.httpUrl}/healthz`);
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "SERVING", writes: "ok" },
    ]);
    expect(health.headers.get("access-control-allow-origin")).toBeNull();
    expect(health.headers.get("vary")).toBe("Origin");
  });

  const readable = { "access-control-allow-origin": origin, vary: "Origin" };
  const exposed = expect.stringMatching(
    /^(?=.*\bgrpc-status\b)(?=.*\bgrpc-message\b)(?=.*\bgrpc-status-details-bin\b)/i,
  ) as string;

  describeOver(
    "a call",
    protocols.filter(({ name }) => !name.includes("on its own port")),
    (protocol) => {
      it("a page of an allowed origin reads replies, streams and errors with their details", async () => {
        const connection = protocol().connect(server);
        const client = createClient(MemoryProvider, connection.transport);
        const seen: Headers[] = [];
        const options = {
          headers: { origin },
          onHeader: (headers: Headers) => void seen.push(headers),
        };
        await client.add({ namespace, content: "Ada is allergic to hazelnuts" }, options);
        for await (const _ of client.search({ namespace, query: "hazelnuts" }, options));
        const error = await client.add({ namespace, content: "" }, options).then(
          () => undefined,
          (thrown: unknown) => ConnectError.from(thrown),
        );
        connection.close();
        expect(error?.code).toBe(Code.InvalidArgument);
        expect(describeFailure(error as ConnectError)).toMatchObject({
          reason: "INVALID_FIELD",
          fields: ["content"],
        });
        expect(seen).toHaveLength(2);
        for (const headers of [...seen, (error as ConnectError).metadata]) {
          expect(crossOriginHeaders(headers)).toEqual({
            ...readable,
            "access-control-expose-headers": exposed,
          });
        }
      });
    },
  );
});

describe("a server without --http-allow-origin", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ "http-allow-host": "memory.example.com" });
  });
  afterAll(() => server.stop());

  /** Sends a Recall as a page would, over HTTP/1.1 and HTTP/2. Returns both statuses. */
  async function statusesOf(
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<unknown[]> {
    const recall = "/vademecum.v1.MemoryProvider/Recall";
    const url = new URL(server.httpUrl + recall);
    const http1 = request(url, { method: "POST", headers });
    http1.end(body);
    const [response] = (await once(http1, "response")) as [IncomingMessage];
    response.resume();
    const { host, ...others } = headers;
    const http2 = await sendHttp2(
      server.httpUrl,
      { ":method": "POST", ":path": recall, ":authority": host ?? url.host, ...others },
      Buffer.from(body),
    );
    return [response.statusCode, http2.headers[":status"]];
  }

  const recallBody = JSON.stringify({ search: { namespace, query: "" } });
  const json = { "content-type": "application/json" };

  it("a server without allowed origins sends no CORS headers, and refuses preflights", async () => {
    for (const { status, headers } of await preflights(server, origin))
      expect({ status, headers }).toEqual({ status: 403, headers: {} });
    expect(
      crossOriginHeaders(
        (await fetch(`${server.httpUrl}/healthz`, { headers: { origin } })).headers,
      ),
    ).toEqual({});
  });

  it("a server without allowed origins refuses pages of other origins, and names the setting", async () => {
    const reply = await fetch(`${server.httpUrl}/vademecum.v1.MemoryProvider/Recall`, {
      method: "POST",
      headers: { ...json, origin },
      body: recallBody,
    });
    expect(reply.status).toBe(403);
    expect(await reply.json()).toEqual({
      code: "permission_denied",
      message: expect.stringContaining("--http-allow-origin") as unknown,
    });
  });

  it("a page whose host name now leads to the server (DNS rebinding) is refused, except for the health check", async () => {
    const rebound = { host: "evil.example", origin: "http://evil.example" };
    expect(await statusesOf({ ...json, ...rebound }, recallBody)).toEqual([403, 403]);
    for (const headers of [rebound, { origin }]) {
      const health = request(`${server.httpUrl}/healthz`, { headers }).end();
      const [response] = (await once(health, "response")) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(200);
    }
  });

  it("a server answers pages of its own origin, by address and by an allowed name", async () => {
    const { host } = new URL(server.httpUrl);
    expect(await statusesOf({ ...json, origin: `http://${host}` }, recallBody)).toEqual([200, 200]);
    const allowed = { host: "memory.example.com", origin: "https://memory.example.com" };
    expect(await statusesOf({ ...json, ...allowed }, recallBody)).toEqual([200, 200]);
  });

  it("a server answers programs under any host name, because programs send no Origin", async () => {
    expect(await statusesOf({ ...json, host: "any.example" }, recallBody)).toEqual([200, 200]);
  });

  // A browser sends these content types without a preflight.
  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", undefined])(
    "a form on a page of another origin, with the content type %s, changes nothing",
    async (contentType) => {
      const body = JSON.stringify({ namespace, content: "planted by a form" });
      const reply = await fetch(`${server.httpUrl}/vademecum.v1.MemoryProvider/Add`, {
        method: "POST",
        headers: { origin, ...(contentType && { "content-type": contentType }) },
        body: Buffer.from(body),
      });
      expect(reply.status).toBe(403);
      const withoutOrigin = await fetch(`${server.httpUrl}/vademecum.v1.MemoryProvider/Add`, {
        method: "POST",
        headers: { ...(contentType && { "content-type": contentType }) },
        body: Buffer.from(body),
      });
      expect(withoutOrigin.status).toBe(415);
      const found = await fetch(`${server.httpUrl}/vademecum.v1.MemoryProvider/GetAll`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ namespace }),
      });
      expect(await found.text()).not.toContain("planted");
    },
  );
});
