import { once } from "node:events";
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HealthListResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import { GetAllRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ScoresSchema, SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { anonymous } from "../../../src/core/model/principal.js";
import type { Authenticator } from "../../../src/core/ports/authenticator.js";
import type { TrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { createDeferred } from "../deferred.js";
import { startProbeServer } from "../probe-server.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { grpcFrame } from "../raw-http2.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const mebibyte = 1024 ** 2;
const namespace = { userId: "ann", agentId: "cook" };
/** A page of ten memories, which has about 600 KiB. */
const memories = Array.from({ length: 10 }, () => memoryOf({ content: "x".repeat(60_000) }));
const getAllRequest = grpcFrame(
  toBinary(GetAllRequestSchema, create(GetAllRequestSchema, { namespace, limit: 10 })),
);

/** Starts a server whose GetAll answers 600 KiB, and counts these answers. */
async function start(limits: Partial<TrafficLimits>, authenticator?: Authenticator) {
  const made = { count: 0 };
  const getAll = async () => {
    made.count++;
    return { memories, nextPageToken: "" };
  };
  const server = await startTestRpcServer(
    { getAll },
    undefined,
    {},
    {
      sweepMs: 5,
      ...limits,
    },
    authenticator,
  );
  return { server, made };
}

/** Treats the `authorization` header as the name of a principal that may do everything. */
const authenticator: Authenticator = {
  authenticate: ({ authorization = "" }) => ({ ...anonymous, name: authorization }),
  onReview: () => undefined,
};

/** Sends calls over one connection, whose client reads nothing of their replies. */
function callWithoutReading(
  address: string,
  calls: number,
  timeout: string,
  headers: Readonly<Record<string, string>> = {},
): ClientHttp2Stream[] {
  const session = connectHttp2(`http://${address}`, { settings: { initialWindowSize: 0 } });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return Array.from({ length: calls }, () => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/vademecum.v1.MemoryProvider/GetAll",
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-timeout": timeout,
      ...headers,
    });
    stream.on("error", () => undefined).end(getAllRequest);
    return stream;
  });
}

describe.each(["grpcAddress", "httpAddress"] as const)("replies at %s", (listener) => {
  it("unread replies of a connection never exceed its share of the message buffer, and are reset after some time", async () => {
    const { server, made } = await start({ callBytes: 16 * mebibyte, replyMs: 100 });
    const streams = callWithoutReading(server[listener], 30, "20S");
    await vi.waitFor(() => expect(made.count).toBeGreaterThan(0), { timeout: 20_000 });
    // A reply and its call take 0.7 MiB, or 1.3 MiB on the HTTP port, of the 2 MiB of a connection.
    await Promise.all(
      streams.filter(({ closed }) => !closed).map((stream) => once(stream, "close")),
    );
    expect(made.count).toBe(30);
  });

  it("a reply is reset when its client reads nothing of it for some time, whatever its deadline", async () => {
    const made = createDeferred();
    const server = await startProbeServer(
      {
        list: async () => {
          made.resolve();
          return create(HealthListResponseSchema, { statuses: { ["x".repeat(mebibyte)]: {} } });
        },
      },
      undefined,
      { sweepMs: 5, stalledMs: 50, replyMs: Infinity },
    );
    const path = "/grpc.health.v1.Health/List";
    const [stream] = callWithoutReading(server[listener], 1, "60S", { ":path": path });
    await made.promise;
    await once(stream as ClientHttp2Stream, "close");
    expect(stream?.rstCode).not.toBe(0);
  });

  it("a principal that reads none of its replies, on many connections, does not block replies to other principals", async () => {
    const { server, made } = await start({ callBytes: 16 * mebibyte }, authenticator);
    for (let connection = 0; connection < 4; connection++)
      callWithoutReading(server[listener], 10, "20S", { authorization: "key:reckless" });
    await vi.waitFor(() => expect(made.count).toBeGreaterThan(0), { timeout: 20_000 });
    const name = listener === "grpcAddress" ? "gRPC" : "Connect over HTTP/2";
    const protocol = protocols.find((each) => each.name === name);
    if (protocol === undefined) throw new Error("there is no such protocol");
    const client = memoryProviderClient(server, protocol);
    const options = { headers: { authorization: "key:other" }, timeoutMs: 5_000 };
    for (let call = 0; call < 10; call++) {
      const { memories: found } = await client.getAll({ namespace, limit: 10 }, options);
      expect(found).toHaveLength(10);
    }
    // One principal may take a quarter of all bytes. At most five replies fit into it.
    expect(made.count - 10).toBeLessThanOrEqual(5);
  });

  it("calls release their bytes when their replies are read", async () => {
    const { server, made } = await start({ callBytes: 4 * mebibyte });
    for (const protocol of protocols.filter(({ name }) =>
      listener === "grpcAddress" ? name === "gRPC" : name !== "gRPC",
    )) {
      const client = memoryProviderClient(server, protocol);
      made.count = 0;
      const calls = Array.from({ length: 12 }, () => client.getAll({ namespace }));
      for (const { memories: found } of await Promise.all(calls)) expect(found).toHaveLength(10);
      expect(made.count).toBe(12);
    }
  });

  it("an unread stream is reset after the deadline, even if its client does not read the final status either", async () => {
    const hits = memories.map((memory) => ({
      memory,
      scores: create(ScoresSchema),
      ...{ rank: 1, weak: false },
      tokens: 1,
      excerpt: false,
    }));
    const search = async () => ({ hits, summary: {}, omitted: [] });
    const server = await startTestRpcServer(
      { search } as never,
      undefined,
      {},
      {
        sweepMs: 5,
        replyMs: 50,
      },
    );
    const session = connectHttp2(`http://${server[listener]}`, {
      settings: { initialWindowSize: 0 },
    });
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ":method": "POST",
      ":path": "/vademecum.v1.MemoryProvider/Search",
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-timeout": "1S",
    });
    const request = create(SearchRequestSchema, { namespace, query: "wine" });
    stream.on("error", () => undefined).end(grpcFrame(toBinary(SearchRequestSchema, request)));
    await once(stream, "close");
    expect(stream.rstCode).not.toBe(0);
  });
});

describe("a reply over HTTP/1.1", () => {
  it("an unread reply over HTTP/1.1 ends its connection after the deadline", async () => {
    const statuses = { ["x".repeat(3.9 * mebibyte)]: {} };
    const { httpAddress, traffic } = await startProbeServer(
      { list: async () => create(HealthListResponseSchema, { statuses }) },
      undefined,
      { sweepMs: 5, replyMs: 50 },
    );
    const [host = "", port] = httpAddress.split(":");
    const socket = connect({ host, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(
      "POST /grpc.health.v1.Health/List HTTP/1.1\r\nHost: x\r\nConnect-Timeout-Ms: 3000\r\n" +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    await vi.waitFor(() => expect(traffic.callBytes()).toBeGreaterThan(3 * mebibyte), {
      timeout: 60_000,
    });
    await vi.waitFor(() => expect(traffic.connections.size).toBe(0), { timeout: 60_000 });
    expect(traffic.callBytes()).toBe(0);
  });
});
