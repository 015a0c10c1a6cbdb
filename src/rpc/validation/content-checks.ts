import {
  type DescField,
  type DescMessage,
  getOption,
  isFieldSet,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import {
  type FieldMask,
  FieldMaskSchema,
  StructSchema,
  type Timestamp,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import { field as fieldRules, Ignore, RepeatedRulesSchema } from "#gen/buf/validate/validate_pb.js";
import { FilterSchema, TimeRangeSchema } from "#gen/vademecum/v1/filter_pb.js";
import { AddTraceRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { FieldViolation } from "../../core/model/errors.js";
import type { JsonObject } from "../../core/model/json.js";
import { metadataMaxBytes, traceDataMaxBytes } from "../../core/model/limits.js";
import { fieldValue } from "./field-value.js";
import { structViolation } from "./struct.js";

/**
 * Checks a message for faults that the rules of the definitions cannot express, and adds them to
 * `violations`. `path` is the path of the message in the request, empty or with a dot at its end.
 */
export type ContentCheck = (message: Message, path: string, violations: FieldViolation[]) => void;

/**
 * Seconds from 1970 to 0001-01-01T00:00:00Z and to 9999-12-31T23:59:59Z, the range of RFC 3339. The
 * JSON parser enforces this range; the binary parser does not.
 */
const timestampMinSeconds = -62_135_596_800n;
const timestampMaxSeconds = 253_402_300_799n;

/** Messages in which an unknown binary field could change the meaning of the known fields. */
const closedMessages: ReadonlySet<string> = new Set([
  FilterSchema.typeName,
  TimeRangeSchema.typeName,
]);

/**
 * Compiles the check of a message type. It covers the Structs, Timestamps and vectors of the
 * message and of its list items, unknown fields of a filter, and the lengths of lists.
 *
 * The rules of the definitions also limit lists, but they evaluate and report each item first. So 4
 * MiB of empty tags would cost seconds and a gigabyte.
 *
 * Plain strings need no check. protobuf-es refuses invalid UTF-8 in binary and lone surrogates in
 * JSON. It accepts lone surrogates only inside Structs.
 */
export function compileContentCheck(schema: DescMessage): ContentCheck {
  const checks = schema.fields.map(compileField).filter((check) => check !== undefined);
  if (closedMessages.has(schema.typeName)) checks.push(checkUnknownFields);
  return (message, path, violations) => {
    for (const check of checks) check(message, path, violations);
  };
}

function compileField(field: DescField): ContentCheck | undefined {
  if (getOption(field, fieldRules).ignore === Ignore.ALWAYS) return undefined;
  if (field.fieldKind === "list") return listCheck(field);
  if (field.fieldKind !== "message") return undefined;
  switch (field.message.typeName) {
    case StructSchema.typeName:
      return structCheck(field);
    case TimestampSchema.typeName:
      return timestampCheck(field);
    case FieldMaskSchema.typeName:
      return maskCheck(field);
    default:
      return messageCheck(field, compileContentCheck(field.message));
  }
}

/** Maximum number of paths in a field mask. The rule of the field states the same limit. */
const maskPathsMax = 32;

/** Checks the length of a field mask, because the library of rules keeps the last message. */
function maskCheck(field: DescField): ContentCheck {
  return (message, path, violations) => {
    const value = fieldValue(message, field) as FieldMask | undefined;
    if (value === undefined || value.paths.length <= maskPathsMax) return;
    const description = `must have at most ${maskPathsMax} paths`;
    violations.push({ field: path + field.name, description });
  };
}

function messageCheck(field: DescField, check: ContentCheck): ContentCheck {
  return (message, path, violations) => {
    const value = fieldValue(message, field) as Message | undefined;
    if (value !== undefined) check(value, `${path}${field.name}.`, violations);
  };
}

/** Returns the limit of a Struct field, in bytes of compact JSON. */
export function structMaxBytes(field: DescField): number {
  return field === AddTraceRequestSchema.field.traceData ? traceDataMaxBytes : metadataMaxBytes;
}

function structCheck(field: DescField): ContentCheck {
  const maxBytes = structMaxBytes(field);
  return (message, path, violations) => {
    const value = fieldValue(message, field) as JsonObject | undefined;
    const violation = value && structViolation(value, path + field.name, maxBytes);
    if (violation !== undefined) violations.push(violation);
  };
}

function timestampCheck(field: DescField): ContentCheck {
  return (message, path, violations) => {
    const value = fieldValue(message, field) as Timestamp | undefined;
    if (value === undefined) return;
    if (value.seconds < timestampMinSeconds || value.seconds > timestampMaxSeconds) {
      violations.push({
        field: path + field.name,
        description:
          "must be within 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, " +
          `but is ${value.seconds} seconds from 1970`,
      });
    } else if (value.nanos < 0 || value.nanos > 999_999_999) {
      violations.push({
        field: path + field.name,
        description: `must have nanos of 0 to 999,999,999, but has ${value.nanos}`,
      });
    }
  };
}

function listCheck(field: DescField): ContentCheck {
  const isVector = field.scalar === ScalarType.FLOAT;
  const { type } = getOption(field, fieldRules);
  const maxItems =
    type.case === "repeated" && isFieldSet(type.value, RepeatedRulesSchema.field.maxItems)
      ? type.value.maxItems
      : Infinity;
  const isItemIgnored = type.case === "repeated" && type.value.items?.ignore === Ignore.ALWAYS;
  const itemCheck =
    field.message === undefined || isItemIgnored ? undefined : compileContentCheck(field.message);
  return (message, path, violations) => {
    const list = fieldValue(message, field) as readonly unknown[];
    if (list.length > maxItems) {
      const limit = maxItems.toLocaleString("en");
      const length = list.length.toLocaleString("en");
      const description = `must have at most ${limit} items, but has ${length}`;
      violations.push({ field: path + field.name, description });
    } else if (isVector && list.length > 0 && list.every((value) => value === 0)) {
      violations.push({
        field: path + field.name,
        description:
          "must not be all zeros, because such a vector is similar to none; leave it out",
      });
    } else if (itemCheck !== undefined) {
      for (const [at, item] of list.entries())
        itemCheck(item as Message, `${path}${field.name}[${at}].`, violations);
    }
  };
}

function checkUnknownFields(message: Message, path: string, violations: FieldViolation[]): void {
  const [unknown] = message.$unknown ?? [];
  if (unknown === undefined) return;
  violations.push({
    field: path.slice(0, -1),
    description:
      `has a field that this server does not know (number ${unknown.no}); ` +
      "the server ignores no condition, so leave the field out or upgrade the server",
  });
}
