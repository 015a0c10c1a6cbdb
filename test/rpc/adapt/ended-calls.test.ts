import { once } from "node:events";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import { HealthCheckResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflectionResponseSchema } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { createDeferred } from "../deferred.js";
import { type ProbeHandlers, type ProbeServer, startProbeServer } from "../probe-server.js";
import { checkPath, openSession, openSocket } from "../raw-connections.js";
import { grpcFrame, headersFrame, http2Frame, http2Greeting, resetFrame } from "../raw-http2.js";

const streamPath = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const listeners = ["grpcAddress", "httpAddress"] as const;

/** A server that lists the calls that have ended, as `method code`. */
async function startCountingServer(handlers: ProbeHandlers = {}, callBytes?: number) {
  const ended: string[] = [];
  const peers: string[] = [];
  const limits = callBytes === undefined ? {} : { callBytes };
  const serverReflectionInfo = async function* (requests: AsyncIterable<unknown>) {
    for await (const _ of requests);
    yield* [];
  };
  const all = { serverReflectionInfo, ...handlers };
  const server = await startProbeServer(all, undefined, limits, undefined, (call) => {
    ended.push(`${call.path.split("/").at(-1)} ${call.code}`);
    peers.push(call.peer);
  });
  return { server, ended, peers };
}

function openCall(
  session: ClientHttp2Session,
  path: string,
  headers: object = {},
): ClientHttp2Stream {
  const stream = session.request({
    ...{ ":method": "POST", ":path": path, te: "trailers" },
    ...{ "content-type": "application/grpc", ...headers },
  });
  stream.on("error", () => undefined).resume();
  return stream;
}

/** Waits until no call is open, and until the events of all earlier calls have come. */
async function settle(server: ProbeServer, session: ClientHttp2Session): Promise<void> {
  await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(0), { timeout: 20_000 });
  const last = openCall(session, checkPath).end(grpcFrame(Buffer.alloc(0)));
  await once(last, "close");
  await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(0), { timeout: 20_000 });
}

/** The beginning of a message of 100 bytes. */
const beginning = Buffer.from([0, 0, 0, 0, 100, 1]);

describe.each(listeners)("each call that ended is noted once, on the listener %s", (listener) => {
  it("a stream of requests with a message above the limit", async () => {
    const { server, ended } = await startCountingServer();
    const session = await openSession(server[listener]);
    const stream = openCall(session, streamPath);
    stream.end(grpcFrame(Buffer.alloc(2 * 1024 * 1024)));
    await once(stream, "close");
    await settle(server, session);
    expect(ended).toEqual(["ServerReflectionInfo RESOURCE_EXHAUSTED", "Check OK"]);
  });

  it("a call that its client cancels while the request arrives", async () => {
    const { server, ended } = await startCountingServer();
    const socket = await openSocket(server[listener]);
    const begun = [headersFrame(1, checkPath), http2Frame(0, 0, 1, beginning)];
    socket.write(Buffer.concat([http2Greeting, ...begun]));
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(1), { timeout: 20_000 });
    // Clients of Node would end the request first.
    socket.write(resetFrame(1));
    await settle(server, await openSession(server[listener]));
    expect(ended).toEqual(["Check CANCELLED", "Check OK"]);
  });

  it("a call whose deadline passes while the request arrives", async () => {
    const { server, ended } = await startCountingServer();
    const session = await openSession(server[listener]);
    const stream = openCall(session, checkPath, { "grpc-timeout": "30m" });
    stream.write(beginning);
    await once(stream, "close");
    await settle(server, session);
    expect(ended).toEqual(["Check DEADLINE_EXCEEDED", "Check OK"]);
  });

  it("a call whose deadline passes while it waits for a slot", async () => {
    const gate = createDeferred();
    const check = async () => {
      await gate.promise;
      return create(HealthCheckResponseSchema);
    };
    const { server, ended } = await startCountingServer({ check }, 1);
    const session = await openSession(server[listener]);
    const first = openCall(session, checkPath).end(grpcFrame(Buffer.alloc(0)));
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(1), { timeout: 20_000 });
    const second = openCall(session, checkPath, { "grpc-timeout": "30m" });
    second.end(grpcFrame(Buffer.alloc(0)));
    await once(second, "close");
    gate.resolve();
    await once(first, "close");
    await settle(server, session);
    expect(ended).toEqual(["Check DEADLINE_EXCEEDED", "Check OK", "Check OK"]);
  });

  it("a call whose deadline passes while its handler works", async () => {
    const gate = createDeferred();
    const check = async () => {
      await gate.promise;
      return create(HealthCheckResponseSchema);
    };
    const { server, ended } = await startCountingServer({ check });
    const session = await openSession(server[listener]);
    const stream = openCall(session, checkPath, { "grpc-timeout": "30m" });
    stream.end(grpcFrame(Buffer.alloc(0)));
    await once(stream, "close");
    gate.resolve();
    await settle(server, session);
    expect(ended).toEqual(["Check DEADLINE_EXCEEDED", "Check OK"]);
  });

  it.each([checkPath, streamPath])(
    "a call of %s with headers that a library refuses",
    async (path) => {
      const { server, ended } = await startCountingServer();
      const session = await openSession(server[listener]);
      const method = path.split("/").at(-1);
      const bad = [{ "grpc-timeout": "soon" }, { "grpc-encoding": "zebra" }];
      for (const headers of bad) {
        const stream = openCall(session, path, headers);
        // Marked as compressed.
        stream.end(Buffer.concat([Buffer.from([1]), grpcFrame(Buffer.alloc(3)).subarray(1)]));
        await once(stream, "close");
      }
      await settle(server, session);
      const expected = [`${method} INVALID_ARGUMENT`, `${method} UNIMPLEMENTED`, "Check OK"];
      expect(ended).toEqual(expected);
    },
  );

  it("a call whose connection is lost, with the address that it had", async () => {
    const { server, ended, peers } = await startCountingServer();
    const session = await openSession(server[listener]);
    const port = session.socket.localPort;
    openCall(session, checkPath).write(beginning);
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(1), { timeout: 20_000 });
    session.destroy();
    await settle(server, await openSession(server[listener]));
    expect(ended).toEqual(["Check CANCELLED", "Check OK"]);
    expect(peers[0]).toBe(`127.0.0.1:${port}`);
  });

  it("a call whose client leaves while the reply waits to be read, without an error in the log", async () => {
    const serverReflectionInfo = async function* () {
      for (;;) yield create(ServerReflectionResponseSchema, { validHost: "x".repeat(200_000) });
    };
    const { server, ended } = await startCountingServer({ serverReflectionInfo });
    const session = await openSession(server[listener]);
    const stream = openCall(session, streamPath).pause();
    await once(stream, "response");
    session.destroy();
    await settle(server, await openSession(server[listener]));
    expect(ended).toEqual(["ServerReflectionInfo CANCELLED", "Check OK"]);
    expect(server.errors).toEqual([]);
  });

  it("a request of another protocol is no call", async () => {
    const { server, ended } = await startCountingServer();
    const session = await openSession(server[listener]);
    const stream = openCall(session, checkPath, { "content-type": "text/plain" });
    stream.end("hello");
    await once(stream, "close");
    await settle(server, session);
    expect(ended).toEqual(["Check OK"]);
  });
});
