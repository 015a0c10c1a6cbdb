import {
  create,
  type DescMessage,
  fromBinary,
  type JsonObject,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddRequestSchema, UpdateRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { RegisterToolRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { binaryExcess, malformedBytes } from "../../../src/edge/wire-elements.js";
import { requestTypes } from "../../../src/rpc/descriptors.js";
import { jsonExcess } from "../../../src/rpc/validation/json-excess.js";
import { propertyRuns } from "../../suite.js";

const tooManyElements = expect.stringContaining("20,000 elements") as unknown;
const utf8 = new TextEncoder();

function field(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

function repeat(bytes: Uint8Array, count: number): Uint8Array {
  return Buffer.concat(Array.from({ length: count }, () => bytes));
}

const empty = new Uint8Array();
/** A `ListValue` as the value of the only key of `metadata`. */
const metadataWithList = (items: Uint8Array) =>
  field(12, field(1, Buffer.concat([field(1, utf8.encode("a")), field(2, field(6, items))])));
const emptyValue = field(1, empty);
const valueWithStruct = field(1, field(5, empty));

describe("a binary request with more than 20,000 elements is refused before it is decoded", () => {
  it.each<[string, DescMessage, Uint8Array]>([
    ["empty values in a list", AddRequestSchema, metadataWithList(repeat(emptyValue, 20_001))],
    ["objects in a list", AddRequestSchema, metadataWithList(repeat(valueWithStruct, 10_001))],
    ["keys of metadata", AddRequestSchema, field(12, repeat(field(1, empty), 20_001))],
    ["the field `metadata` many times", AddRequestSchema, repeat(field(12, empty), 20_001)],
    ["tags", AddRequestSchema, repeat(field(5, empty), 20_001)],
    ["numbers of a vector", AddRequestSchema, field(16, new Uint8Array(4 * 20_001))],
    ["paths of a mask", UpdateRequestSchema, field(4, repeat(field(1, empty), 20_001))],
    ["nested messages", RegisterToolRequestSchema, field(1, repeat(field(3, empty), 20_001))],
  ])("a binary request with too many elements is refused: %s", (_name, schema, bytes) => {
    expect(binaryExcess(schema, bytes)).toEqual(tooManyElements);
  });

  it("a binary request with 20,000 elements is not refused", () => {
    expect(
      binaryExcess(AddRequestSchema, metadataWithList(repeat(emptyValue, 19_995))),
    ).toBeUndefined();
    expect(binaryExcess(AddRequestSchema, repeat(field(5, empty), 20_000))).toBeUndefined();
    const tag = field(5, utf8.encode("a tag of 24 letters each"));
    expect(binaryExcess(AddRequestSchema, repeat(tag, 20_000))).toBeUndefined();
  });
});

it.each(requestTypes.map((schema) => [schema.name, schema] as const))(
  "a binary %s may have 100 unknown fields, and is refused with 101",
  (_name, schema) => {
    const unknown = new BinaryWriter()
      .uint32((9_999 << 3) | WireType.Varint)
      .uint32(1)
      .finish();
    expect(binaryExcess(schema, repeat(unknown, 100))).toBeUndefined();
    expect(binaryExcess(schema, repeat(unknown, 101))).toContain("100 fields");
  },
);

it("a binary request that repeats the field of a number too often is refused", () => {
  const memoryType = new BinaryWriter()
    .uint32((3 << 3) | WireType.Varint)
    .uint32(1)
    .finish();
  expect(binaryExcess(AddRequestSchema, repeat(memoryType, 80_001))).toContain("80,000 fields");
});

describe("a binary request with a misleading field", () => {
  const flood = repeat(field(5, empty), 100_000);
  const number = (fieldNumber: number, wireType: number, value: number) =>
    new BinaryWriter()
      .uint32((fieldNumber << 3) | wireType)
      .uint32(value)
      .finish();

  it.each<[string, DescMessage, Uint8Array]>([
    ["behind a text with the wire type of a number", AddRequestSchema, number(2, 0, 7)],
    ["behind a number with the wire type of a text", AddRequestSchema, number(3, 2, 0)],
    ["behind a message that is longer than its fields", AddRequestSchema, Buffer.of(0x0a, 1, 0x50)],
    ["behind a packed number that is cut", SearchRequestSchema, Buffer.of(0x4a, 3, 0, 0, 0)],
    ["behind an unknown wire type", AddRequestSchema, Buffer.of((99 << 3) | 6, 6)],
    ["behind the end of a group that has not begun", AddRequestSchema, number(999, 4, 0)],
  ])("a binary request with too many elements %s is refused", (_name, schema, start) => {
    expect(binaryExcess(schema, Buffer.concat([start, flood]))).toBe(malformedBytes);
  });

  it("a binary request with a group without an end is refused", () => {
    const start = new BinaryWriter().uint32((999 << 3) | 3).finish();
    expect(binaryExcess(AddRequestSchema, start)).toBe(malformedBytes);
  });

  it("a binary request with a text that is longer than the request is refused", () => {
    const request = Buffer.concat([repeat(field(5, empty), 10), Buffer.of(0x12, 100)]);
    expect(binaryExcess(AddRequestSchema, request)).toBe(malformedBytes);
  });

  it("a binary request with a group among its unknown fields is not refused", () => {
    const start = new BinaryWriter().uint32((999 << 3) | 3).finish();
    const end = new BinaryWriter().uint32((999 << 3) | 4).finish();
    const bytes = Buffer.concat([start, number(2, 0, 7), end, field(2, utf8.encode("tea"))]);
    expect(binaryExcess(AddRequestSchema, bytes)).toBeUndefined();
    expect(fromBinary(AddRequestSchema, bytes).content).toBe("tea");
  });
});

it("a request with changed bytes that passes the check is decoded, or has an invalid text, field number or varint", () => {
  const valid = toBinary(
    AddRequestSchema,
    create(AddRequestSchema, {
      namespace: { userId: "ann", agentId: "cook" },
      content: "She likes tea.",
      tags: ["a", "b", "c"],
      metadata: { list: [1, 2, { deep: [true, null, "x"] }] },
      embedding: [1, 2, 3],
    }),
  );
  const flood = repeat(field(5, empty), 20_001);
  const changes = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(changes, (places) => {
      const bytes = Buffer.from(valid);
      for (const [place, byte] of places) bytes[place] = byte;
      for (const request of [bytes, Buffer.concat([bytes, flood])]) {
        if (binaryExcess(AddRequestSchema, request) !== undefined) continue;
        try {
          const { tags } = fromBinary(AddRequestSchema, request);
          expect(tags.length).toBeLessThanOrEqual(20_000);
        } catch (error) {
          // The check leaves these faults to the decoder: texts that are not UTF-8, and invalid
          // field numbers.
          expect(String(error)).toMatch(/UTF-8|illegal tag|encoded data was not valid|varint/i);
        }
      }
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

describe("a JSON request with more than 20,000 elements is refused before it is parsed", () => {
  it.each([
    ["objects", `{"metadata":{"a":[${"{},".repeat(10_001)}0]}}`],
    ["numbers", `{"metadata":{"a":[${"0,".repeat(20_001)}0]}}`],
    [
      "keys",
      JSON.stringify({
        metadata: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [i, 0])),
      }),
    ],
  ])("a JSON request with too many elements is refused: %s", (_name, json) => {
    expect(jsonExcess(utf8.encode(json))).toEqual(tooManyElements);
  });

  it("brackets, colons and commas inside strings of a JSON request do not count as elements", () => {
    const content = `${'{[,:\\"'.repeat(20_000)}`;
    expect(jsonExcess(utf8.encode(JSON.stringify({ content })))).toBeUndefined();
  });
});

describe("a request with more than 32 levels of nesting is refused before it is decoded", () => {
  /**
   * Returns a JSON object with this many levels of nesting. The object itself counts as a level.
   */
  const nested = (levels: number): JsonObject =>
    levels === 1 ? {} : { a: levels % 2 === 0 ? nested(levels - 1) : [nested(levels - 2)] };
  const withLevels = (levels: number) => {
    // The request itself counts as a level.
    const request = create(AddRequestSchema, { metadata: nested(levels - 1) });
    const json = utf8.encode(toJsonString(AddRequestSchema, request));
    return [binaryExcess(AddRequestSchema, toBinary(AddRequestSchema, request)), jsonExcess(json)];
  };

  it("a request may have 32 levels of nesting, and is refused with 33, in binary and in JSON", () => {
    expect(withLevels(32)).toEqual([undefined, undefined]);
    const tooDeep = expect.stringContaining("32 levels") as unknown;
    expect(withLevels(33)).toEqual([tooDeep, tooDeep]);
  });

  it("a JSON request with millions of open brackets is refused for its levels of nesting", () => {
    expect(jsonExcess(utf8.encode(`{"metadata":${"[".repeat(4_000_000)}`))).toContain("32 levels");
  });
});

it("a memory with the largest metadata passes, as JSON and as binary", () => {
  const list = Array.from({ length: 8_186 }, () => 0);
  const request = create(AddRequestSchema, { metadata: { a: list } });
  expect(JSON.stringify(request.metadata).length).toBeLessThanOrEqual(16 * 1024);
  const binary = toBinary(AddRequestSchema, request);
  expect(binaryExcess(AddRequestSchema, binary)).toBeUndefined();
  expect(jsonExcess(utf8.encode(toJsonString(AddRequestSchema, request)))).toBeUndefined();
  expect(fromBinary(AddRequestSchema, binary).metadata).toEqual({ a: list });
});
