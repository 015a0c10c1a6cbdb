import { once } from "node:events";
import { expect, it } from "vitest";
import type { AddResult } from "../../../src/core/memories/service.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Call } from "../../../src/core/ports/call.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../deferred.js";
import { containing, matching } from "../matchers.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { collect, streamOf } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

const namespace = { userId: "ann", agentId: "cook" };
const added: AddResult = { id: "m1", outcome: "ADDED", commitSeq: 7n, nearDuplicates: [] };

/** A use case that runs until its call ends. */
async function untilCallEnds(call: Call, seen: (reason: unknown) => void): Promise<never> {
  await once(call.signal, "abort");
  seen(call.signal.reason);
  call.throwIfEnded();
  throw new Error("the signal is aborted, so the call has ended");
}

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

const summary = {
  totalMatches: 70,
  tokensUsed: 350,
  omitted: [],
  omittedCount: 0,
  weakReturned: 0,
  index: "exact",
  commitSeq: 9n,
  noHitsReason: "",
} as const;

describeOver("a call", protocols, (protocol) => {
  it("a unary call gets its response", async () => {
    const server = serve({ add: async () => added });
    const response = await memoryProviderClient(server, protocol()).add({
      namespace,
      content: "likes Burgundy",
    });
    expect(response).toMatchObject({ id: "m1", commitSeq: 7n });
  });

  it("a search streams its hits and then the summary", async () => {
    const hits = Array.from({ length: 70 }, (_, i) => ({
      memory: memoryOf({ id: `m${i}` }),
      scores,
      rank: i + 1,
      weak: false,
      tokens: 5,
      excerpt: false,
    }));
    const server = serve({ search: async () => ({ hits, summary }) });
    const messages = await collect(
      memoryProviderClient(server, protocol()).search({ namespace, query: "wine", limit: 100 }),
    );
    expect(messages.map((message) => message.hits.length)).toEqual([32, 32, 6]);
    expect(messages.flatMap((message) => message.hits.map((hit) => hit.memory?.id))).toEqual(
      hits.map(({ memory }) => memory.id),
    );
    expect(messages.map((message) => message.summary?.returned)).toEqual([
      undefined,
      undefined,
      70,
    ]);
  });

  it("large and small messages of a stream arrive unchanged, compressed or not", async () => {
    const hits = [10, 300_000, 300_000, 10].map((length, i) => ({
      memory: memoryOf({ id: `m${i}`, content: `${i} `.padEnd(length, "é") }),
      scores,
      rank: i + 1,
      weak: false,
      tokens: 5,
      excerpt: false,
    }));
    const server = serve({ search: async () => ({ hits, summary }) });
    const client = memoryProviderClient(server, protocol());
    const none = { "connect-accept-encoding": "", "grpc-accept-encoding": "" };
    for (const headers of [{}, none]) {
      const messages = await collect(
        client.search({ namespace, query: "wine", limit: 100 }, { headers }),
      );
      expect(messages.length).toBeGreaterThan(2);
      expect(messages.flatMap((message) => message.hits.map((hit) => hit.memory?.content))).toEqual(
        hits.map(({ memory }) => memory.content),
      );
    }
  });

  it("an invalid request gets an error with code, reason and fields", async () => {
    const server = serve();
    const failure = await failureOf(
      memoryProviderClient(server, protocol()).add({ namespace, content: "", tags: ["ok", ""] }),
    );
    expect(failure).toMatchObject({
      code: "InvalidArgument",
      reason: "INVALID_FIELD",
      domain: "vademecum",
    });
    expect(failure.fields).toEqual([
      { field: "content", description: "must have 1 to 65,536 bytes of UTF-8, but has 0" },
      { field: "tags[1]", description: "must have 1 to 128 bytes of UTF-8, but has 0" },
    ]);
    expect(failure.message).toContain("content: must have 1 to 65,536 bytes");
  });

  it("an invalid request of a stream gets an error with code, reason and fields", async () => {
    const server = serve();
    const failure = await failureOf(
      collect(memoryProviderClient(server, protocol()).search({ namespace, limit: 0 })),
    );
    expect(failure).toMatchObject({
      code: "InvalidArgument",
      reason: "INVALID_FIELD",
      fields: [{ field: "limit" }],
    });
  });

  it("an expected error arrives unchanged, with its retry delay", async () => {
    const error = new VademecumError("UNAVAILABLE", "STORE_UNAVAILABLE", "the store is closed", {
      retryAfterMs: 1_500,
    });
    const server = serve({ get: () => Promise.reject(error) });
    const failure = await failureOf(
      memoryProviderClient(server, protocol()).get({ namespace, id: "m1" }),
    );
    expect(failure).toMatchObject({
      code: "Unavailable",
      reason: "STORE_UNAVAILABLE",
      message: "the store is closed",
    });
    expect(failure.retryDelay).toEqual({ seconds: 1n, nanos: 500_000_000 });
  });

  it("an unexpected error shows only an id, and the log has the same id", async () => {
    const server = serve({ get: () => Promise.reject(new Error("secret of the house")) });
    const failure = await failureOf(
      memoryProviderClient(server, protocol()).get({ namespace, id: "m1" }),
    );
    expect(failure).toMatchObject({ code: "Internal", reason: "INTERNAL_ERROR" });
    expect(failure.message).not.toContain("secret");
    expect(server.logged).toHaveLength(1);
    const [line] = server.logged;
    expect(line).toMatchObject({
      method: "/vademecum.v1.MemoryProvider/Get",
      err: { message: "secret of the house" },
    });
    expect(failure.message).toContain(line?.["requestId"] as string);
  });

  it("a deadline ends the call for the client and for the use case", async () => {
    const ended = createDeferred<unknown>();
    const server = serve({ get: (_query, call) => untilCallEnds(call, ended.resolve) });
    const failure = await failureOf(
      memoryProviderClient(server, protocol()).get({ namespace, id: "m1" }, { timeoutMs: 1_000 }),
    );
    expect(failure.code).toBe("DeadlineExceeded");
    expect(await ended.promise).toMatchObject({
      code: matching(/^(DEADLINE_EXCEEDED|CANCELLED)$/),
    });
  });

  it("a client that cancels the call ends the use case", async () => {
    const started = createDeferred();
    const ended = createDeferred<unknown>();
    const server = serve({
      get: (_query, call) => {
        started.resolve();
        return untilCallEnds(call, ended.resolve);
      },
    });
    const leave = new AbortController();
    const call = failureOf(
      memoryProviderClient(server, protocol()).get(
        { namespace, id: "m1" },
        { signal: leave.signal },
      ),
    );
    await started.promise;
    leave.abort();
    expect((await call).code).toBe("Canceled");
    expect(await ended.promise).toMatchObject({ code: "CANCELLED" });
  });

  it("a request beyond 4 MiB gets RESOURCE_EXHAUSTED", async () => {
    const server = serve();
    const failure = await failureOf(
      memoryProviderClient(server, protocol()).add({
        namespace,
        content: "x".repeat(4 * 1024 * 1024),
      }),
    );
    expect(failure.code).toBe("ResourceExhausted");
  });
});

describeOver(
  "a batch",
  protocols.filter(({ bidi }) => bidi),
  (protocol) => {
    it("a batch answers its items in order, and answers an invalid item with its own error", async () => {
      const server = serve({
        openBatch: () => ({ add: async ({ content }) => ({ ...added, id: `id of ${content}` }) }),
      });
      const items = ["a", "", "c"].map((content, i) => ({
        clientId: `${i}`,
        add: { namespace, content },
      }));
      const replies = await collect(
        memoryProviderClient(server, protocol()).addBatch(streamOf(items)),
      );
      expect(replies.map(({ clientId, result }) => [clientId, result.case])).toEqual([
        ["0", "id"],
        ["1", "error"],
        ["2", "id"],
      ]);
      expect(replies[1]?.result.value).toMatchObject({
        code: 3,
        message: containing("add.content"),
      });
    });
  },
);
