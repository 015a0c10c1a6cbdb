import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
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
import { nextOf } from "../streams.js";

/**
 * The messages of all calls may take 8 MiB, and those of one connection 1 MiB. Calls may begin
 * while half of this is free. A call takes 128 KiB, and its messages.
 */
const callBytes = 8 * 1024 ** 2;
const largeBytes = 60_000;
const large = { service: "x".repeat(largeBytes) };
const path = "/grpc.health.v1.Health/Check";

/** Starts a server whose calls with large requests run until the test lets them finish. */
async function startGatedServer(more: object = {}) {
  const gate = createDeferred();
  const seen = { large: 0, mostBytes: 0 };
  const started: ProbeServer = await startProbeServer(
    {
      check: async ({ service }) => {
        seen.mostBytes = Math.max(seen.mostBytes, server().traffic.callBytes());
        if (service !== "") {
          seen.large++;
          await gate.promise;
        }
        return create(HealthCheckResponseSchema);
      },
    },
    undefined,
    { callBytes, ...more },
  );
  function server(): ProbeServer {
    return started;
  }
  return { server: started, gate, seen };
}

/** Waits until no message takes bytes. */
async function expectNothingCounted({ traffic }: ProbeServer): Promise<void> {
  await vi.waitFor(() => expect(traffic.callBytes()).toBe(0), { timeout: 20_000 });
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

describeOver("a server with a small message buffer", protocols, (protocol) => {
  it("the messages of many calls together never exceed the message buffer, and all calls are answered", async () => {
    const { server, gate, seen } = await startGatedServer();
    const clients = Array.from({ length: 4 }, () =>
      createClient(Health, protocol().connect(server)),
    );
    const calls = Array.from({ length: 60 }, (_, i) => clients[i % 4]?.check(large));
    await vi.waitFor(() => expect(seen.large).toBeGreaterThan(3), { timeout: 20_000 });
    expect(seen.mostBytes).toBeGreaterThan(2 * largeBytes);
    gate.resolve();
    await Promise.all(calls.map(async (call) => call));
    expect(seen.large).toBe(60);
    expect(seen.mostBytes).toBeLessThanOrEqual(callBytes);
    await expectNothingCounted(server);
  });

  it("a request that is larger than the whole message buffer is answered", async () => {
    const { server, gate, seen } = await startGatedServer({ callBytes: 32 * 1024 });
    gate.resolve();
    const client = createClient(Health, protocol().connect(server));
    await Promise.all([client.check(large), client.check(large)]);
    expect(seen.large).toBe(2);
    await expectNothingCounted(server);
  });

  it("a cancelled call takes bytes of the message buffer until its handler has finished", async () => {
    const { server, gate, seen } = await startGatedServer();
    const client = createClient(Health, protocol().connect(server));
    const cancel = new AbortController();
    const call = client.check(large, { signal: cancel.signal });
    await vi.waitFor(() => expect(seen.large).toBe(1), { timeout: 20_000 });
    cancel.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(0), { timeout: 20_000 });
    expect(server.traffic.callBytes()).toBeGreaterThanOrEqual(largeBytes);
    gate.resolve();
    await expectNothingCounted(server);
  });
});

describeOver(
  "a stream of requests",
  protocols.filter(({ bidi }) => bidi),
  (protocol) => {
    it("a stream of requests may be larger than the message buffer, because each response releases the bytes of a request", async () => {
      const server = await startProbeServer(
        {
          serverReflectionInfo: async function* (requests) {
            for await (const { host } of requests)
              yield create(ServerReflectionResponseSchema, { validHost: host.slice(0, 1) });
          },
        },
        undefined,
        { callBytes: 256 * 1024 },
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
      await expectNothingCounted(server);
      finish.resolve();
      expect(await nextOf(responses)).toBeUndefined();
    });
  },
);

describe.each(["grpcAddress", "httpAddress"] as const)("the message buffer at %s", (listener) => {
  it("calls release their bytes when their connection is lost, whether they arrive or wait", async () => {
    const { server } = await startGatedServer();
    const session = openSession(server[listener]);
    for (let count = 0; count < 12; count++)
      openCall(session).write(largeFrame.subarray(0, 50_000));
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(12), { timeout: 20_000 });
    expect(server.traffic.callBytes()).toBeGreaterThan(2 * largeBytes);
    session.destroy();
    await expectNothingCounted(server);
  });

  it("calls of other connections pass when one connection has taken its share of the message buffer", async () => {
    const { server, gate, seen } = await startGatedServer();
    const [greedy, other] = [openSession(server[listener]), openSession(server[listener])];
    for (let count = 0; count < 20; count++) openCall(greedy).end(largeFrame);
    await vi.waitFor(() => expect(server.traffic.openCalls()).toBe(20), { timeout: 20_000 });
    // Two large requests are the share of a connection.
    await vi.waitFor(() => expect(seen.large).toBe(2), { timeout: 20_000 });
    const call = openCall(other);
    call.end(largeFrame);
    await vi.waitFor(() => expect(seen.large).toBe(3), { timeout: 20_000 });
    gate.resolve();
    expect(await statusOf(call)).toBe("0");
  });

  it("an open watch takes no bytes of the message buffer", async () => {
    const watching = createDeferred();
    const server = await startProbeServer({
      watch: async function* () {
        watching.resolve();
        await createDeferred().promise;
        yield create(HealthCheckResponseSchema);
      },
    });
    const call = openCall(openSession(server[listener]), {
      ":path": "/grpc.health.v1.Health/Watch",
    });
    call.end(largeFrame);
    await watching.promise;
    expect(server.traffic.callBytes()).toBe(0);
    call.close(8);
  });
});
