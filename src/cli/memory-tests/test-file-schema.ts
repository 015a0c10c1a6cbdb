import { MemoryTypeSchema } from "#gen/vademecum/v1/memory_pb.js";

const text = { type: "string", minLength: 1 };
const instant = {
  type: "string",
  description: "An instant, such as 2026-05-01T09:30:00Z.",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$",
};

const reference = {
  description: "The id of a memory of this file, or a text that memories contain in any case.",
  oneOf: [
    text,
    { type: "object", properties: { text }, required: ["text"], additionalProperties: false },
  ],
};

/** The fields of a memory: an id, and fields of an AddRequest. */
const memory = {
  type: "object",
  required: ["id", "content"],
  additionalProperties: false,
  properties: {
    id: { ...text, description: "A name of your choice, for the expectations." },
    content: { ...text, description: "The text of the memory." },
    memory_type: {
      description: "Default: MEMORY_TYPE_EPISODIC.",
      enum: MemoryTypeSchema.values.slice(1).map(({ name }) => name),
    },
    kind: text,
    tags: { type: "array", items: text },
    importance: { type: "number", minimum: 0, maximum: 1 },
    restricted: { type: "boolean" },
    source: text,
    author: text,
    thread_id: text,
    metadata: { type: "object" },
    event_time: { ...instant, description: "When it happened. Default: when it is stored." },
    expire_time: instant,
    supersedes: {
      ...text,
      description: "The id of an earlier memory of this file, which this one replaces.",
    },
  },
};

/** The fields of a test: fields of a SearchRequest, and what its hits must be. */
const test = {
  type: "object",
  required: ["name", "query"],
  anyOf: ["expect", "expect_first", "forbid", "max_hits", "max_tokens"].map((check) => ({
    required: [check],
  })),
  additionalProperties: false,
  properties: {
    name: { ...text, description: "What the test shows, as a sentence." },
    query: { type: "string", description: "The question. Empty: every memory matches." },
    limit: { type: "integer", minimum: 1, maximum: 1000 },
    budget_tokens: { type: "integer", minimum: 1, maximum: 1_000_000 },
    min_relevance: { type: "number", minimum: 0, maximum: 1 },
    gate: { type: "number", minimum: 0, maximum: 1 },
    filter: { type: "object", description: "A Filter of the API, such as {tags_any: [deploy]}." },
    include_superseded: { type: "boolean" },
    time_zone: text,
    expect: {
      description: "Memories that must be among the hits.",
      type: "array",
      items: reference,
      minItems: 1,
    },
    expect_first: { ...reference, description: "The memory that must be the first hit." },
    forbid: {
      description: "Memories that must not be among the hits.",
      type: "array",
      items: reference,
      minItems: 1,
    },
    max_hits: { type: "integer", minimum: 0, description: "Maximum number of hits." },
    max_tokens: {
      type: "integer",
      minimum: 0,
      description: "Maximum tokens of all hits together.",
    },
  },
};

/** The JSON Schema of the files that `vademecum test` runs. */
export const testFileSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "A test file of vademecum test",
  type: "object",
  required: ["tests"],
  anyOf: [{ required: ["memories"] }, { required: ["memories_file"] }],
  additionalProperties: false,
  properties: {
    now: {
      ...instant,
      description: "The time of the test, for words such as 'yesterday'. Default: the machine's.",
    },
    memories: { type: "array", items: memory, minItems: 1 },
    memories_file: {
      ...text,
      description:
        "A file with more memories, beside this one: JSON Lines, as `vademecum list --all --json` " +
        "prints them.",
    },
    tests: { type: "array", items: test, minItems: 1 },
  },
};
