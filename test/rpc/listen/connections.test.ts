import { once } from "node:events";
import { constants } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HealthCheckResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import type { TrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { createDeferred } from "../deferred.js";
import { type ProbeHandlers, startProbeServer } from "../probe-server.js";
import { checkPath, isGreeted, openSession, openSocket, patient } from "../raw-connections.js";
import { grpcFrame, headersFrame, http2Greeting, resetFrame } from "../raw-http2.js";

/** Bars an address, even loopback, after one offence. */
const strict = { offences: 1, barsLoopback: true };
const grpcHeaders = { ":method": "POST", "content-type": "application/grpc", te: "trailers" };

/** The ids of six streams. */
const streamIds = [1, 3, 5, 7, 9, 11];

describe.each(["grpcAddress", "httpAddress"] as const)("a connection to %s", (listener) => {
  const start = async (
    limits: Partial<TrafficLimits>,
    handlers: ProbeHandlers = {},
    nowMs?: () => number,
  ) => {
    const allLimits = { sweepMs: 5, ...limits };
    const { traffic, ...addresses } = await startProbeServer(handlers, undefined, allLimits, nowMs);
    return { address: addresses[listener], traffic };
  };

  it("a connection is closed immediately when its address has too many connections, and other addresses are served", async () => {
    const { address } = await start({ connectionsPerAddress: 2 });
    await openSocket(address);
    const second = await openSocket(address);
    await once(await openSocket(address), "close");
    const other = await openSocket(address, "127.0.0.2");
    other.write(http2Greeting);
    await once(other, "data");
    second.destroy();
    await vi.waitFor(async () => expect(await isGreeted(address)).toBe(true), patient);
  });

  it("a connection from any address is closed immediately when the server has too many connections", async () => {
    const { address } = await start({ connections: 1, connectionsPerAddress: 0 });
    await openSocket(address);
    await once(await openSocket(address, "127.0.0.2"), "close");
  });

  it("a connection is closed when its client does not answer pings", async () => {
    const { address } = await start({ pingMs: 10 });
    const socket = await openSocket(address);
    socket.write(http2Greeting);
    await once(socket, "close");
  });

  it("a connection stays open when its client answers pings", async () => {
    const { address } = await start({ pingMs: 300 });
    const session = await openSession(address);
    for (let ping = 0; ping < 3; ping++) await once(session, "ping");
    expect(session.closed).toBe(false);
  });

  it("a connection is closed after a long time without a call", async () => {
    const { address } = await start({ idleMs: 20 });
    const session = await openSession(address);
    const silent = await openSocket(address);
    silent.write(http2Greeting);
    await Promise.all([once(session, "close"), once(silent, "close")]);
  });

  it("a connection stays open during a call", async () => {
    const [started, finish] = [createDeferred(), createDeferred()];
    let nowMs = 0;
    const { address, traffic } = await start(
      { idleMs: 500 },
      {
        check: async () => {
          started.resolve();
          await finish.promise;
          return create(HealthCheckResponseSchema);
        },
      },
      () => nowMs,
    );
    const session = await openSession(address);
    const stream = session.request({ ...grpcHeaders, ":path": checkPath });
    stream.end(grpcFrame(Buffer.alloc(0)));
    await started.promise;
    const idle = await openSession(address);
    nowMs += 500;
    await once(idle, "close");
    await vi.waitFor(() => expect(traffic.connections.size).toBe(1), patient);
    expect(session.closed).toBe(false);
    finish.resolve();
    stream.resume();
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(0), patient);
    nowMs += 500;
    await once(session, "close");
  });

  it("idle connections are closed earlier when nine tenths of all connections are taken", async () => {
    const { address, traffic } = await start({ connections: 10, idleMs: 200 });
    const first = await openSocket(address);
    for (let count = 0; count < 7; count++) await openSocket(address);
    // The client may know of the last connection before the server does.
    await vi.waitFor(() => expect(traffic.connections.size).toBe(8), patient);
    await openSocket(address);
    await once(first, "close");
  });

  it.each([
    ["as soon as it has sent them", true],
    ["after they have begun", false],
  ])(
    "a connection that resets too many requests %s is closed, and its address is refused for a while",
    async (_, isAtOnce) => {
      let nowMs = 0;
      const limits = { ...strict, resets: 5 };
      const { address, traffic } = await start(limits, {}, () => nowMs);
      const socket = await openSocket(address);
      socket.write(http2Greeting);
      const headers = streamIds.map((id) => headersFrame(id, checkPath));
      const resets = streamIds.map((id) => resetFrame(id));
      if (!isAtOnce) {
        socket.write(Buffer.concat(headers));
        await vi.waitFor(() => expect(traffic.openCalls()).toBe(6), patient);
        socket.write(Buffer.concat(resets));
      } else {
        socket.write(
          Buffer.concat(headers.flatMap((frame, index) => [frame, resets[index] ?? frame])),
        );
      }
      await once(socket, "close");
      await once(await openSocket(address), "close");
      const other = await openSocket(address, "127.0.0.2");
      other.write(http2Greeting);
      await once(other, "data");
      nowMs += 10_000;
      expect(await isGreeted(address)).toBe(true);
    },
  );

  it("the address of a connection with too many resets is not refused if connectionsPerAddress is 0, which means no limit", async () => {
    const { address } = await start({ ...strict, resets: 5, connectionsPerAddress: 0 });
    const socket = await openSocket(address);
    const frames = streamIds.flatMap((id) => [headersFrame(id, checkPath), resetFrame(id)]);
    socket.write(Buffer.concat([http2Greeting, ...frames]));
    await once(socket, "close");
    expect(await isGreeted(address)).toBe(true);
  });

  it("calls that end with a lost connection do not count as resets, so the address is not refused", async () => {
    const { address, traffic } = await start({ ...strict, resets: 5 });
    const socket = await openSocket(address);
    const headers = streamIds.map((id) => headersFrame(id, checkPath));
    socket.write(Buffer.concat([http2Greeting, ...headers]));
    await vi.waitFor(() => expect(traffic.openCalls()).toBe(6), patient);
    socket.destroy();
    await vi.waitFor(() => expect(traffic.connections.size).toBe(0), patient);
    expect(await isGreeted(address)).toBe(true);
  });

  it("a connection stays open when its client cancels many calls with complete requests", async () => {
    let started = 0;
    const { address } = await start(
      { ...strict, resets: 5 },
      {
        check: async () => {
          started++;
          return new Promise(() => undefined);
        },
      },
    );
    const session = await openSession(address);
    const streams = Array.from({ length: 20 }, () => {
      const stream = session.request({ ...grpcHeaders, ":path": checkPath });
      stream.on("error", () => undefined).end(grpcFrame(Buffer.alloc(0)));
      return stream;
    });
    await vi.waitFor(() => expect(started).toBe(20), patient);
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    await new Promise<void>((resolve) => session.ping(() => resolve()));
    expect(session.closed).toBe(false);
  });
});

describe("a connection to the HTTP port", () => {
  const slow = { headersMs: 20, sweepMs: 5 };

  /** Sends bytes over a new connection. Returns what the server sends before it closes. */
  async function answerTo(address: string, bytes: string): Promise<string> {
    const [host = "", port] = address.split(":");
    const socket = connect({ host, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    return text(socket);
  }

  it("a connection to the HTTP port is closed when its client sends no byte", async () => {
    const { httpAddress } = await startProbeServer({}, undefined, slow);
    expect(await answerTo(httpAddress, "")).toBe("");
  });

  it("a connection to the HTTP port is closed with status 408 when its headers arrive slowly", async () => {
    const { httpAddress } = await startProbeServer({}, undefined, slow);
    const beginning = "POST /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ";
    // On a busy machine, the time limit can pass before the first byte arrives. The server then
    // closes the connection without an answer.
    await vi.waitFor(
      async () => expect(await answerTo(httpAddress, beginning)).toMatch(/^HTTP\/1\.1 408 /),
      patient,
    );
  });

  it("a connection to the HTTP port is closed if too many HTTP/1.1 requests wait in it", async () => {
    const { httpAddress } = await startProbeServer(
      { check: () => new Promise(() => undefined) },
      undefined,
      { connectionCalls: 3 },
    );
    const socket = await openSocket(httpAddress);
    const request =
      `POST ${checkPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      "Content-Length: 2\r\n\r\n{}";
    socket.write(request.repeat(4));
    await once(socket, "close");
  });
});
