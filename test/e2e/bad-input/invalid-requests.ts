import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { filterMethods } from "./filter-methods.js";
import { aboutTarget, nested } from "./target.js";

/** A well-formed request with an invalid field. */
export interface InvalidRequest {
  readonly name: string;
  readonly method: DescMethod;
  readonly request: JsonObject;
  /** Path of the invalid field. */
  readonly field: string;
  /** Default INVALID_FIELD. */
  readonly reason?: string;
}

const {
  add,
  addTrace,
  search,
  recall,
  getAll,
  count,
  get,
  update,
  delete: remove,
  deleteWhere,
  reset,
  explain,
  proposeEdit,
} = MemoryProvider.method;
const letters = (length: number) => "x".repeat(length);
const tags = (count: number) => Array.from({ length: count }, (_, i) => `tag ${i}`);

const adds: readonly [name: string, fields: JsonObject, field: string][] = [
  ["an empty content", { content: "" }, "content"],
  ["a content of white space alone", { content: " \t\n\u000b\u00a0\u2028\u3000\ufeff" }, "content"],
  ["a content of one byte more than 64 KiB", { content: letters(65_537) }, "content"],
  ["a content of 65,538 bytes in 32,769 letters", { content: "é".repeat(32_769) }, "content"],
  ["a word of 80,000 letters", { content: letters(80_000) }, "content"],
  ["no namespace", { namespace: null, content: "x" }, "namespace"],
  [
    "an empty user_id",
    { namespace: { userId: "", agentId: "a" }, content: "x" },
    "namespace.user_id",
  ],
  [
    "a user_id of 257 bytes",
    { namespace: { userId: letters(257), agentId: "a" }, content: "x" },
    "namespace.user_id",
  ],
  [
    "an agent_id of 258 bytes in 129 letters",
    { namespace: { userId: "u", agentId: "é".repeat(129) }, content: "x" },
    "namespace.agent_id",
  ],
  ["an empty kind", { content: "x", kind: "" }, "kind"],
  ["a kind of 257 bytes", { content: "x", kind: letters(257) }, "kind"],
  ["a source of 257 bytes", { content: "x", source: letters(257) }, "source"],
  ["an author of 257 bytes", { content: "x", author: letters(257) }, "author"],
  ["an empty author", { content: "x", author: "" }, "author"],
  ["a thread_id of 257 bytes", { content: "x", threadId: letters(257) }, "thread_id"],
  ["33 tags", { content: "x", tags: tags(33) }, "tags"],
  ["a tag of 129 bytes", { content: "x", tags: ["ok", letters(129)] }, "tags[1]"],
  ["an empty tag", { content: "x", tags: [""] }, "tags[0]"],
  ["an importance below 0", { content: "x", importance: -0.01 }, "importance"],
  ["an importance above 1", { content: "x", importance: 1.01 }, "importance"],
  ["an importance that is no number", { content: "x", importance: "NaN" }, "importance"],
  ["an infinite importance", { content: "x", importance: "Infinity" }, "importance"],
  ["an unknown memory type", { content: "x", memoryType: 99 }, "memory_type"],
  ["an unknown status", { content: "x", status: -1 }, "status"],
  ["an empty supersedes", { content: "x", supersedes: "" }, "supersedes"],
  ["a supersedes of 129 bytes", { content: "x", supersedes: letters(129) }, "supersedes"],
  ["an empty idempotency key", { content: "x", idempotencyKey: "" }, "idempotency_key"],
  [
    "an idempotency key of 129 bytes",
    { content: "x", idempotencyKey: letters(129) },
    "idempotency_key",
  ],
  ["an embedding with NaN", { content: "x", embedding: [1, "NaN"] }, "embedding[1]"],
  ["an embedding with infinity", { content: "x", embedding: ["-Infinity"] }, "embedding[0]"],
  ["an embedding of zeros", { content: "x", embedding: [0, -0, 0] }, "embedding"],
  [
    "an embedding of 4,097 numbers",
    { content: "x", embedding: Array.from({ length: 4097 }, () => 1) },
    "embedding",
  ],
  ["metadata of more than 16 KiB", { content: "x", metadata: { a: letters(16_384) } }, "metadata"],
  [
    "metadata of 17 levels of nesting",
    { content: "x", metadata: nested(17) },
    `metadata${".a".repeat(16)}`,
  ],
  [
    "metadata of 17 levels of nested lists",
    { content: "x", metadata: { a: nestedLists(16) } },
    `metadata.a${"[0]".repeat(15)}`,
  ],
];

const traces: readonly [name: string, fields: JsonObject, field: string][] = [
  ["no agent", { agentId: "" }, "agent_id"],
  ["no workflow", { workflowId: "" }, "workflow_id"],
  ["a workflow of 257 bytes", { workflowId: letters(257) }, "workflow_id"],
  ["no trace data", { traceData: null }, "trace_data"],
  ["an empty user", { userId: "" }, "user_id"],
  ["trace data of more than 64 KiB", { traceData: { a: letters(65_536) } }, "trace_data"],
  ["trace data of 17 levels of nesting", { traceData: nested(17) }, `trace_data${".a".repeat(16)}`],
  [
    "metadata of more than 16 KiB",
    { traceData: { metadata: { a: letters(16_384) } } },
    "trace_data.metadata",
  ],
  ["metadata that is no object", { traceData: { metadata: ["x"] } }, "trace_data.metadata"],
];

const searches: readonly [name: string, fields: JsonObject, field: string][] = [
  ["a query of 8,193 bytes", { query: letters(8193) }, "query"],
  ["a limit of 0", { limit: 0 }, "limit"],
  ["a negative limit", { limit: -1 }, "limit"],
  ["a limit of 1,001", { limit: 1001 }, "limit"],
  ["a limit of 2,147,483,647", { limit: 2_147_483_647 }, "limit"],
  ["a budget of 0", { budgetTokens: 0 }, "budget_tokens"],
  ["a negative budget", { budgetTokens: -500 }, "budget_tokens"],
  ["a budget of 1,000,001", { budgetTokens: 1_000_001 }, "budget_tokens"],
  ["an unknown order", { order: 7 }, "order"],
  ["a relevance below 0", { minRelevance: -0.5 }, "min_relevance"],
  ["a relevance above 1", { minRelevance: 1.5 }, "min_relevance"],
  ["a relevance that is no number", { minRelevance: "NaN" }, "min_relevance"],
  ["a gate below 0", { gate: -0.5 }, "gate"],
  ["a gate above 1", { gate: 1.5 }, "gate"],
  ["a gate that is no number", { gate: "NaN" }, "gate"],
  ["a weight above 1", { weights: { recency: 2 } }, "weights.recency"],
  ["a weight below 0", { weights: { importance: -1 } }, "weights.importance"],
  ["a weight that is no number", { weights: { novelty: "NaN" } }, "weights.novelty"],
  ["a query vector with NaN", { queryEmbedding: ["NaN"] }, "query_embedding[0]"],
  ["a query vector of zeros", { queryEmbedding: [0] }, "query_embedding"],
  [
    "a query vector of 4,097 numbers",
    { queryEmbedding: Array.from({ length: 4097 }, () => 1) },
    "query_embedding",
  ],
  ["a min_commit_seq of 0", { minCommitSeq: "0" }, "min_commit_seq"],
  ["a negative min_commit_seq", { minCommitSeq: "-1" }, "min_commit_seq"],
];

const filters: readonly [name: string, filter: JsonObject, field: string][] = [
  ["33 tags", { tagsAny: tags(33) }, "tags_any"],
  ["a tag of 129 bytes", { tagsAll: [letters(129)] }, "tags_all[0]"],
  ["an empty kind", { kinds: [""] }, "kinds[0]"],
  ["the unspecified type", { memoryTypes: [0] }, "memory_types[0]"],
  ["an unknown type", { memoryTypes: [42] }, "memory_types[0]"],
  ["an unknown status", { status: 42 }, "status"],
  ["an importance above 1", { importanceMin: 2 }, "importance_min"],
  ["an empty source", { source: "" }, "source"],
  ["an author of 257 bytes", { author: letters(257) }, "author"],
  ["an empty thread", { threadId: "" }, "thread_id"],
  ["an empty text in the content", { contentContains: "" }, "content_contains"],
  ["a text of 257 bytes in the content", { contentContains: letters(257) }, "content_contains"],
  [
    "a time range that ends before it starts",
    { timeRange: { start: "2026-01-02T00:00:00Z", end: "2026-01-01T00:00:00Z" } },
    "time_range",
  ],
  [
    "an empty time range",
    { timeRange: { start: "2026-01-01T00:00:00Z", end: "2026-01-01T00:00:00Z" } },
    "time_range",
  ],
  ["an expression of 2,049 bytes", { expression: `true${" ".repeat(2045)}` }, "expression"],
  ["an empty expression", { expression: "" }, "expression"],
  ["metadata of 17 levels of nesting", { metadata: nested(17) }, `metadata${".a".repeat(16)}`],
  ["metadata of more than 16 KiB", { metadata: { a: letters(16_384) } }, "metadata"],
];

const expressions: readonly [name: string, expression: string][] = [
  ["a syntax error", "importance >"],
  ["a type error", 'importance > "high"'],
  ["an unknown name", 'colour == "red"'],
  ["an unknown function", "sleep(10)"],
  ["the function `matches`", 'source.matches("(a+)+$")'],
  ["a value that is neither true nor false", "source"],
  ["a comprehension inside another", "tags.exists(t, tags.exists(u, t == u))"],
  ["33 parentheses inside one another", `${"(".repeat(33)}true${")".repeat(33)}`],
];

/** One request for each field and each way in which it can be invalid. */
export const invalidRequests: readonly InvalidRequest[] = [
  ...adds.map(([name, fields, field]) => ({
    name,
    method: add,
    request: aboutTarget(fields),
    field,
  })),
  ...traces.map(([name, fields, field]) => {
    const request = {
      agentId: "agent",
      userId: "target",
      workflowId: "wf",
      traceData: {},
      ...fields,
    };
    return { name, method: addTrace, request, field };
  }),
  ...searches.map(([name, fields, field]) => ({
    name,
    method: search,
    request: aboutTarget(fields),
    field,
  })),
  ...searches.map(([name, fields, field]) => ({
    name,
    method: recall,
    request: { search: aboutTarget(fields) },
    field: `search.${field}`,
  })),
  ...filters.flatMap(([name, filter, path]) => {
    const request = aboutTarget({ filter });
    const field = `filter.${path}`;
    return filterMethods.map((method) => ({
      name: `a filter with ${name}`,
      method,
      request,
      field,
    }));
  }),
  ...expressions.flatMap(([name, expression]) => {
    const request = aboutTarget({ filter: { expression } });
    const refusal = { field: "filter.expression", reason: "INVALID_EXPRESSION" };
    return filterMethods.map((method) => ({
      name: `an expression with ${name}`,
      method,
      request,
      ...refusal,
    }));
  }),
  { name: "no search", method: recall, request: {}, field: "search" },
  { name: "a limit of 0", method: getAll, request: aboutTarget({ limit: 0 }), field: "limit" },
  {
    name: "a limit of 1,001",
    method: getAll,
    request: aboutTarget({ limit: 1001 }),
    field: "limit",
  },
  {
    name: "a page token of 1,025 bytes",
    method: getAll,
    request: aboutTarget({ pageToken: letters(1025) }),
    field: "page_token",
  },
  {
    name: "a page token that was made up",
    method: getAll,
    request: aboutTarget({ pageToken: "a.b.c" }),
    field: "page_token",
    reason: "INVALID_PAGE_TOKEN",
  },
  { name: "no namespace", method: getAll, request: {}, field: "namespace" },
  { name: "no namespace", method: count, request: {}, field: "namespace" },
  { name: "no namespace", method: search, request: { query: "x" }, field: "namespace" },
  ...[get, remove].flatMap((method) => [
    { name: "an empty id", method, request: aboutTarget({ id: "" }), field: "id" },
    { name: "an id of 129 bytes", method, request: aboutTarget({ id: letters(129) }), field: "id" },
    { name: "no namespace", method, request: { id: "x" }, field: "namespace" },
  ]),
  {
    name: "no field `changes`",
    method: update,
    request: aboutTarget({ id: "x" }),
    field: "changes",
  },
  {
    name: "an empty content",
    method: update,
    request: aboutTarget({ id: "x", changes: { content: "" } }),
    field: "changes.content",
  },
  {
    name: "a content of white space alone",
    method: update,
    request: aboutTarget({ id: "x", changes: { content: "\n" } }),
    field: "changes.content",
  },
  {
    name: "an empty field `changes`",
    method: update,
    request: aboutTarget({ id: "x", changes: {} }),
    field: "changes",
  },
  {
    name: "33 tags",
    method: update,
    request: aboutTarget({ id: "x", changes: { tags: tags(33) } }),
    field: "changes.tags",
  },
  {
    name: "metadata of 17 levels of nesting",
    method: update,
    request: aboutTarget({ id: "x", changes: { metadata: nested(17) } }),
    field: `changes.metadata${".a".repeat(16)}`,
  },
  {
    name: "an expected version of 0",
    method: update,
    request: aboutTarget({ id: "x", changes: {}, expectedVersion: "0" }),
    field: "expected_version",
  },
  { name: "no filter", method: deleteWhere, request: aboutTarget({}), field: "filter" },
  {
    name: "a filter without a condition",
    method: deleteWhere,
    request: aboutTarget({ filter: {} }),
    field: "filter",
    reason: "EMPTY_FILTER",
  },
  { name: "no target", method: reset, request: {}, field: "target" },
  {
    name: "`everything` set to false",
    method: reset,
    request: { everything: false },
    field: "everything",
  },
  { name: "no search", method: explain, request: { id: "x" }, field: "search" },
  { name: "no target", method: proposeEdit, request: aboutTarget({}), field: "target" },
];

function nestedLists(levels: number): JsonObject[string] {
  let value: JsonObject[string] = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}
