import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from "#gen/grpc/health/v1/health_pb.js";
import {
  ServerReflection,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "#gen/grpc/reflection/v1/reflection_pb.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../deferred.js";
import { type ProbeServer, startProbeServer } from "../probe-server.js";
import { protocols } from "../protocols.js";
import { grpcFrame } from "../raw-http2.js";
import { failureOf } from "../rpc-failure.js";
import { nextOf } from "../streams.js";

const kibibyte = 1024;
/**
 * The request buffer holds 512 KiB. Messages of more than 4 KiB are large, and wait until enough
 * bytes of the buffer are free. All large messages together may take 384 KiB of the buffer, and
 * those of one connection 128 KiB.
 */
const limits = { requestBytes: 512 * kibibyte, smallRequestBytes: 4 * kibibyte };
const largeBytes = 60_000;
const large = { service: "x".repeat(largeBytes) };
const small = { service: "y".repeat(2_000) };
const path = "/grpc.health.v1.Health/Check";

const overloaded = {
  code: "ResourceExhausted",
  reason: "OVERLOADED",
  retryDelay: expect.objectContaining({ seconds: expect.any(BigInt) as unknown }) as unknown,
};

/** Starts a server whose calls with large requests run until the test lets them finish. */
async function startGatedServer(more: object = {}) {
  const gate = createDeferred();
  const seen = { large: 0, mostBytes: 0 };
  const started: ProbeServer = await startProbeServer(
    {
      check: async ({ service }) => {
        seen.mostBytes = Math.max(seen.mostBytes, server().traffic.requestBytes());
        if (service.length > limits.smallRequestBytes) {
          seen.large++;
          await gate.promise;
        }
        return create(HealthCheckResponseSchema);
      },
    },
    undefined,
    { ...limits, ...more },
  );
  function server(): ProbeServer {
    return started;
  }
  return { server: started, gate, seen };
}

/** Waits until the server counts no bytes of requests. */
async function expectNothingCounted({ traffic }: ProbeServer): Promise<void> {
  await vi.waitFor(() => expect(traffic.requestBytes()).toBe(0), { timeout: 20_000 });
}

/** Opens a connection over HTTP/2. */
function openSession(address: string): ClientHttp2Session {
  const session = connectHttp2(`http://${address}`);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

function openCall(session: ClientHttp2Session, headers: object = {}) {
  const stream = session.request(
    {
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    },
    { endStream: false },
  );
  return stream.on("error", () => undefined);
}

/** Returns the gRPC status of a call, from its headers or its trailers. */
async function statusOf(call: ReturnType<typeof openCall>): Promise<unknown> {
  let status: unknown;
  const note = (headers: Record<string, unknown>) => {
    status ??= headers["grpc-status"];
  };
  call.on("response", note).on("trailers", note).resume();
  await once(call, "end");
  return status;
}

/** A large message in the framing of gRPC. */
const largeFrame = grpcFrame(
  toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, large)),
);

describeOver("a server with a small request buffer", protocols, (protocol) => {
  it("many large requests together never exceed the request buffer, and small requests pass meanwhile", async () => {
    const { server, gate, seen } = await startGatedServer();
    const clients = Array.from({ length: 4 }, () =>
      createClient(Health, protocol().connect(server)),
    );
    const calls = Array.from({ length: 40 }, (_, i) => clients[i % 4]?.check(large));
    const outcomes = calls.map(async (call = Promise.reject(new Error("no client"))) => {
      const [result] = await Promise.allSettled([call]);
      return result?.status === "fulfilled" ? "OK" : failureOf(call);
    });
    // A JSON body without a length reserves the limit of its message, so only one of these may fit.
    await vi.waitFor(() => expect(seen.large).toBeGreaterThan(0), { timeout: 20_000 });
    const client = createClient(Health, protocol().connect(server));
    await client.check({});
    await client.check(small);
    expect(seen.mostBytes).toBeGreaterThan(largeBytes);
    expect(server.traffic.requestBytes()).toBeLessThanOrEqual(limits.requestBytes);
    gate.resolve();
    const results = await Promise.all(outcomes);
    const answered = results.filter((result) => result === "OK");
    // The buffer fits at least one request, and 16 more may wait.
    expect(answered.length).toBeGreaterThanOrEqual(17);
    for (const result of results.filter((it) => it !== "OK"))
      expect(result).toMatchObject(overloaded);
    expect(seen.mostBytes).toBeLessThanOrEqual(limits.requestBytes);
    await client.check(large);
    await expectNothingCounted(server);
  });

  it("a request that is larger than the whole request buffer is answered", async () => {
    const { server, gate, seen } = await startGatedServer({ requestBytes: 32 * kibibyte });
    gate.resolve();
    const client = createClient(Health, protocol().connect(server));
    await Promise.all([client.check(large), client.check(large)]);
    expect(seen.large).toBe(2);
    await expectNothingCounted(server);
  });

  it("a request that waits too long for free bytes of the request buffer gets OVERLOADED, and its handler never runs", async () => {
    // With the smaller text, only the last chunk of the request does not fit into the buffer.
    for (const service of [large.service, "z".repeat(5_000)]) {
      const { server, gate, seen } = await startGatedServer({
        requestBytes: 8 * kibibyte,
        requestWaitMs: 20,
      });
      const client = createClient(Health, protocol().connect(server));
      const first = client.check({ service });
      const second = client.check({ service });
      const outcomes = Promise.allSettled([first, second]);
      expect(await failureOf(Promise.race([first, second]))).toMatchObject(overloaded);
      gate.resolve();
      const statuses = (await outcomes).map(({ status }) => status);
      expect(statuses.sort()).toEqual(["fulfilled", "rejected"]);
      expect(seen.large).toBe(1);
      await expectNothingCounted(server);
    }
  });

  it("a cancelled request takes bytes of the request buffer until its handler has finished", async () => {
    const { server, gate, seen } = await startGatedServer();
    const client = createClient(Health, protocol().connect(server));
    const cancel = new AbortController();
    const call = client.check(large, { signal: cancel.signal });
    await vi.waitFor(() => expect(seen.large).toBe(1), { timeout: 20_000 });
    cancel.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(0), { timeout: 20_000 });
    expect(server.traffic.requestBytes()).toBeGreaterThanOrEqual(largeBytes);
    gate.resolve();
    await expectNothingCounted(server);
  });
});

describeOver(
  "a stream of requests",
  protocols.filter(({ bidi }) => bidi),
  (protocol) => {
    it("a stream of requests may be larger than the request buffer, because each response releases the bytes of a request", async () => {
      const server = await startProbeServer(
        {
          serverReflectionInfo: async function* (requests) {
            for await (const { host } of requests)
              yield create(ServerReflectionResponseSchema, { validHost: host.slice(0, 1) });
          },
        },
        undefined,
        { ...limits, requestBytes: 128 * kibibyte },
      );
      const finish = createDeferred();
      const requests = async function* () {
        for (let count = 0; count < 20; count++)
          yield create(ServerReflectionRequestSchema, { host: "z".repeat(largeBytes) });
        await finish.promise;
      };
      const client = createClient(ServerReflection, protocol().connect(server));
      const responses = client.serverReflectionInfo(requests())[Symbol.asyncIterator]();
      for (let count = 0; count < 20; count++)
        expect((await nextOf(responses))?.validHost).toBe("z");
      // The stream is open, but nothing needs its messages.
      expect(server.traffic.requestBytes()).toBe(0);
      finish.resolve();
      expect(await nextOf(responses)).toBeUndefined();
    });
  },
);

describe.each(["grpcAddress", "httpAddress"] as const)("the request buffer at %s", (listener) => {
  it("the bytes of a request that have arrived are counted until the client resets the request", async () => {
    const { server } = await startGatedServer();
    const session = openSession(server[listener]);
    const streams = Array.from({ length: 3 }, () => openCall(session));
    for (const stream of streams) stream.write(largeFrame.subarray(0, 3_000));
    const arrived = 3 * (3_000 - 5);
    await vi.waitFor(() => expect(server.traffic.requestBytes()).toBe(arrived), {
      timeout: 20_000,
    });
    for (const stream of streams) stream.close(8);
    await expectNothingCounted(server);
  });

  it("large requests release their bytes when their connection is lost, whether they are arriving or waiting", async () => {
    const { server } = await startGatedServer();
    const session = openSession(server[listener]);
    for (let count = 0; count < 4; count++) openCall(session).write(largeFrame.subarray(0, 50_000));
    // Two requests fit into the bytes that the connection may take, and two wait.
    await vi.waitFor(() => expect(server.traffic.requestBytes()).toBeGreaterThan(2 * largeBytes), {
      timeout: 20_000,
    });
    session.destroy();
    await expectNothingCounted(server);
  });

  it("requests of other connections pass when one connection has taken its share of the request buffer", async () => {
    const { server, gate, seen } = await startGatedServer();
    const [greedy, other] = [openSession(server[listener]), openSession(server[listener])];
    for (let count = 0; count < 6; count++) openCall(greedy).end(largeFrame);
    await vi.waitFor(() => expect(seen.large).toBe(2), { timeout: 20_000 });
    const call = openCall(other);
    call.end(largeFrame);
    await vi.waitFor(() => expect(seen.large).toBe(3), { timeout: 20_000 });
    gate.resolve();
    expect(await statusOf(call)).toBe("0");
  });

  it("a request whose client sends nothing for 5 s is reset, so that a waiting request gets its bytes of the buffer", async () => {
    let nowMs = 0;
    const server = await startProbeServer({}, undefined, limits, () => nowMs);
    const sessions: ClientHttp2Session[] = [];
    const stalled = Array.from({ length: 6 }, (_, at) => at).map((at) => {
      if (at % 2 === 0) sessions.push(openSession(server[listener]));
      const call = openCall(sessions.at(-1) as ClientHttp2Session);
      call.write(largeFrame.subarray(0, 50_000));
      return call;
    });
    await vi.waitFor(() => expect(server.traffic.requestBytes()).toBe(6 * (largeFrame.length - 5)));
    const call = openCall(openSession(server[listener]));
    const status = statusOf(call);
    call.end(largeFrame);
    server.traffic.connections.check();
    nowMs = 4_999;
    server.traffic.connections.check();
    expect(stalled.filter(({ closed }) => closed)).toEqual([]);
    nowMs = 5_000;
    // The last request may not have arrived yet.
    await vi.waitFor(() => {
      server.traffic.connections.check();
      expect(stalled.filter(({ closed }) => closed)).toHaveLength(1);
    });
    expect(await status).toBe("0");
  });

  it("a compressed request takes as many bytes of the request buffer as its decompressed size", async () => {
    const { server, gate, seen } = await startGatedServer();
    const message = gzipSync(largeFrame.subarray(5));
    const frame = grpcFrame(message);
    frame.writeUInt8(1, 0);
    expect(frame.byteLength).toBeLessThan(1_000);
    const call = openCall(openSession(server[listener]), { "grpc-encoding": "gzip" });
    call.end(frame);
    await vi.waitFor(() => expect(seen.large).toBe(1), { timeout: 20_000 });
    expect(server.traffic.requestBytes()).toBeGreaterThanOrEqual(largeBytes);
    expect(server.traffic.requestBytes()).toBeLessThan(largeBytes + 100);
    gate.resolve();
    await expectNothingCounted(server);
  });

  it("all compressed requests of a connection are answered, although each may become large", async () => {
    const { server, gate } = await startGatedServer();
    gate.resolve();
    const frame = grpcFrame(gzipSync(largeFrame.subarray(5)));
    frame.writeUInt8(1, 0);
    const session = openSession(server[listener]);
    const statuses = Array.from({ length: 100 }, () => {
      const call = openCall(session, { "grpc-encoding": "gzip" });
      call.end(frame);
      return statusOf(call);
    });
    expect(new Set(await Promise.all(statuses))).toEqual(new Set(["0"]));
    await expectNothingCounted(server);
  });

  it("the request of an open watch takes no bytes of the request buffer", async () => {
    const watching = createDeferred();
    const server = await startProbeServer(
      {
        watch: async function* () {
          watching.resolve();
          await createDeferred().promise;
          yield create(HealthCheckResponseSchema);
        },
      },
      undefined,
      limits,
    );
    const call = openCall(openSession(server[listener]), {
      ":path": "/grpc.health.v1.Health/Watch",
    });
    call.end(largeFrame);
    await watching.promise;
    expect(server.traffic.requestBytes()).toBe(0);
    call.close(8);
  });

  it("a request as small as a health check passes when small requests have taken their share of the request buffer", async () => {
    const { server, gate, seen } = await startGatedServer({ smallRequestBytes: 64 * kibibyte });
    const session = openSession(server[listener]);
    // Small requests of one connection may take 64 KiB.
    const streams = Array.from({ length: 10 }, () => openCall(session));
    const statuses = streams.map(statusOf);
    for (const stream of streams) stream.write(largeFrame.subarray(0, 10_000));
    expect(server.traffic.requestBytes()).toBeLessThanOrEqual(64 * kibibyte);
    const check = openCall(session);
    check.end(grpcFrame(Buffer.alloc(0)));
    expect(await statusOf(check)).toBe("0");
    for (const stream of streams) stream.end(largeFrame.subarray(10_000));
    await vi.waitFor(() => expect(seen.large).toBeGreaterThan(0), { timeout: 20_000 });
    gate.resolve();
    expect(new Set(await Promise.all(statuses))).toEqual(new Set(["0", "8"]));
    await expectNothingCounted(server);
  });
});
