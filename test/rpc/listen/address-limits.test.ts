import { once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import { describe, expect, it, vi } from "vitest";
import type { TrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { type ProbeHandlers, startProbeServer } from "../probe-server.js";
import { checkPath, isGreeted, openSession, openSocket, patient } from "../raw-connections.js";
import { grpcFrame, headersFrame, http2Frame, http2Greeting, resetFrame } from "../raw-http2.js";

/** Bars an address, even loopback, after one offence. */
const strict = { offences: 1, barsLoopback: true };
const unknownPath = "/no.Service/Method";
const listeners = ["grpcAddress", "httpAddress"] as const;
const never: ProbeHandlers = { check: () => new Promise(() => undefined) };

/** Makes a call over HTTP/2. Resolves with its status, or the code by which it was reset. */
function call(
  session: ClientHttp2Session,
  path: string,
  body = grpcFrame(Buffer.alloc(0)),
): Promise<string> {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.write(body.subarray(0, 0));
  stream.end(body);
  stream.resume();
  return new Promise((resolve) => {
    stream.once("response", (headers) => resolve(`status ${headers[":status"]}`));
    stream.once("error", () => undefined);
    stream.once("close", () => resolve(`reset ${stream.rstCode}`));
  });
}

describe.each(listeners)("a client of %s", (listener) => {
  const start = async (
    limits: Partial<TrafficLimits>,
    handlers?: ProbeHandlers,
    nowMs?: () => number,
  ) => {
    const server = await startProbeServer(
      handlers ?? {},
      undefined,
      { sweepMs: 5, ...limits },
      nowMs,
    );
    return { address: server[listener], traffic: server.traffic };
  };

  it.each([
    ["one address", { openCalls: 4.5 }],
    ["the server", { openCalls: 3, connectionsPerAddress: 0 }],
  ])(
    "further calls are reset with a code that allows a retry when %s has too many open calls",
    async (_, limits) => {
      const { address, traffic } = await start(limits, never);
      const first = await openSession(address);
      const second = await openSession(address);
      for (const session of [first, first, second]) void call(session, checkPath);
      await vi.waitFor(() => expect(traffic.openCalls()).toBe(3), patient);
      expect(await call(second, checkPath)).toBe("reset 7");
      first.destroy();
      await vi.waitFor(() => expect(traffic.openCalls()).toBe(1), patient);
      void call(second, checkPath);
      await vi.waitFor(() => expect(traffic.openCalls()).toBe(2), patient);
    },
  );

  it("an address may have any number of open calls if connectionsPerAddress is 0, which means no limit", async () => {
    const limits = { openCalls: 3, connectionsPerAddress: 0 };
    const { address, traffic } = await start(limits, never);
    const session = await openSession(address);
    for (let count = 0; count < 3; count++) void call(session, checkPath);
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(3), patient);
  });

  it("an address whose connections are lost soon after many calls began is refused for a while", async () => {
    let nowMs = 0;
    const limits = { ...strict, givenUpCalls: 5 };
    const { address, traffic } = await start(limits, never, () => nowMs);
    const lose = async (afterMs: number): Promise<void> => {
      const socket = await openSocket(address);
      const frames = [1, 3, 5, 7, 9, 11].flatMap((id) => [
        headersFrame(id, checkPath),
        http2Frame(0, 1, id, grpcFrame(Buffer.alloc(0))),
      ]);
      socket.write(Buffer.concat([http2Greeting, ...frames]));
      await vi.waitFor(() => expect(traffic.openCalls()).toBe(6), patient);
      nowMs += afterMs;
      socket.destroy();
      await vi.waitFor(() => expect(traffic.openCalls()).toBe(0), patient);
    };
    await lose(1_000);
    expect(await isGreeted(address)).toBe(true);
    await lose(0);
    expect(await isGreeted(address)).toBe(false);
  });

  it("calls without a message are answered even if they have to wait for their turn", async () => {
    let nowMs = 0;
    const { address } = await start({}, {}, () => (nowMs += 3));
    const session = await openSession(address);
    const answers = Array.from({ length: 20 }, () => call(session, checkPath, Buffer.alloc(0)));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["status 200"]));
  });

  it("an address is not refused for many calls to unknown paths", async () => {
    const { address } = await start({ ...strict, givenUpCalls: 5 });
    const session = await openSession(address);
    for (let count = 0; count < 12; count++) await call(session, unknownPath);
    expect(session.closed).toBe(false);
  });

  it("an address that cancels many complete requests before the server begins them is refused for a while", async () => {
    let nowMs = 0;
    // Each reading of the clock advances the clock by 3 ms, so that calls have to wait for their
    // turns.
    const { address } = await start({ ...strict, givenUpCalls: 5 }, {}, () => (nowMs += 3));
    const socket = await openSocket(address);
    const frames = Array.from({ length: 20 }, (_, at) => 2 * at + 1).flatMap((id) => [
      headersFrame(id, checkPath),
      http2Frame(0, 1, id, grpcFrame(Buffer.alloc(0))),
      resetFrame(id),
    ]);
    socket.write(Buffer.concat([http2Greeting, ...frames]));
    await once(socket, "close");
    expect(await isGreeted(address)).toBe(false);
    expect(await isGreeted(address, "127.0.0.2")).toBe(true);
  });
});

describe("pipelined HTTP/1.1 requests", () => {
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const post =
    `POST ${checkPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    "Content-Length: 2\r\n\r\n{}";

  it("pipelined requests are answered in their order", async () => {
    // The health check of this server answers 503.
    const { httpAddress } = await startProbeServer({});
    const socket = await openSocket(httpAddress);
    let answers = "";
    socket.on("data", (bytes: Buffer) => (answers += bytes.toString()));
    socket.write(request("/healthz") + request("/nowhere") + request("/healthz"));
    await vi.waitFor(() => expect(answers.match(/HTTP\/1\.1 \d+/g)).toHaveLength(3), patient);
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual([
      "503",
      "404",
      "503",
    ]);
  });

  it("no call of a client stays open after the client has left, however many requests were pipelined", async () => {
    const { httpAddress, traffic } = await startProbeServer(never);
    const socket = await openSocket(httpAddress);
    socket.write(post.repeat(10));
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(10), patient);
    socket.destroy();
    await vi.waitFor(() => expect(traffic.connections.size).toBe(0), patient);
    expect(traffic.openCalls()).toBe(0);
  });

  it.each([
    ["a request that Node refuses", "GET /healthz HTTP/1.1\r\n\r\n"],
    [
      "a request with an unknown Expect header",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n",
    ],
    ["a request of HTTP/1.0", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"],
  ])("no pipelined call stays open behind %s", async (_, inBetween) => {
    const { httpAddress, traffic } = await startProbeServer({});
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(httpAddress)));
    for (const socket of sockets) socket.write(request("/healthz") + inBetween + post + post);
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(0), patient);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(traffic.connections.size).toBe(0), patient);
    expect(traffic.openCalls()).toBe(0);
  });

  it("an address whose client leaves before many pipelined requests are answered is refused for a while", async () => {
    const limits = { ...strict, givenUpCalls: 5, sweepMs: 5 };
    const { httpAddress, traffic } = await startProbeServer(never, undefined, limits);
    const socket = await openSocket(httpAddress);
    socket.write(post.repeat(10));
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(10), patient);
    socket.destroy();
    await vi.waitFor(() => expect(traffic.connections.size).toBe(0), patient);
    expect(await isGreeted(httpAddress)).toBe(false);
  });
});
