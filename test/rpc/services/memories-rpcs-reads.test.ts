import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { OmissionReason, SearchIndex, SearchOrder } from "#gen/vademecum/v1/search_pb.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { invalidField } from "../../../src/core/model/errors.js";
import type { SearchResult } from "../../../src/core/search/query/search.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { recorder } from "../recorder.js";
import { failureOf } from "../rpc-failure.js";
import { collect } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();
const namespace = { userId: "ann", agentId: "cook" };
const time = (seconds: bigint, nanos = 0) => create(TimestampSchema, { seconds, nanos });

function clientOf(useCases: Partial<MemoryService>): Client<typeof MemoryProvider> {
  const [protocol] = protocols;
  if (protocol === undefined) throw new Error("there is no protocol");
  return memoryProviderClient(serve(useCases), protocol);
}

const summary = {
  totalMatches: 0,
  tokensUsed: 0,
  omitted: [],
  omittedCount: 0,
  weakReturned: 0,
  index: "exact",
  commitSeq: 1n,
  noHitsReason: "",
} as const;
const nothing: SearchResult = { hits: [], summary };
const scores = {
  relevance: 0.9,
  vector: 0.8,
  keyword: 0.7,
  following: 0.25,
  author: 0.15,
  date: 0.3,
  answer: 0,
  mention: 0,
  similarWords: 0,
  similarSpelling: 0,
  recency: 0.6,
  importance: 0.5,
  final: 0.91,
};

describe("Search", () => {
  it("Search passes default values to the use case for unset fields that have a default", async () => {
    const { inputs, run } = recorder(nothing);
    await collect(clientOf({ search: run }).search({ namespace }));
    const weights = { recency: 0.02, importance: 0.02, novelty: 0 };
    expect(inputs).toEqual([
      {
        namespace,
        query: "",
        filter: {},
        order: "RELEVANCE",
        weights,
        includeSuperseded: false,
        keepsNearCopies: false,
        annotates: false,
      },
    ]);
  });

  it("Search passes every field to the use case", async () => {
    const { inputs, run } = recorder(nothing);
    const same = {
      namespace,
      query: "wine",
      limit: 7,
      budgetTokens: 90,
      minRelevance: 0,
      gate: 0.5,
      minCommitSeq: 2n ** 50n,
      includeSuperseded: true,
      timeZone: "Asia/Tokyo",
    };
    const lists = { tagsAny: ["a"], tagsAll: ["b"], kinds: ["fact"] };
    const texts = {
      source: "s",
      author: "b",
      threadId: "t",
      contentContains: "c",
      expression: "true",
      importanceMin: 0,
      metadata: { a: null },
    };
    await collect(
      clientOf({ search: run }).search({
        ...same,
        filter: {
          ...lists,
          ...texts,
          memoryTypes: [MemoryType.TRACE, MemoryType.WORKING],
          status: MemoryStatus.ACTIVE,
          timeRange: { start: time(1n), end: time(2n, 1) },
        },
        order: SearchOrder.NEWEST_FIRST,
        weights: { recency: 0, novelty: 1 },
        queryEmbedding: [1, -1],
        referenceTime: time(5n),
        annotate: true,
      }),
    );
    const timeRange = { start: { seconds: 1, nanos: 0 }, end: { seconds: 2, nanos: 1 } };
    expect(inputs).toStrictEqual([
      {
        ...same,
        agents: undefined,
        excludedIds: undefined,
        keepsNearCopies: false,
        annotates: true,
        filter: {
          ...lists,
          ...texts,
          memoryTypes: ["TRACE", "WORKING"],
          status: "ACTIVE",
          timeRange,
        },
        order: "NEWEST_FIRST",
        weights: { recency: 0, importance: 0.02, novelty: 1 },
        queryEmbedding: Float32Array.of(1, -1),
        referenceTime: { seconds: 5, nanos: 0 },
      },
    ]);
  });

  it("Search returns every field of the search result", async () => {
    const memory = memoryOf({
      kind: "fact",
      tags: ["a"],
      source: "s",
      author: "b",
      threadId: "t",
      metadata: { a: 1 },
      eventTime: { seconds: -62_135_596_800, nanos: 1 },
      expireTime: { seconds: 253_402_300_799, nanos: 999_999_999 },
      supersedes: "m0",
      supersededBy: "m2",
      version: 3,
    });
    const omission = { id: "m9", tokens: 40, score: 0.4 };
    const result: SearchResult = {
      hits: [
        {
          memory,
          scores: { ...scores, novelty: 0.3 },
          rank: 1,
          weak: true,
          tokens: 5,
          excerpt: true,
        },
      ],
      summary: {
        totalMatches: 9,
        tokensUsed: 5,
        budgetTokens: 6,
        omitted: [
          { ...omission, reason: "OVER_BUDGET" },
          { ...omission, reason: "NEAR_COPY" },
        ],
        omittedCount: 6,
        weakReturned: 1,
        index: "near",
        commitSeq: 8n,
        noHitsReason: "why",
      },
    };
    const [message] = await collect(clientOf({ search: async () => result }).search({ namespace }));
    expect(message?.hits[0]).toMatchObject({
      scores: { ...scores, novelty: 0.3 },
      rank: 1,
      weak: true,
      tokens: 5,
      excerpt: true,
    });
    expect(message?.hits[0]?.memory).toMatchObject({
      id: "m1",
      namespace,
      content: memory.content,
      memoryType: MemoryType.EPISODIC,
      kind: "fact",
      tags: ["a"],
      importance: 0.5,
      source: "s",
      status: MemoryStatus.ACTIVE,
      restricted: false,
      author: "b",
      threadId: "t",
      metadata: { a: 1 },
      createTime: { seconds: 1n, nanos: 0 },
      updateTime: { seconds: 1n, nanos: 0 },
      eventTime: { seconds: -62_135_596_800n, nanos: 1 },
      expireTime: { seconds: 253_402_300_799n, nanos: 999_999_999 },
      supersedes: "m0",
      supersededBy: "m2",
      version: 3n,
      tokenCount: 5,
    });
    expect(message?.summary).toMatchObject({
      totalMatches: 9n,
      returned: 1,
      tokensUsed: 5,
      budgetTokens: 6,
      omitted: [
        { ...omission, reason: OmissionReason.OVER_BUDGET },
        { ...omission, reason: OmissionReason.NEAR_COPY },
      ],
      omittedCount: 6n,
      weakReturned: 1,
      index: SearchIndex.NEAR,
      commitSeq: 8n,
      noHitsReason: "why",
    });
    expect(message?.summary?.queryDuration).toBeDefined();
  });

  it.each([
    [[1024], [1]],
    [Array.from({ length: 32 }, () => 1024), [32]],
    [Array.from({ length: 33 }, () => 1024), [32, 1]],
    [[30, 30, 30, 30].map((kib) => kib * 1024), [2, 2]],
    [[64, 64, 1].map((kib) => kib * 1024), [1, 1, 1]],
    [[], [0]],
  ])(
    "Search sends up to 32 hits or 64 KiB in a message: contents of %j bytes",
    async (sizes, expected) => {
      const hits = sizes.map((bytes, at) => ({
        memory: memoryOf({ content: "x".repeat(bytes) }),
        scores,
        rank: at + 1,
        weak: false,
        tokens: 1,
        excerpt: false,
      }));
      const messages = await collect(
        clientOf({ search: async () => ({ hits, summary }) }).search({ namespace }),
      );
      expect(messages.map((message) => message.hits.length)).toEqual(expected);
      expect(messages.map((message) => message.summary !== undefined)).toEqual(
        expected.map((_, i) => i === expected.length - 1),
      );
    },
  );
});

describe("Recall", () => {
  it("Recall returns the hits, the summary and the text in one message", async () => {
    const result = {
      hits: [{ memory: memoryOf(), scores, rank: 1, weak: false, tokens: 5, excerpt: false }],
      summary,
      text: "- red wine",
    };
    const response = await clientOf({ recall: async () => result }).recall({
      search: { namespace, query: "wine" },
    });
    expect(response).toMatchObject({
      hits: [{ memory: { id: "m1", namespace } }],
      summary: { returned: 1 },
      text: "- red wine",
    });
  });

  it("Recall names a faulty field of its search by the path in the request", async () => {
    const client = clientOf({
      recall: () =>
        Promise.reject(invalidField("filter.expression", "is none", "INVALID_EXPRESSION")),
    });
    expect(await failureOf(client.recall({ search: { namespace } }))).toMatchObject({
      reason: "INVALID_EXPRESSION",
      message: "search.filter.expression: is none",
      fields: [{ field: "search.filter.expression" }],
    });
  });
});

describe("Explain", () => {
  it("Explain passes the search and the id to the use case and returns stages and respellings", async () => {
    const inputs: unknown[] = [];
    const stages = [
      { name: "match", score: 0.5, rank: 2, droppedReason: "" },
      { name: "pack", score: 0.5, droppedReason: "over budget" },
    ];
    const respellings = [{ word: "whine", terms: ["wine"] }];
    const client = clientOf({
      explain: async (query, id) => {
        inputs.push(query.query, id);
        return { stages, returned: false, respellings };
      },
    });
    expect(await client.explain({ search: { namespace, query: "wine" }, id: "m1" })).toMatchObject({
      stages,
      returned: false,
      respellings,
    });
    expect(inputs).toEqual(["wine", "m1"]);
  });
});

describe("GetAll, Count and Get", () => {
  it("GetAll lists ten memories on a page by default", async () => {
    const { inputs, run } = recorder({ memories: [memoryOf()], nextPageToken: "more" });
    const client = clientOf({ getAll: run });
    const response = await client.getAll({ namespace });
    await client.getAll({
      namespace,
      limit: 1000,
      filter: { kinds: ["fact"] },
      pageToken: "more",
      includeSuperseded: true,
      includeExpired: true,
      includeEmbedding: true,
    });
    expect(response).toMatchObject({
      memories: [{ id: "m1", namespace, kind: "", tags: [] }],
      nextPageToken: "more",
    });
    expect(inputs).toStrictEqual([
      {
        namespace,
        limit: 10,
        filter: {},
        pageToken: "",
        order: "NEWEST_FIRST",
        includeSuperseded: false,
        includeExpired: false,
        includeEmbedding: false,
      },
      {
        namespace,
        limit: 1000,
        filter: { kinds: ["fact"] },
        pageToken: "more",
        order: "NEWEST_FIRST",
        includeSuperseded: true,
        includeExpired: true,
        includeEmbedding: true,
      },
    ]);
  });

  it("Count passes the filter to the use case, and returns the number and the commit", async () => {
    const { inputs, run } = recorder({ count: 7, commitSeq: 2n ** 50n });
    const client = clientOf({ count: run });
    expect(await client.count({ namespace })).toMatchObject({ count: 7n, commitSeq: 2n ** 50n });
    await client.count({ namespace, filter: { kinds: ["fact"] } });
    expect(inputs).toStrictEqual([
      { namespace, filter: {} },
      { namespace, filter: { kinds: ["fact"] } },
    ]);
  });

  it("Get returns one memory by its id or external_id", async () => {
    const inputs: unknown[] = [];
    const client = clientOf({
      get: async (query) => {
        inputs.push(query);
        return { memory: memoryOf(), namespace };
      },
    });
    expect((await client.get({ namespace, id: "m1" })).memory).toMatchObject({
      id: "m1",
      namespace,
    });
    await client.get({ namespace, externalId: "mail-1", includeExpired: true });
    expect(inputs).toStrictEqual([
      { namespace, id: "m1", includeExpired: false, includeEmbedding: false },
      { namespace, externalId: "mail-1", includeExpired: true, includeEmbedding: false },
    ]);
  });
});
