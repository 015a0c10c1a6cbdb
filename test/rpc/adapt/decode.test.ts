import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, it, vi } from "vitest";
import { AddBatchRequestSchema, AddRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { QueryMemoryRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { errorText, type VademecumError } from "../../../src/core/model/errors.js";
import { decodeBinary, decodeJson } from "../../../src/rpc/adapt/decode.js";
import { throwNotedFault } from "../../../src/rpc/adapt/part-faults.js";

const utf8 = new TextEncoder();
const notUtf8 = Uint8Array.of(0xff);
const surrogateInUtf8 = Uint8Array.of(0xed, 0xa0, 0x80);
const malformed = { code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST" };

function fieldOf(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

async function refusalOf(decode: () => unknown): Promise<unknown> {
  try {
    return await decode();
  } catch (error) {
    return error;
  }
}

/** Encodes the field `metadata` with one entry. */
function metadataOf(key: Uint8Array, value: Uint8Array): Uint8Array {
  return fieldOf(12, structOf(key, value));
}

function structOf(key: Uint8Array, value: Uint8Array): Uint8Array {
  return fieldOf(1, Buffer.concat([fieldOf(1, key), fieldOf(2, value)]));
}

function nestedStruct(levels: number): Uint8Array {
  let struct = new Uint8Array();
  for (let level = 1; level < levels; level++)
    struct = Uint8Array.from(structOf(utf8.encode("a"), fieldOf(5, struct)));
  return struct;
}

describe("a binary request", () => {
  it.each([notUtf8, surrogateInUtf8])(
    "a binary request is malformed if the text of any field is not UTF-8",
    (text) => {
      const places = [
        fieldOf(2, text),
        fieldOf(5, text),
        fieldOf(1, fieldOf(1, text)),
        metadataOf(text, fieldOf(3, utf8.encode("x"))),
        metadataOf(utf8.encode("x"), fieldOf(3, text)),
      ];
      for (const bytes of places)
        expect(() => decodeBinary(AddRequestSchema, bytes)).toThrow(
          expect.objectContaining(malformed),
        );
    },
  );

  it("a binary request may have 32 levels of nesting, and is malformed with 33", () => {
    // The request itself counts as a level.
    expect(() => decodeBinary(AddRequestSchema, fieldOf(12, nestedStruct(32)))).toThrow(
      expect.objectContaining(malformed),
    );
    expect(() => decodeBinary(AddRequestSchema, fieldOf(12, nestedStruct(31)))).not.toThrow();
  });

  it("a binary request that is cut anywhere inside a field is malformed", () => {
    const bytes = toBinary(AddRequestSchema, create(AddRequestSchema, { content: "abc" }));
    for (let length = 1; length < bytes.length; length++) {
      expect(
        () => decodeBinary(AddRequestSchema, bytes.subarray(0, length)),
        `${length} bytes`,
      ).toThrow(expect.objectContaining(malformed));
    }
  });

  it("a binary request keeps all Unicode text, including NUL, combining marks and a byte-order mark", () => {
    const content = "\u0000\ufeffe\u0301\u202e\u{1f600}";
    expect(decodeBinary(AddRequestSchema, fieldOf(2, utf8.encode(content))).content).toBe(content);
  });

  it("a binary request keeps the metadata key __proto__", () => {
    const { metadata = {} } = decodeBinary(
      AddRequestSchema,
      metadataOf(utf8.encode("__proto__"), fieldOf(3, utf8.encode("x"))),
    );
    expect(Object.entries(metadata)).toEqual([["__proto__", "x"]]);
  });
});

describe("a JSON request", () => {
  const decode = (json: string | Uint8Array) =>
    decodeJson(AddRequestSchema, typeof json === "string" ? utf8.encode(json) : json, {
      ignoreUnknownFields: false,
    });

  it.each([
    [
      "bytes that are not UTF-8",
      Buffer.concat([utf8.encode('{"content":"'), notUtf8, utf8.encode('"}')]),
      "utf-8",
    ],
    ["a lone surrogate", '{"content":"\\ud800"}', "content"],
    ["an unknown field", '{"colour":"red"}', "colour"],
    ["a field twice", '{"content":"a","content":"b"}', "content"],
    ["a field under both of its names", '{"thread_id":"a","threadId":"b"}', "thread_id"],
    ["an unknown enum value", '{"memoryType":"MEMORY_TYPE_OTHER"}', "MEMORY_TYPE_OTHER"],
    ["a value of the wrong type", '{"importance":"high"}', "importance"],
    ["an invalid time", '{"eventTime":"yesterday"}', "such as 2026-03-01T12:00:00Z"],
    [
      "a thousand levels of nesting",
      `{"metadata":${'{"a":'.repeat(1000)}1${"}".repeat(1000)}}`,
      "32 levels",
    ],
    ["ten thousand levels of nesting", `{"metadata":${"[".repeat(10_000)}`, "32 levels"],
    ["an empty body", "", "JSON"],
    ["a list instead of an object", "[]", "AddRequest"],
  ])("a JSON request with %s is malformed, and the error says why", async (_name, json, says) => {
    const refusal = await refusalOf(() => decode(json));
    expect(refusal).toMatchObject(malformed);
    expect(errorText(refusal)).toContain(says);
  });

  it("a JSON request may use snake_case or lowerCamelCase field names", () => {
    expect(decode('{"thread_id":"a","memoryType":"MEMORY_TYPE_TRACE"}')).toMatchObject({
      threadId: "a",
      memoryType: 6,
    });
  });

  it("a JSON request, large or small, is malformed if an object has two equal keys", async () => {
    for (const content of ["a", "a".repeat(300_000)]) {
      const json = `{"content": "${content}", "metadata": {"k": "1", "\\u006b" : "2"}}`;
      const refusal = await refusalOf(() => decodeJson(AddRequestSchema, utf8.encode(json), {}));
      expect(refusal).toMatchObject(malformed);
      expect(errorText(refusal)).toContain('duplicate object key "k"');
    }
  });
});

describe("a whole number in JSON", () => {
  const big = "9007199254740993";
  it.each([
    ["in metadata", `{"metadata":{"author":${big}}}`, "metadata.author"],
    [
      "deep in metadata",
      `{"content":"a,[{:\\"","metadata":{"a b":[1,{"id":-${big}}]}}`,
      'metadata["a b"][1].id',
    ],
    ["in a scalar field", `{"minCommitSeq":"1","min_commit_seq":${big}}`, "min_commit_seq"],
    [
      "with more digits than a double can have",
      `{"metadata":{"a":${"9".repeat(400)}}}`,
      "metadata.a",
    ],
  ])("is refused with its path if a double cannot hold it: %s", async (_name, json, path) => {
    const schema = path === "min_commit_seq" ? SearchRequestSchema : AddRequestSchema;
    const refusal = await refusalOf(() => decodeJson(schema, utf8.encode(json), {}));
    expect(refusal).toMatchObject(malformed);
    const { fields } = refusal as VademecumError;
    expect(fields.map(({ field }) => field)).toContain(path);
  });

  it.each([
    "9007199254740993.0",
    "-9007199254740993.000",
    "9007199254740993.5",
    "9007199254740993e0",
    "9.007199254740993e15",
    "90071992547409930E-1",
    "1e400",
    "-1e400",
    `1${"0".repeat(400)}.0`,
    "123456789012345678901234567890e2",
  ])("is refused in every way to write it: %s", async (literal) => {
    const json = `{"metadata":{"a":${literal}}}`;
    const refusal = await refusalOf(() => decodeJson(AddRequestSchema, utf8.encode(json), {}));
    expect(refusal).toMatchObject(malformed);
    const { fields } = refusal as VademecumError;
    expect(fields.map(({ field }) => field)).toContain("metadata.a");
  });

  it("is taken if a double holds it exactly", () => {
    const exact = [
      "1e20",
      "1e23",
      "1.7976931348623157e308",
      "9007199254740994.0",
      "1.5e300",
      "-1e-9",
      "100000000000000000000",
      "9007199254740992",
      "-9007199254740991",
      "0.1",
    ];
    const json = `{"metadata":{"a":[${exact.join(",")}],"id":"${big}"}}`;
    const { metadata } = decodeJson(AddRequestSchema, utf8.encode(json), {});
    expect(metadata).toEqual({ a: exact.map(Number), id: big });
  });

  it("fails only its part of a request, if the part can fail alone", () => {
    const query = `{"queryId":"b","filter":{"metadata":{"author":${big}}}}`;
    const json = `{"queries":[{"queryId":"a"},${query}]}`;
    const { queries } = decodeJson(QueryMemoryRequestSchema, utf8.encode(json), {});
    const [first, second] = queries;
    expect(() => throwNotedFault(first as object)).not.toThrow();
    expect(() => throwNotedFault(second as object)).toThrow(big);
  });
});

describe("an item of a batch in JSON", () => {
  it("an item of a batch in JSON fails alone for a whole number that a double cannot hold", () => {
    const add = '{"content":"a","metadata":{"a":9007199254740993}}';
    const item = decodeJson(
      AddBatchRequestSchema,
      utf8.encode(`{"clientId":"a","add":${add}}`),
      {},
    );
    expect(item.clientId).toBe("a");
    expect(() => throwNotedFault(item.add as object)).toThrow("9007199254740993");
  });

  const decode = (json: string) => decodeJson(AddBatchRequestSchema, utf8.encode(json), {});

  it("an item of a batch in JSON keeps its client_id if the item is too large", () => {
    const item = decode(`{"clientId":"a","add":{"content":"${"x".repeat(3_000_000)}"}}`);
    expect(item.clientId).toBe("a");
  });

  it("an item of a batch in JSON with too many elements is not parsed at all", () => {
    const parse = vi.spyOn(JSON, "parse");
    const items = "{},".repeat(100_000);
    const item = decode(`{"clientId":"a","add":{"metadata":{"a":[${items}{}]}}}`);
    expect(parse).not.toHaveBeenCalled();
    expect(item.clientId).toBe("");
    parse.mockRestore();
  });
});
