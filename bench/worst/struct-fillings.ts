import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { elementsMax } from "../../src/edge/wire-elements.js";
import type { Filling } from "./filling.js";
import { numberedItems, record, repeat, repeatText } from "./wire-bytes.js";

/** Numbers of levels of a Struct, around the limits of the server and of the decoder. */
const levelCounts = [14, 15, 40, 97, 5_000];

/** Counts of items: within 16 KiB of JSON, around the limit of elements, and as many as fit. */
const itemCounts = [4_000, 8_180, elementsMax / 2 - 50, elementsMax - 50, Infinity];

/** A value that is repeated in a list. */
interface Item {
  readonly name: string;
  /** A `Value` in binary. */
  readonly value: Uint8Array;
  readonly json: string;
}

const empty = new Uint8Array();
const zero = new BinaryWriter().tag(2, WireType.Bit64).double(0).finish();
const nothing = new BinaryWriter().tag(1, WireType.Varint).uint32(0).finish();
const items: readonly Item[] = [
  { name: "values without a kind", value: empty, json: "null" },
  { name: "nulls", value: nothing, json: "null" },
  { name: "zeros", value: zero, json: "0" },
  { name: "empty objects", value: record(5, empty), json: "{}" },
  { name: "empty lists", value: record(6, empty), json: "[]" },
  { name: "empty texts", value: record(3, empty), json: '""' },
  { name: "objects with a key", value: record(5, entry("a", zero)), json: '{"a":0}' },
];

/** Returns the ways to fill a `google.protobuf.Struct`. Lists are values of `a` and of `tags`. */
export function structFillings(
  number: number,
  { again }: { readonly again: Filling },
): readonly Filling[] {
  const lists = items.flatMap((item) => ["a", "tags"].map((key) => listFilling(number, key, item)));
  return [again, ...lists, keysFilling(number), deepFilling(number), textFilling(number)];
}

/** Returns an entry of the map in a Struct. */
function entry(key: string, value: Uint8Array): Uint8Array {
  return record(1, Buffer.concat([record(1, Buffer.from(key)), record(2, value)]));
}

function listFilling(number: number, key: string, { name, value, json }: Item): Filling {
  return {
    name: `${name} in a list of "${key}"`,
    counts: itemCounts,
    fill: (count) => ({
      wire: record(number, entry(key, record(6, repeat(record(1, value), count)))),
      json: `{"${key}":[${repeatText(`${json},`, count - 1)}${json}]}`,
    }),
  };
}

function keysFilling(number: number): Filling {
  return {
    name: "keys",
    counts: [1_500, elementsMax / 2 - 50, elementsMax - 50, 380_000],
    fill: (count) => {
      const entries = Array.from({ length: Math.floor(count) }, (_, i) => entry(`${i}`, zero));
      return {
        wire: record(number, Buffer.concat(entries)),
        json: `{${numberedItems(count, 10, (i) => `"${i}":0`)}}`,
      };
    },
  };
}

/** Nested objects, as many as the count says. The innermost object has 400 keys. */
function deepFilling(number: number): Filling {
  return {
    name: "levels",
    counts: levelCounts,
    fill: (count) => {
      const levels = Math.min(count, 10_000);
      let struct: Uint8Array = Buffer.concat(
        Array.from({ length: 400 }, (_, i) => entry(`${i}`, zero)),
      );
      for (let level = 1; level < levels; level++) struct = entry("a", record(5, struct));
      const keys = numberedItems(400, 10, (i) => `"${i}":0`);
      const json = `${'{"a":'.repeat(levels - 1)}{${keys}}${"}".repeat(levels - 1)}`;
      return { wire: record(number, struct), json };
    },
  };
}

function textFilling(number: number): Filling {
  return {
    name: "a text of random ASCII",
    counts: [16_000, 65_000, 4_190_000],
    fill: (count) => {
      const text = "x%5{\\".repeat(count / 5);
      return {
        wire: record(number, entry("a", record(3, Buffer.from(text)))),
        json: `{"a":${JSON.stringify(text)}}`,
      };
    },
  };
}
