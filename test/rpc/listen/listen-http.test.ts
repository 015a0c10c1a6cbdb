import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { containing } from "../matchers.js";
import { grpcFrame, sendHttp2 } from "../raw-http2.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

const checkPath = "/grpc.health.v1.Health/Check";
const emptyRequest = grpcFrame(Buffer.alloc(0));

async function start(): Promise<{
  readonly url: string;
  readonly open: () => Promise<Socket>;
  readonly setServing: (serving: boolean) => void;
}> {
  const server = serve();
  const port = Number(server.httpAddress.split(":")[1]);
  const open = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return {
    url: `http://${server.httpAddress}`,
    open,
    setServing: (serving) => server.setServing(serving),
  };
}

async function postJson(
  url: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

describe("the HTTP listener", () => {
  it("the HTTP listener serves HTTP/1.1 and HTTP/2 in plaintext", async () => {
    const { url } = await start();
    expect(await (await postJson(url, checkPath, "{}")).json()).toEqual({ status: "SERVING" });
    const response = await sendHttp2(
      url,
      { ":path": checkPath, "content-type": "application/json" },
      Buffer.from("{}"),
    );
    expect(JSON.parse(response.body)).toEqual({ status: "SERVING" });
  });

  it("the HTTP listener detects HTTP/1.1 and HTTP/2 when the first bytes arrive one by one", async () => {
    const { open } = await start();
    const http1 = await open();
    for (const letter of "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") {
      http1.write(letter);
      await turn();
    }
    expect(await text(http1)).toMatch(/^HTTP\/1\.1 200 OK/);
    const http2 = await open();
    for (const letter of "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") {
      http2.write(letter);
      await turn();
    }
    const [settings] = (await once(http2, "data")) as [Buffer];
    // The type of the first frame is SETTINGS.
    expect(settings[3]).toBe(4);
    http2.destroy();
  });

  it.each([
    ["the start of a TLS handshake", "\u0016\u0003\u0001 hello\r\n\r\n"],
    [
      "the method PRINT, which begins like the HTTP/2 preface",
      "PRINT /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    [
      "headers of more than 16 KiB",
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(17_000)}\r\n\r\n`,
    ],
    [
      "an HTTP/2 preface without a frame after it",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n",
    ],
  ])(
    "the HTTP listener closes a connection with %s, and serves other connections",
    async (_name, bytes) => {
      const { url, open } = await start();
      const socket = await open();
      socket.on("error", () => undefined).resume();
      socket.write(bytes);
      await once(socket, "close");
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    },
  );

  it.each([
    [
      "HTTP/1.0 without a Host header",
      `POST ${checkPath} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      "an invalid Host header",
      `POST ${checkPath} HTTP/1.1\r\nHost: [\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
  ])("the HTTP listener answers %s with HTTP status 400", async (_name, request) => {
    const { open } = await start();
    const socket = await open();
    socket.write(request);
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain("Host header");
  });

  it.each(["/healthz", "/readyz"])(
    "the HTTP listener answers %s with 200 while the server serves and 503 otherwise, and allows GET and HEAD",
    async (path) => {
      const { url, setServing } = await start();
      const serving = await fetch(`${url}${path}`);
      expect([serving.status, await serving.json()]).toEqual([
        200,
        { status: "SERVING", writes: "ok" },
      ]);
      setServing(false);
      onTestFinished(() => setServing(true));
      const notServing = await fetch(`${url}${path}?verbose`);
      expect([notServing.status, await notServing.json()]).toEqual([
        503,
        { status: "NOT_SERVING", writes: "ok" },
      ]);
      expect((await fetch(`${url}${path}`, { method: "HEAD" })).status).toBe(503);
      const live = await fetch(`${url}/livez`);
      expect([live.status, await live.json()]).toEqual([200, { status: "LIVE" }]);
      const posted = await fetch(`${url}${path}`, { method: "POST" });
      expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    },
  );

  it("the HTTP listener refuses a wrong path, method, verb, content type or HTTP version, and names what is allowed", async () => {
    const { url } = await start();
    const page = await fetch(`${url}/favicon.ico`);
    expect(page.status).toBe(404);
    expect(await page.json()).toEqual({
      code: "not_found",
      message: containing("vademecum.v1.MemoryProvider"),
    });
    const method = await postJson(url, "/vademecum.v1.MemoryProvider/Remember", "{}");
    expect(method.status).toBe(404);
    expect(await method.json()).toEqual({
      code: "unimplemented",
      message: containing("its methods are Add, AddTrace, AddBatch, AddMany, Search"),
    });
    const verb = await fetch(url + checkPath);
    expect([verb.status, verb.headers.get("allow")]).toEqual([405, "POST"]);
    const type = await fetch(url + checkPath, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "text/plain" },
    });
    expect([type.status, await type.json()]).toEqual([
      415,
      { code: "invalid_argument", message: containing("application/json") },
    ]);
    const watch = await postJson(
      url,
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
      "",
      {
        "content-type": "application/connect+json",
      },
    );
    expect([watch.status, await watch.json()]).toEqual([
      505,
      { code: "invalid_argument", message: containing("HTTP/2") },
    ]);
  });

  it.each(["application/grpc", "application/grpc-web+proto"])(
    "the HTTP listener answers a call of an unknown method with UNIMPLEMENTED and the content type of the call: %s",
    async (contentType) => {
      const { url } = await start();
      const { headers } = await sendHttp2(
        url,
        { ":path": "/vademecum.v1.MemoryProvider/Remember", "content-type": contentType },
        emptyRequest,
      );
      expect(headers).toMatchObject({
        ":status": 200,
        "content-type": contentType,
        "grpc-status": "12",
      });
      expect(decodeURIComponent(String(headers["grpc-message"]))).toContain("no method 'Remember'");
    },
  );

  it("the HTTP listener refuses gRPC over HTTP/1.1 with HTTP status 415", async () => {
    const { url } = await start();
    const response = await fetch(url + checkPath, {
      method: "POST",
      body: emptyRequest,
      headers: { "content-type": "application/grpc" },
    });
    expect(response.status).toBe(415);
  });

  it.each([
    ["with a content-length", {}],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])(
    "the HTTP listener refuses a request of 5 MiB with REQUEST_TOO_LARGE, and answers the next request: %s",
    async (_name, headers) => {
      const { url } = await start();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const post = async (path: string, body: string) => {
        const options = {
          agent,
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
        };
        const call = request(url + path, options);
        const response = await new Promise<IncomingMessage>((resolve, reject) =>
          call.on("response", resolve).on("error", reject).end(body),
        );
        const reply = JSON.parse(await text(response)) as unknown;
        return { status: response.statusCode, body: reply, reused: call.reusedSocket };
      };
      const refused = await post(
        checkPath,
        JSON.stringify({ service: "x".repeat(5 * 1024 * 1024) }),
      );
      expect(refused).toMatchObject({
        status: 429,
        body: { code: "resource_exhausted", details: [{ debug: { reason: "REQUEST_TOO_LARGE" } }] },
      });
      expect(await post(checkPath, "{}")).toEqual({
        status: 200,
        body: { status: "SERVING" },
        reused: true,
      });
    },
  );

  it("the HTTP listener refuses a JSON request of one byte more than the limit of its RPC", async () => {
    const { url } = await start();
    const bodyOf = (bytes: number) =>
      `{"service":"${"x".repeat(bytes - '{"service":""}'.length)}"}`;
    const limit = 6 * 64 * 1024;
    const statuses = [limit, limit + 1].map(async (bytes) => {
      const { status } = await postJson(url, checkPath, bodyOf(bytes));
      return status;
    });
    // The request of exactly the limit gets 404, because no service has such a long name.
    expect(await Promise.all(statuses)).toEqual([404, 429]);
  });

  it("the HTTP listener refuses an unknown JSON field with MALFORMED_REQUEST, and names the field and the known fields", async () => {
    const { url } = await start();
    const response = await postJson(url, checkPath, '{"service":"","colour":"red"}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_argument",
      message: containing("colour: is not a field"),
      details: [
        {
          type: "google.rpc.ErrorInfo",
          debug: { reason: "MALFORMED_REQUEST", domain: "vademecum" },
        },
        {
          type: "google.rpc.BadRequest",
          debug: {
            fieldViolations: [
              {
                field: "colour",
                description: "is not a field of HealthCheckRequest, whose fields are service",
              },
            ],
          },
        },
      ],
    });
  });
});
