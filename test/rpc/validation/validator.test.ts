import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import type { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  AddBatchRequestSchema,
  AddRequestSchema,
  AddTraceRequestSchema,
  DeleteWhereRequestSchema,
  RecallRequestSchema,
  ResetRequestSchema,
  UpdateRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { errorText, type FieldViolation, VademecumError } from "../../../src/core/model/errors.js";
import { createValidator } from "../../../src/rpc/validation/validator.js";
import { containing } from "../matchers.js";

const validator = createValidator();
const namespace = { userId: "ann", agentId: "cook" };

function violationsOf<M extends DescMessage>(
  schema: M,
  init: MessageInitShape<M>,
): readonly FieldViolation[] {
  try {
    validator.validate(schema, create(schema, init));
    return [];
  } catch (error) {
    if (!(error instanceof VademecumError)) throw error;
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_FIELD" });
    expect(errorText(error)).toContain(
      `${error.fields[0]?.field}: ${error.fields[0]?.description}`,
    );
    return error.fields;
  }
}

const add = (fields: MessageInitShape<typeof AddRequestSchema>) =>
  violationsOf(AddRequestSchema, { namespace, content: "x", ...fields } as typeof fields);
const search = (fields: MessageInitShape<typeof SearchRequestSchema>) =>
  violationsOf(SearchRequestSchema, { namespace, ...fields } as typeof fields);
const filter = (fields: MessageInitShape<typeof FilterSchema>) => search({ filter: fields });

/** Returns an object with this many levels of nesting. The object itself counts as a level. */
function nested(levels: number): JsonObject {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe("the validator refuses", () => {
  it.each<[string, () => readonly FieldViolation[], string, string]>([
    [
      "an empty text",
      () => add({ content: "" }),
      "content",
      "must have 1 to 65,536 bytes of UTF-8, but has 0",
    ],
    [
      "a text of white space alone",
      () => add({ content: " \t\n\u000b" }),
      "content",
      "must not be white space alone",
    ],
    [
      "a text that is too long in UTF-8",
      () => add({ kind: "é".repeat(129) }),
      "kind",
      "must have 1 to 256 bytes of UTF-8, but has 258",
    ],
    [
      "a text above its maximum, if it has no minimum",
      () => search({ query: "x".repeat(8193) }),
      "query",
      "must have at most 8,192 bytes of UTF-8, but has 8,193",
    ],
    [
      "an item of a list that is too long",
      () => add({ tags: ["a", "b".repeat(129)] }),
      "tags[1]",
      "must have 1 to 128 bytes of UTF-8, but has 129",
    ],
    [
      "a list that is too long",
      () => add({ tags: Array.from({ length: 33 }, () => "a") }),
      "tags",
      "must have at most 32 items, but has 33",
    ],
    [
      "a number out of range",
      () => search({ limit: 1001 }),
      "limit",
      "must be 1 to 1,000, but is 1001",
    ],
    [
      "a number below its minimum, if it has no maximum",
      () => search({ minCommitSeq: 0n }),
      "min_commit_seq",
      "must be at least 1, but is 0",
    ],
    ["NaN", () => add({ importance: Number.NaN }), "importance", "must be 0 to 1, but is NaN"],
    [
      "a vector with an infinite number",
      () => add({ embedding: [1, Infinity] }),
      "embedding[1]",
      "must be finite, but is Infinity",
    ],
    [
      "an unknown enum value",
      () => add({ memoryType: 99 as MemoryType }),
      "memory_type",
      "must be one of MEMORY_TYPE_UNSPECIFIED, MEMORY_TYPE_EPISODIC, MEMORY_TYPE_SEMANTIC, MEMORY_TYPE_WORKING, MEMORY_TYPE_SCRATCH_PAGE, MEMORY_TYPE_CONVERSATION, MEMORY_TYPE_TRACE, but is 99",
    ],
    [
      "an enum value that its rule excludes",
      () => filter({ memoryTypes: [1, 0] }),
      "filter.memory_types[1]",
      "must be one of MEMORY_TYPE_EPISODIC, MEMORY_TYPE_SEMANTIC, MEMORY_TYPE_WORKING, MEMORY_TYPE_SCRATCH_PAGE, MEMORY_TYPE_CONVERSATION, MEMORY_TYPE_TRACE, but is 0",
    ],
    [
      "a request without a required message",
      () => violationsOf(RecallRequestSchema, {}),
      "search",
      "is required",
    ],
    [
      "a request without a required oneof",
      () => violationsOf(ResetRequestSchema, {}),
      "target",
      "one of namespace, everything is required",
    ],
    [
      "a boolean that must be true and is false",
      () => violationsOf(ResetRequestSchema, { target: { case: "everything", value: false } }),
      "everything",
      "must equal true, but is false",
    ],
    [
      "a time range that ends before it starts",
      () => filter({ timeRange: { start: { seconds: 2n }, end: { seconds: 2n } } }),
      "filter.time_range",
      "start must be before end",
    ],
    [
      "a number out of range in a nested message",
      () => violationsOf(RecallRequestSchema, { search: { namespace, weights: { novelty: 2 } } }),
      "search.weights.novelty",
      "must be 0 to 1, but is 2",
    ],
  ])("the validator refuses %s", (_name, violate, field, description) => {
    expect(violate()).toEqual([{ field, description }]);
  });

  it("several faulty fields give one error that names each field", () => {
    const fields = violationsOf(AddRequestSchema, { content: "", tags: [""], importance: 2 });
    expect(fields.map(({ field }) => field)).toEqual([
      "namespace",
      "content",
      "tags[0]",
      "importance",
    ]);
  });
});

describe("the content checks", () => {
  it("metadata may have up to 16 levels of nesting, counting the metadata itself", () => {
    expect(add({ metadata: nested(16) })).toEqual([]);
    expect(add({ metadata: nested(17) })).toEqual([
      { field: `metadata${".a".repeat(16)}`, description: containing("at most 16 levels") },
    ]);
    expect(filter({ metadata: nested(17) })).toMatchObject([
      { field: `filter.metadata${".a".repeat(16)}` },
    ]);
  });

  it.each([
    ["metadata", (bytes: number) => add({ metadata: ofSize(bytes) }), 16_384],
    ["filter.metadata", (bytes: number) => filter({ metadata: ofSize(bytes) }), 16_384],
    [
      "changes.metadata",
      (bytes: number) =>
        violationsOf(UpdateRequestSchema, {
          namespace,
          id: "x",
          changes: { metadata: ofSize(bytes) },
        }),
      16_384,
    ],
    [
      "trace_data",
      (bytes: number) =>
        violationsOf(AddTraceRequestSchema, {
          agentId: "a",
          workflowId: "w",
          traceData: ofSize(bytes),
        }),
      65_536,
    ],
  ])("the compact JSON of %s has a size limit", (field, violate, maxBytes) => {
    expect(violate(maxBytes)).toEqual([]);
    const limit = maxBytes.toLocaleString("en");
    expect(violate(maxBytes + 1)).toEqual([
      {
        field,
        description: containing(
          `at most ${limit} bytes as compact JSON, but has ${(maxBytes + 1).toLocaleString("en")}`,
        ),
      },
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ["a text", { a: { b: ["ok", "\ud800"] } }, "metadata.a.b[1]"],
    ["a key", { a: { "\udfff": 1 } }, 'metadata.a["\\udfff"]'],
    [
      "a key inside the object of a key with a space",
      { "a b.c": { x: "\ud800" } },
      'metadata["a b.c"].x',
    ],
  ])("metadata with a lone surrogate in %s is refused", (_name, metadata, field) => {
    expect(add({ metadata })).toEqual([{ field, description: containing("lone surrogate") }]);
  });

  it.each([Number.NaN, Infinity, -Infinity])("metadata with the number %d is refused", (number) => {
    expect(add({ metadata: { a: [number] } })).toEqual([
      { field: "metadata.a[0]", description: `must be a finite number, but is ${number}` },
    ]);
  });

  it("metadata may be any other JSON", () => {
    const json = fc.dictionary(
      fc.string({ unit: "binary" }),
      fc.jsonValue({ maxDepth: 10, noUnicodeString: false }),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(json, (metadata) => {
        const sound = JSON.stringify(metadata).length <= 16_384 / 4;
        fc.pre(sound);
        expect(
          add({
            metadata: fromJson(AddRequestSchema, { metadata: metadata as JsonObject }).metadata,
          }),
        ).toEqual([]);
      }),
    );
  });

  it.each<[string, MessageInitShape<typeof AddRequestSchema>, string]>([
    ["before the year 1", { eventTime: { seconds: -62_135_596_801n } }, "event_time"],
    ["after the year 9999", { expireTime: { seconds: 253_402_300_800n } }, "expire_time"],
    ["with negative nanoseconds", { eventTime: { nanos: -1 } }, "event_time"],
    ["with a second of nanoseconds", { eventTime: { nanos: 1_000_000_000 } }, "event_time"],
  ])("a time %s is refused", (_name, fields, field) => {
    expect(add(fields)).toMatchObject([{ field }]);
  });

  it("the first and the last time of RFC 3339 are accepted", () => {
    expect(
      add({
        eventTime: { seconds: -62_135_596_800n },
        expireTime: { seconds: 253_402_300_799n, nanos: 999_999_999 },
      }),
    ).toEqual([]);
  });

  it("the error for a range names the time that is out of range", () => {
    expect(
      filter({ timeRange: { start: { seconds: 10n ** 18n }, end: { seconds: 1n } } }),
    ).toMatchObject([{ field: "filter.time_range.start" }]);
  });

  it("a vector of zeros is refused, and an absent vector is accepted", () => {
    expect(add({ embedding: [0, -0, 0] })).toEqual([
      { field: "embedding", description: containing("must not be all zeros") },
    ]);
    expect(search({ queryEmbedding: [0] })).toMatchObject([{ field: "query_embedding" }]);
    expect(add({ embedding: [] })).toEqual([]);
  });

  it.each([
    ["filter", (bytes: Uint8Array) => fieldOf(2, bytes)],
    ["filter.time_range", (bytes: Uint8Array) => fieldOf(2, fieldOf(6, bytes))],
  ])(
    "an unknown field in %s is refused, because a condition must not be ignored",
    (field, place) => {
      const known = toBinary(
        DeleteWhereRequestSchema,
        create(DeleteWhereRequestSchema, { namespace, filter: { kinds: ["fact"] } }),
      );
      const request = fromBinary(
        DeleteWhereRequestSchema,
        Buffer.concat([known, place(fieldOf(99, Buffer.from("x")))]),
      );
      expect(violationsOf(DeleteWhereRequestSchema, request)).toEqual([
        { field, description: containing("number 99") },
      ]);
    },
  );

  it("an unknown field outside filters is accepted, because a newer client may send it", () => {
    const known = toBinary(AddRequestSchema, create(AddRequestSchema, { namespace, content: "x" }));
    expect(
      violationsOf(
        AddRequestSchema,
        fromBinary(AddRequestSchema, Buffer.concat([known, fieldOf(99, Buffer.from("x"))])),
      ),
    ).toEqual([]);
  });
});

describe("a hostile request", () => {
  it("a request with two million tags is refused for the length of the list", () => {
    expect(add({ tags: Array.from({ length: 2_000_000 }, () => "") })).toEqual([
      { field: "tags", description: "must have at most 32 items, but has 2,000,000" },
    ]);
  });

  it("a vector of NaN is refused with its first ten violations and the number of the others", () => {
    const fields = add({ embedding: Array.from({ length: 4096 }, () => Number.NaN) });
    expect(fields[0]).toEqual({
      field: "embedding[0]",
      description: "must be finite, but is NaN",
    });
    expect(fields).toHaveLength(10);
    const request = create(AddRequestSchema, {
      namespace,
      content: "x",
      embedding: Array.from({ length: 4096 }, () => Number.NaN),
    });
    expect(() => validator.validate(AddRequestSchema, request)).toThrow(
      "(and 4,095 more, the details name the first ones)",
    );
  });
});

it("a batch with an invalid item is valid, because each item is validated alone", () => {
  expect(
    violationsOf(AddBatchRequestSchema, {
      clientId: "1",
      add: { content: "", metadata: nested(17), embedding: [0] },
    }),
  ).toEqual([]);
  expect(violationsOf(AddBatchRequestSchema, { clientId: "x".repeat(129) })).toMatchObject([
    { field: "client_id" },
  ]);
});

/** Returns an object whose compact JSON has this many bytes. */
function ofSize(bytes: number): JsonObject {
  return { é: "x".repeat(bytes - Buffer.byteLength('{"é":""}')) };
}

function fieldOf(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}
