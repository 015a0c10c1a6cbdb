import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { filterMethods } from "./filter-methods.js";
import { addPath, service, target } from "./target.js";

/**
 * Bytes that are not UTF-8: a lone surrogate as some encoders write it, half a character, and a
 * byte that never occurs in UTF-8.
 */
const notUtf8 = [Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xe2, 0x82]), Buffer.from([0xff])];

/** The target namespace in binary. */
export const namespaceBytes = toBinary(NamespaceSchema, create(NamespaceSchema, target));

/** Encodes by hand an AddRequest with namespace, content and one other field. */
export function addWith(field: number, bytes: Uint8Array, content = "x"): Uint8Array {
  return message([1, namespaceBytes], [2, Buffer.from(content)], [field, bytes]);
}

/** Encodes a message of length-delimited fields: texts, bytes or messages. */
export function message(...fields: readonly (readonly [number, Uint8Array])[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, bytes] of fields) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

/** Encodes a Struct with one entry, whose key and Value are given as bytes. */
function struct(key: Uint8Array, value: Uint8Array): Uint8Array {
  return message([1, message([1, key], [2, value])]);
}

const one = toBinary(ValueSchema, create(ValueSchema, { kind: { case: "numberValue", value: 1 } }));
const nan = toBinary(
  ValueSchema,
  create(ValueSchema, { kind: { case: "numberValue", value: Number.NaN } }),
);
const seconds = (value: bigint) => new BinaryWriter().tag(1, WireType.Varint).int64(value).finish();
const nanos = (value: number) => new BinaryWriter().tag(2, WireType.Varint).int32(value).finish();

/** Binary requests that have no JSON form or cannot be decoded. */
export const binaryRequests: readonly { name: string; path: string; bytes: Uint8Array }[] = [
  ...notUtf8.flatMap((bytes) => {
    const hex = bytes.toString("hex");
    return [
      {
        name: `a content of the bytes ${hex}`,
        path: addPath,
        bytes: message([1, namespaceBytes], [2, bytes]),
      },
      {
        name: `a user_id of the bytes ${hex}`,
        path: addPath,
        bytes: message([1, message([1, bytes], [2, Buffer.from("agent")])], [2, Buffer.from("x")]),
      },
      { name: `a tag of the bytes ${hex}`, path: addPath, bytes: addWith(5, bytes) },
      { name: `an idempotency key of the bytes ${hex}`, path: addPath, bytes: addWith(17, bytes) },
      {
        name: `a metadata key of the bytes ${hex}`,
        path: addPath,
        bytes: addWith(12, struct(bytes, one)),
      },
      {
        name: `a metadata text of the bytes ${hex}`,
        path: addPath,
        bytes: addWith(12, struct(Buffer.from("key"), message([3, bytes]))),
      },
      {
        name: `an id of the bytes ${hex}`,
        path: `${service}/Delete`,
        bytes: message([1, namespaceBytes], [2, bytes]),
      },
      {
        name: `a query of the bytes ${hex}`,
        path: `${service}/Search`,
        bytes: message([1, namespaceBytes], [2, bytes]),
      },
    ];
  }),
  {
    name: "a message that ends within a field",
    path: addPath,
    bytes: addWith(3, Buffer.alloc(50)).subarray(0, -20),
  },
  {
    name: "a field of another wire type",
    path: addPath,
    bytes: message([1, namespaceBytes], [6, Buffer.from("x")]),
  },
  {
    name: "bytes that are not a message",
    path: addPath,
    bytes: Buffer.from("ffffffffffffffffffffff", "hex"),
  },
  { name: "metadata of 100 levels of nesting", path: addPath, bytes: addWith(12, deepStruct(100)) },
  {
    name: "metadata of 1,000 levels of nesting",
    path: addPath,
    bytes: addWith(12, deepStruct(1000)),
  },
  {
    name: "metadata of 10,000 levels of nesting",
    path: addPath,
    bytes: addWith(12, deepStruct(10_000)),
  },
  { name: "metadata with NaN", path: addPath, bytes: addWith(12, struct(Buffer.from("key"), nan)) },
  {
    name: "metadata with NaN in a filter",
    path: `${service}/GetAll`,
    bytes: message([1, namespaceBytes], [3, message([1, struct(Buffer.from("key"), nan)])]),
  },
];

/** Binary requests that can be decoded, so the error can name the invalid field. */
export const binaryFields: readonly {
  name: string;
  path: string;
  bytes: Uint8Array;
  field: string;
}[] = [
  {
    name: "a time before the year 1",
    path: addPath,
    bytes: addWith(13, seconds(-62_135_596_801n)),
    field: "event_time",
  },
  {
    name: "a time after the year 9999",
    path: addPath,
    bytes: addWith(14, seconds(253_402_300_800n)),
    field: "expire_time",
  },
  {
    name: "negative nanoseconds",
    path: addPath,
    bytes: addWith(13, nanos(-1)),
    field: "event_time",
  },
  {
    name: "a billion nanoseconds",
    path: addPath,
    bytes: addWith(13, nanos(1_000_000_000)),
    field: "event_time",
  },
  ...filterMethods.map(({ name, input }) => ({
    name: `a filter of ${name} with an unknown field`,
    path: `${service}/${name}`,
    bytes: message(
      [1, namespaceBytes],
      [input.field["filter"]?.number ?? 0, message([99, Buffer.from("x")])],
    ),
    field: "filter",
  })),
  {
    name: "a filter with an unknown field",
    path: `${service}/Recall`,
    bytes: message([1, message([1, namespaceBytes], [5, message([99, Buffer.from("x")])])]),
    field: "search.filter",
  },
  {
    name: "a time range with an unknown field",
    path: `${service}/Search`,
    bytes: message([1, namespaceBytes], [5, message([6, message([99, Buffer.from("x")])])]),
    field: "filter.time_range",
  },
];

/**
 * Encodes by hand a Struct of `levels` nested objects, because libraries refuse so deep a nesting.
 */
function deepStruct(levels: number): Uint8Array {
  const key = message([1, Buffer.from("a")]);
  const prefixes: Uint8Array[] = [];
  let length = 0;
  const enclose = (number: number, before: Uint8Array = Buffer.alloc(0)) => {
    const head = new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(length).finish();
    prefixes.push(head, before);
    length += head.length + before.length;
  };
  for (let level = 1; level < levels; level++) {
    // Encloses the Struct in a Value, the Value in an entry with a key, and the entry in a Struct.
    enclose(5);
    enclose(2, key);
    enclose(1);
  }
  return Buffer.concat(prefixes.reverse());
}
