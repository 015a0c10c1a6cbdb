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
import { RegisterToolRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { requestTypes } from "../../../src/rpc/services/services.js";
import { jsonExcess } from "../../../src/rpc/validation/json-elements.js";
import { binaryExcess } from "../../../src/rpc/validation/wire-elements.js";
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
    ["keys", AddRequestSchema, field(12, repeat(field(1, empty), 20_001))],
    ["metadata given again and again", AddRequestSchema, repeat(field(12, empty), 20_001)],
    ["tags", AddRequestSchema, repeat(field(5, empty), 20_001)],
    ["numbers of a vector", AddRequestSchema, field(16, new Uint8Array(4 * 20_001))],
    ["paths of a mask", UpdateRequestSchema, field(4, repeat(field(1, empty), 20_001))],
    ["messages", RegisterToolRequestSchema, field(1, repeat(field(3, empty), 20_001))],
  ])("%s", (_name, schema, bytes) => {
    expect(binaryExcess(schema, bytes)).toEqual(tooManyElements);
  });

  it("and one with 20,000 is not", () => {
    expect(
      binaryExcess(AddRequestSchema, metadataWithList(repeat(emptyValue, 19_995))),
    ).toBeUndefined();
    expect(binaryExcess(AddRequestSchema, repeat(field(5, empty), 20_000))).toBeUndefined();
    const tag = field(5, utf8.encode("a tag of 24 letters each"));
    expect(binaryExcess(AddRequestSchema, repeat(tag, 20_000))).toBeUndefined();
  });
});

it.each(requestTypes.map((schema) => [schema.name, schema] as const))(
  "a binary %s with 101 unknown fields is refused, and one with 100 is not",
  (_name, schema) => {
    const unknown = new BinaryWriter()
      .uint32((9_999 << 3) | WireType.Varint)
      .uint32(1)
      .finish();
    expect(binaryExcess(schema, repeat(unknown, 100))).toBeUndefined();
    expect(binaryExcess(schema, repeat(unknown, 101))).toContain("100 fields");
  },
);

it("a binary request that repeats one number again and again is refused", () => {
  const memoryType = new BinaryWriter()
    .uint32((3 << 3) | WireType.Varint)
    .uint32(1)
    .finish();
  expect(binaryExcess(AddRequestSchema, repeat(memoryType, 80_001))).toContain("80,000 fields");
});

it("the walk ends on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(binaryExcess(AddRequestSchema, bytes)).toBeUndefined();
    }),
    { numRuns: propertyRuns(1_000) },
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
  ])("%s", (_name, json) => {
    expect(jsonExcess(utf8.encode(json))).toEqual(tooManyElements);
  });

  it("marks inside of strings do not count", () => {
    const content = `${'{[,:\\"'.repeat(20_000)}`;
    expect(jsonExcess(utf8.encode(JSON.stringify({ content })))).toBeUndefined();
  });
});

describe("a request with more than 32 levels is refused before it is decoded", () => {
  /** A JSON object with a number of levels, itself counted. */
  const nested = (levels: number): JsonObject =>
    levels === 1 ? {} : { a: levels % 2 === 0 ? nested(levels - 1) : [nested(levels - 2)] };
  const withLevels = (levels: number) => {
    // The request itself is a level. Levels come in pairs of an object and a list.
    const request = create(AddRequestSchema, { metadata: nested(levels - 1) });
    const json = utf8.encode(toJsonString(AddRequestSchema, request));
    return [binaryExcess(AddRequestSchema, toBinary(AddRequestSchema, request)), jsonExcess(json)];
  };

  it("in binary as in JSON", () => {
    expect(withLevels(32)).toEqual([undefined, undefined]);
    const tooDeep = expect.stringContaining("32 levels") as unknown;
    expect(withLevels(33)).toEqual([tooDeep, tooDeep]);
  });

  it("and brackets without an end are not followed", () => {
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
