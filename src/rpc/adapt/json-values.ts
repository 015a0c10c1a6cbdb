import { type DescField, type JsonValue, protoInt64, ScalarType } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { allowedNames, allowedNumbers, rulesOf } from "../validation/violations.js";

/**
 * Describes what is wrong with a number, text, boolean or enum name in JSON: what is allowed, and
 * what the request has. Returns `undefined` if nothing is wrong.
 *
 * @param ofItem whether the value is an item of a list
 */
export function valueFault(
  field: DescField,
  value: JsonValue,
  ofItem: boolean,
): string | undefined {
  if (field.enum !== undefined) {
    if (isInt32(value)) return undefined;
    const names = allowedNames(field, rulesOf(field, ofItem));
    const { sharedPrefix } = field.enum;
    const short =
      sharedPrefix === undefined ? "" : `with or without ${sharedPrefix.toUpperCase()}, `;
    return `must be one of ${names} (${short}in any case), ${actualValue(value)}`;
  }
  if (field.scalar === undefined || isScalar(field.scalar, value)) return undefined;
  if (field.scalar === ScalarType.STRING && typeof value === "string")
    return "must be well-formed Unicode, but has a lone surrogate";
  const range = allowedNumbers(rulesOf(field, ofItem));
  const limits = range === undefined ? "" : `, ${range}`;
  return `must be ${scalarNames[field.scalar]}${limits}, ${actualValue(value)}`;
}

/** Describes the actual value, for the end of a description. Cuts long texts. */
export function actualValue(value: JsonValue): string {
  if (Array.isArray(value)) return "but is a list";
  if (typeof value === "object" && value !== null) return "but is a JSON object";
  return `but is ${typeof value === "string" ? quote(value) : String(value)}`;
}

/** Longest text in a description, in UTF-16 units. */
const quotedMax = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text);
}

/**
 * Returns the full name of an enum value that JSON names with or without its prefix, in any case.
 * `undefined`: there is no such value.
 */
export function enumName(field: DescField, value: JsonValue): string | undefined {
  if (field.enum === undefined || typeof value !== "string") return undefined;
  const name = value.toUpperCase();
  const prefix = (field.enum.sharedPrefix ?? "").toUpperCase();
  return field.enum.values.find((known) => known.name === name || known.name === prefix + name)
    ?.name;
}

const scalarNames: Readonly<Record<ScalarType, string>> = {
  [ScalarType.DOUBLE]: "a number",
  [ScalarType.FLOAT]: "a number",
  [ScalarType.INT64]: "a whole number",
  [ScalarType.UINT64]: "a whole number of at least 0",
  [ScalarType.INT32]: "a whole number",
  [ScalarType.FIXED64]: "a whole number of at least 0",
  [ScalarType.FIXED32]: "a whole number of at least 0",
  [ScalarType.BOOL]: "true or false",
  [ScalarType.STRING]: "a text in quotes",
  [ScalarType.BYTES]: "a text in base64",
  [ScalarType.UINT32]: "a whole number of at least 0",
  [ScalarType.SFIXED32]: "a whole number",
  [ScalarType.SFIXED64]: "a whole number",
  [ScalarType.SINT32]: "a whole number",
  [ScalarType.SINT64]: "a whole number",
};

/** Whether the decoder accepts a value. Numbers may also be texts, such as `"5"`. */
function isScalar(type: ScalarType, value: JsonValue): boolean {
  switch (type) {
    case ScalarType.DOUBLE:
      return isNumber(value);
    case ScalarType.FLOAT:
      return isNumber(value) && !isTooLargeForFloat(Number(value));
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return isInt32(numberOf(value));
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return isInt64(value);
    case ScalarType.BOOL:
      return typeof value === "boolean";
    case ScalarType.STRING:
      return typeof value === "string" && value.isWellFormed();
    case ScalarType.UINT32:
      return isUint32(numberOf(value));
    case ScalarType.BYTES:
      return typeof value === "string" && isBase64(value);
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
    case ScalarType.UINT64:
      // No request has such a field. The decoder reports its faults.
      return true;
  }
}

function numberOf(value: JsonValue): JsonValue {
  return typeof value === "string" && value !== "" && value.trim() === value
    ? Number(value)
    : value;
}

function isNumber(value: JsonValue): boolean {
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return true;
  return Number.isFinite(numberOf(value));
}

function isTooLargeForFloat(value: number): boolean {
  return Number.isFinite(value) && !Number.isFinite(Math.fround(value));
}

function isInt32(value: JsonValue): boolean {
  return Number.isInteger(value) && (Number(value) | 0) === Number(value);
}

function isUint32(value: JsonValue): boolean {
  return Number.isInteger(value) && Number(value) >>> 0 === Number(value);
}

function isBase64(text: string): boolean {
  try {
    base64Decode(text);
    return true;
  } catch {
    return false;
  }
}

function isInt64(value: JsonValue): boolean {
  if (typeof value !== "number" && (typeof value !== "string" || value === "")) return false;
  try {
    protoInt64.parse(value);
    return true;
  } catch {
    return false;
  }
}
