import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { expect, it, vi } from "vitest";
import {
  Health,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "#gen/grpc/health/v1/health_pb.js";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "#gen/grpc/reflection/v1/reflection_pb.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { RpcCall } from "../../../src/rpc/adapt/handler.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../deferred.js";
import { startProbeServer } from "../probe-server.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { collect, nextOf, streamOf } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

const serving = create(HealthCheckResponseSchema, { status: ServingStatus.SERVING });

describeOver("a handler", protocols, (protocol) => {
  it("a handler sees the metadata, the peer and the deadline of its call", async () => {
    const calls: RpcCall[] = [];
    const seen: unknown[] = [];
    const server = await startProbeServer({
      check: async (_request, call) => {
        calls.push(call);
        seen.push(
          call.metadata("x-colour"),
          call.metadata("x-none"),
          call.peer.replace(/\d+$/, "port"),
        );
        return serving;
      },
    });
    const health = createClient(Health, protocol().connect(server));
    const beforeMs = Date.now();
    await health.check({}, { headers: { "x-colour": "red" } });
    await health.check({}, { timeoutMs: 3_600_000 });
    const afterMs = Date.now();
    expect(seen.slice(0, 3)).toEqual(["red", undefined, "127.0.0.1:port"]);
    const [unset, set] = calls.map(({ deadlineMs }) => deadlineMs);
    expect(unset).toBeGreaterThanOrEqual(beforeMs + 30_000);
    expect(unset).toBeLessThanOrEqual(afterMs + 30_000);
    expect(set).toBeGreaterThan(beforeMs + 3_590_000);
    expect(set).toBeLessThanOrEqual(afterMs + 3_600_000);
  });

  it("a handler of a watch has no default deadline", async () => {
    const deadlines: number[] = [];
    const server = await startProbeServer({
      watch: async function* (_request, call) {
        deadlines.push(call.deadlineMs);
        yield serving;
      },
    });
    await collect(createClient(Health, protocol().connect(server)).watch({}));
    expect(deadlines).toEqual([Infinity]);
  });

  it("a handler can clean up when the client leaves its stream", async () => {
    const cleaned = createDeferred<string>();
    const server = await startProbeServer({
      watch: async function* (_request, call) {
        try {
          yield serving;
          await once(call.signal, "abort");
        } finally {
          cleaned.resolve("cleaned up");
        }
      },
    });
    const leave = new AbortController();
    const watch = createClient(Health, protocol().connect(server))
      .watch({}, { signal: leave.signal })
      [Symbol.asyncIterator]();
    await watch.next();
    leave.abort();
    await expect(watch.next()).rejects.toThrow();
    expect(await cleaned.promise).toBe("cleaned up");
  });

  it("a response of more than 4 MiB fails with RESPONSE_TOO_LARGE", async () => {
    const response = create(HealthListResponseSchema, {
      statuses: { ["x".repeat(4 * 1024 * 1024 + 1)]: serving },
    });
    const server = await startProbeServer({ list: async () => response });
    const failure = await failureOf(createClient(Health, protocol().connect(server)).list({}));
    expect(failure).toMatchObject({ code: "ResourceExhausted", reason: "RESPONSE_TOO_LARGE" });
    expect(failure.message).toContain("Ask for less");
  });

  it("a handler may return any response that has less than 4 MiB in the call's encoding", async () => {
    const name = "\u0001".repeat(690_000);
    const response = create(HealthListResponseSchema, { statuses: { [name]: serving } });
    const server = await startProbeServer({ list: async () => response });
    const { statuses } = await createClient(Health, protocol().connect(server)).list({});
    expect(Object.keys(statuses)).toEqual([name]);
  });

  it("a handler may return a large response, compressed or not", async () => {
    const statuses = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, i) => [`service number ${i}`, serving]),
    );
    const response = create(HealthListResponseSchema, { statuses });
    const server = await startProbeServer({ list: async () => response });
    const health = createClient(Health, protocol().connect(server));
    for (const headers of [{}, { "accept-encoding": "identity", "grpc-accept-encoding": "" }]) {
      const reply = await health.list({}, { headers });
      expect(reply.statuses).toEqual(response.statuses);
    }
  });

  it("a handler that fails inside a stream ends the stream with the error", async () => {
    const server = await startProbeServer({
      watch: async function* () {
        yield serving;
        throw new VademecumError("DATA_LOSS", "DAMAGED_RECORD", "text");
      },
    });
    const watch = createClient(Health, protocol().connect(server))
      .watch({})
      [Symbol.asyncIterator]();
    await watch.next();
    expect(await failureOf(watch.next())).toMatchObject({
      code: "DataLoss",
      reason: "DAMAGED_RECORD",
    });
  });

  it("a handler that is not an async function may throw", async () => {
    const thrower = () => {
      throw new VademecumError("NOT_FOUND", "SERVICE_NOT_FOUND", "text");
    };
    const health = createClient(
      Health,
      protocol().connect(await startProbeServer({ check: thrower, watch: thrower })),
    );
    expect((await failureOf(health.check({}))).code).toBe("NotFound");
    expect((await failureOf(collect(health.watch({})))).code).toBe("NotFound");
  });
});

describeOver("a search", protocols, (protocol) => {
  it("the server produces the messages of a search no faster than the client reads them", async () => {
    const memory = memoryOf({ content: "x".repeat(60 * 1024) });
    const scores = {
      relevance: 1,
      vector: 0,
      keyword: 1,
      following: 0,
      author: 0,
      date: 0,
      answer: 0,
      mention: 0,
      similarWords: 0,
      similarSpelling: 0,
      recency: 1,
      importance: 0.5,
      final: 1,
    };
    let produced = 0;
    const hit = {
      get memory() {
        produced += 1;
        return memory;
      },
      scores,
      rank: 1,
      weak: false,
      tokens: 5,
      excerpt: false,
    };
    const hits = Array.from({ length: 10_000 }, () => hit);
    const summary = {
      totalMatches: 1,
      tokensUsed: 5,
      omitted: [],
      omittedCount: 0,
      weakReturned: 0,
      index: "exact",
      commitSeq: 9n,
      noHitsReason: "",
    } as const;
    const server = serve({ search: async () => ({ hits, summary }) });
    const search = memoryProviderClient(server, protocol()).search({
      namespace: { userId: "ann", agentId: "cook" },
    });
    const messages = search[Symbol.asyncIterator]();
    for (let read = 0; read < 20; read++) {
      expect((await messages.next()).done).toBe(false);
      for (let turns = 0; turns < 50; turns++) await turn();
    }
    // The server reads the memory of each hit twice. Some unread hits are in buffers on both sides.
    expect(produced / 2).toBeLessThan(1000);
  });
});

it("a call that ends at its deadline says so, even if the clock has not reached it yet", async () => {
  const server = await startProbeServer({
    check: async (_request, call) => {
      await once(call.signal, "abort");
      return serving;
    },
  });
  // A clock that stands still is always behind the timers.
  vi.useFakeTimers({ toFake: ["Date"] });
  const response = await fetch(`http://${server.httpAddress}/grpc.health.v1.Health/Check`, {
    method: "POST",
    headers: { "content-type": "application/json", "connect-timeout-ms": "20" },
    body: "{}",
  }).finally(() => vi.useRealTimers());
  expect(await response.json()).toMatchObject({ code: "deadline_exceeded" });
});

async function* echoHosts(
  requests: AsyncIterable<ServerReflectionRequest>,
): AsyncGenerator<ServerReflectionResponse> {
  for await (const { host } of requests)
    yield create(ServerReflectionResponseSchema, { validHost: host });
}

describeOver(
  "a bidirectional stream",
  protocols.filter(({ bidi }) => bidi),
  (protocol) => {
    it("a bidirectional stream answers while requests arrive, and ends with its handler", async () => {
      const server = await startProbeServer({
        serverReflectionInfo: async function* (requests) {
          for await (const { host } of requests) {
            yield create(ServerReflectionResponseSchema, { validHost: host });
            if (host === "last") return;
          }
        },
      });
      const sent: string[] = [];
      const answered = [createDeferred(), createDeferred()] as const;
      const requests = async function* () {
        for (const host of ["first", "last", "never sent"]) {
          sent.push(host);
          yield { host };
          await answered[sent.length === 1 ? 0 : 1].promise;
        }
      };
      const responses = createClient(ServerReflection, protocol().connect(server))
        .serverReflectionInfo(requests())
        [Symbol.asyncIterator]();
      expect(await nextOf(responses)).toMatchObject({ validHost: "first" });
      expect(sent).toEqual(["first"]);
      answered[0].resolve();
      expect(await nextOf(responses)).toMatchObject({ validHost: "last" });
      expect(await nextOf(responses)).toBeUndefined();
      answered[1].resolve();
    });

    it("a bidirectional stream has no default deadline", async () => {
      const deadlines: number[] = [];
      const server = await startProbeServer({
        serverReflectionInfo: (requests, call) => {
          deadlines.push(call.deadlineMs);
          return echoHosts(requests);
        },
      });
      const reflection = createClient(ServerReflection, protocol().connect(server));
      await collect(reflection.serverReflectionInfo(streamOf([])));
      expect(deadlines).toEqual([Infinity]);
    });

    it.each([
      ["first", { firstMs: 20, nextMs: 60_000 }, []],
      ["second", { firstMs: 60_000, nextMs: 20 }, ["first"]],
    ])(
      "a bidirectional stream ends with DEADLINE_EXCEEDED when its %s message is late",
      async (_name, waits, hosts) => {
        const server = await startProbeServer({ serverReflectionInfo: echoHosts }, waits);
        const sentAll = createDeferred();
        const requests = async function* () {
          for (const host of hosts) yield { host };
          await sentAll.promise;
        };
        const received: string[] = [];
        const replies = createClient(
          ServerReflection,
          protocol().connect(server),
        ).serverReflectionInfo(requests());
        const failure = await failureOf(
          (async () => {
            for await (const { validHost } of replies) received.push(validHost);
          })(),
        );
        expect(failure).toMatchObject({ code: "DeadlineExceeded", reason: "REQUEST_TIMEOUT" });
        expect(received).toEqual(hosts);
        sentAll.resolve();
      },
    );

    it("a bidirectional stream ends with the error of its handler, even with unread requests", async () => {
      const server = await startProbeServer({
        serverReflectionInfo: async function* (requests) {
          await requests[Symbol.asyncIterator]().next();
          yield create(ServerReflectionResponseSchema);
          throw new VademecumError("DATA_LOSS", "DAMAGED_RECORD", "text");
        },
      });
      const host = "x".repeat(1_000);
      const requests = async function* () {
        for (let i = 0; i < 5_000; i++) yield { host };
      };
      const reflection = createClient(ServerReflection, protocol().connect(server));
      expect(await failureOf(collect(reflection.serverReflectionInfo(requests())))).toMatchObject({
        code: "DataLoss",
        reason: "DAMAGED_RECORD",
      });
    });
  },
);
