import { type DescField, getOption, isFieldSet, ScalarType } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { FieldMaskSchema, StructSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  field as fieldRules,
  RepeatedRulesSchema,
  StringRulesSchema,
} from "#gen/buf/validate/validate_pb.js";
import { elementsMax, fieldsMax, unknownFieldsMax } from "../../src/edge/wire-elements.js";
import type { Filling } from "./filling.js";
import { hostileTexts, textOf } from "./hostile-texts.js";
import type { FieldValues } from "./plain-request.js";
import { structFillings } from "./struct-fillings.js";
import { numberedItems, record, repeat, repeatText } from "./wire-bytes.js";

/** Counts of items around the limits of a request, and as many as the largest request holds. */
const itemCounts = [elementsMax / 2 - 50, elementsMax - 50, fieldsMax - 50, Infinity];

/** Returns the ways to fill a field. */
export function fillingsOf(field: DescField, values: FieldValues): readonly Filling[] {
  if (field.fieldKind === "list" || field.fieldKind === "map") return listFillings(field);
  if (field.message !== undefined) return messageFillings(field);
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES)
    return [...namedValues(field, values), ...textFillings(field)];
  return [numberFilling(field)];
}

/** Returns the ways to fill the request itself. */
export function rootFillings(): readonly Filling[] {
  return [unknownFields((bytes) => bytes)];
}

function unknownFields(wrap: (bytes: Uint8Array) => Uint8Array): Filling {
  const one = new BinaryWriter().tag(9_999, WireType.Varint).uint32(1).finish();
  return {
    name: "unknown fields",
    counts: [unknownFieldsMax, Infinity],
    fill: (count) => ({
      wire: wrap(repeat(one, count)),
      json: `{${numberedItems(count, 12, (i) => `"x${i}":0`)}}`,
    }),
  };
}

function messageFillings(field: DescField): readonly Filling[] {
  const { number, message } = field;
  if (message?.typeName === StructSchema.typeName)
    return structFillings(number, { again: again(number) });
  if (message?.typeName === FieldMaskSchema.typeName) return [maskFilling(number)];
  const fillings = [again(number), unknownFields((bytes) => record(number, bytes))];
  return message?.typeName === TimestampSchema.typeName
    ? [...fillings, timeFilling(number), ...textFillings(field)]
    : fillings;
}

/** Sends the field many times, each time empty. */
function again(number: number): Filling {
  const one = record(number, new Uint8Array());
  return { name: "again", counts: itemCounts, fill: (count) => ({ wire: repeat(one, count) }) };
}

function maskFilling(number: number): Filling {
  return {
    name: "paths",
    counts: [32, ...itemCounts],
    fill: (count) => ({
      wire: record(number, repeat(record(1, Buffer.from("content")), count)),
      json: `"${repeatText("content,", count)}tags"`,
    }),
  };
}

function timeFilling(number: number): Filling {
  return {
    name: "seconds",
    counts: [0, 253_402_300_799],
    fill: (count) => ({
      wire: record(number, new BinaryWriter().tag(1, WireType.Varint).int64(count).finish()),
      json: JSON.stringify(new Date(count * 1_000).toISOString()),
    }),
  };
}

function listFillings(field: DescField): readonly Filling[] {
  const { number } = field;
  const isMap = field.fieldKind === "map";
  const { type } = getOption(field, fieldRules);
  const hasMax =
    type.case === "repeated" && isFieldSet(type.value, RepeatedRulesSchema.field.maxItems);
  const counts = [...(hasMax ? [Number(type.value.maxItems)] : []), ...itemCounts];
  if (field.message !== undefined || isMap)
    return [
      itemsFilling("empty items", number, new Uint8Array(), isMap ? undefined : "{}", counts),
    ];
  if (field.scalar === ScalarType.STRING) {
    const texts = hostileTexts.map((text) => ({ name: text.name, item: textOf(text, 128) }));
    return [{ name: "empty", item: "" }, { name: "short", item: "a" }, ...texts].map(
      ({ name, item }) =>
        itemsFilling(`items: ${name}`, number, Buffer.from(item), JSON.stringify(item), counts),
    );
  }
  return [packedFilling(field, counts)];
}

function itemsFilling(
  name: string,
  number: number,
  item: Uint8Array,
  json: string | undefined,
  counts: readonly number[],
): Filling {
  const one = record(number, item);
  return {
    name,
    counts,
    fill: (count) => ({
      wire: repeat(one, count),
      ...(json !== undefined && {
        json: `[${repeatText(`${json},`, count - 1)}${json}]`,
      }),
    }),
  };
}

/** Fills a list of floats, enum values or integers with the number 1. */
function packedFilling({ number, scalar }: DescField, counts: readonly number[]): Filling {
  const item =
    scalar === ScalarType.FLOAT
      ? new BinaryWriter().float(1).finish()
      : new BinaryWriter().uint32(1).finish();
  return {
    name: "numbers",
    counts,
    fill: (count) => ({
      wire: record(number, repeat(item, count)),
      json: `[${repeatText("1,", count - 1)}1]`,
    }),
  };
}

function namedValues({ name, number }: DescField, values: FieldValues): readonly Filling[] {
  return (values[name] ?? []).map((value) => ({
    name: JSON.stringify(value),
    counts: [1],
    fill: () => ({ wire: record(number, Buffer.from(value)), json: JSON.stringify(value) }),
  }));
}

function textFillings(field: DescField): readonly Filling[] {
  const { type } = getOption(field, fieldRules);
  const hasMax = type.case === "string" && isFieldSet(type.value, StringRulesSchema.field.maxBytes);
  const counts = [...(hasMax ? [Number(type.value.maxBytes)] : []), 65_000, 200_000, 4_190_000];
  return hostileTexts.map((text) => ({
    name: text.name,
    counts,
    fill: (count) => {
      const filled = textOf(text, count);
      return {
        wire: record(field.number, Buffer.from(filled)),
        json: JSON.stringify(filled),
      };
    },
  }));
}

/** The name of the filling that gives a number its largest valid value. */
export const largestNumber = "largest number";

function numberFilling(field: DescField): Filling {
  const { number, scalar } = field;
  const isDouble = scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT;
  const largest = ruleMax(field);
  const others = [1, 0.5, 10, 1_000, 1_000_000, 2_147_483_647].filter(
    (value) => isDouble || Number.isInteger(value),
  );
  const counts =
    field.fieldKind === "enum"
      ? [1, 2, 3, 4, 5, 6]
      : scalar === ScalarType.BOOL
        ? [1]
        : largest === undefined
          ? others
          : [largest, ...others];
  return {
    name: largest === undefined ? "number" : largestNumber,
    counts,
    fill: (count) => {
      const whole = Math.max(0, Math.floor(Math.min(count, 2 ** 53)));
      const json = scalar === ScalarType.BOOL ? "true" : String(isDouble ? count : whole);
      if (scalar === ScalarType.DOUBLE)
        return {
          wire: new BinaryWriter().tag(number, WireType.Bit64).double(count).finish(),
          json,
        };
      if (scalar === ScalarType.FLOAT)
        return { wire: new BinaryWriter().tag(number, WireType.Bit32).float(count).finish(), json };
      return { wire: new BinaryWriter().tag(number, WireType.Varint).int64(whole).finish(), json };
    },
  };
}

/**
 * Returns the largest value that the rules of a number allow. `undefined`: they set no such limit.
 */
function ruleMax(field: DescField): number | undefined {
  const { type } = getOption(field, fieldRules);
  if (type.case !== "int32" && type.case !== "int64" && type.case !== "double") return undefined;
  const { lessThan } = type.value;
  return lessThan.case === "lte" ? Number(lessThan.value) : undefined;
}
