import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  DurationSchema,
  FieldMaskSchema,
  StructSchema,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import { type InexactNumber, inexactFault } from "../../core/text/scan-json.js";
import { FaultyFields } from "../validation/field-errors.js";
import { pathOfKey } from "../validation/struct.js";
import { durationFault, timeFault } from "./json-times.js";
import { actualValue, enumName, valueFault } from "./json-values.js";
import { failsAlone } from "./part-faults.js";

/** The result of checking a JSON request against the definition of its message. */
export interface JsonReading {
  /** The JSON for the decoder: without faulty fields, and with the full names of enum values. */
  readonly json: JsonObject;
  readonly faults: FaultyFields;
  readonly faultyParts: readonly FaultyPart[];
}

/** A part of a request that is faulty and fails alone, such as an item of a batch. */
export interface FaultyPart {
  readonly field: DescField;
  /** Index in the list. 0 if the field is not a list. */
  readonly index: number;
  /** Paths are relative to the part. */
  readonly faults: FaultyFields;
}

/**
 * Reads a request before the library decodes it. Finds each fault with its path and the allowed
 * values, and times that the library would misread. Translates the short forms that this server
 * accepts, but protobuf does not, such as enum names without their prefix.
 *
 * @param inexact the whole numbers that parsing the JSON has changed
 */
export function readJson(
  schema: DescMessage,
  json: JsonObject,
  inexact: readonly InexactNumber[] = [],
): JsonReading {
  const reader = new JsonReader();
  const result = reader.message(schema, json, "") as JsonObject;
  for (const number of inexact) reader.addInexact(schema, number);
  const { faults, faultyParts } = reader;
  return { json: result, faults, faultyParts };
}

/** The value to decode; `undefined` if the value is omitted, because it is faulty or null. */
type Read = JsonValue | undefined;

class JsonReader {
  faults = new FaultyFields();
  readonly faultyParts: FaultyPart[] = [];

  message(schema: DescMessage, json: JsonValue, path: string): Read {
    if (!isObject(json)) return this.#fault(path, () => objectFault(json) ?? "");
    const result: JsonObject = {};
    const keyOf = new Map<DescField, string>();
    for (const [key, value] of Object.entries(json)) {
      const field = fieldsOf(schema).get(key);
      if (field === undefined) {
        this.#fault(pathOfKey(key, path), () => unknownField(schema));
        continue;
      }
      const textField = value === null ? undefined : this.#jsonTextField(field, value);
      const target = textField ?? field;
      if (keyOf.has(target)) {
        this.#fault(inside(path, field), `is given twice, as ${keyOf.get(target)} and as ${key}`);
      } else if (value !== null) {
        keyOf.set(field, key).set(target, key);
        this.#checkOneof(field, keyOf, inside(path, field));
        const given = textField === undefined ? value : jsonText(value);
        const read = this.#field(target, given, inside(path, field));
        if (read !== undefined) result[target.jsonName] = read;
      }
    }
    return result;
  }

  /** Adds the fault of a number that parsing has changed, to the part that it is in. */
  addInexact(schema: DescMessage, number: InexactNumber): void {
    let { faults } = this;
    let path = "";
    let within: DescMessage | undefined = schema;
    let list: DescField | undefined;
    for (const key of number.path) {
      let part: DescField | undefined;
      if (typeof key === "number") {
        path += `[${key}]`;
        part = list;
        list = undefined;
      } else if (within === undefined) path = pathOfKey(key, path);
      else {
        const field = fieldsOf(within).get(key);
        // A field that does not exist is a fault already.
        if (field === undefined) return;
        path = inside(path, field);
        if (field.fieldKind === "list") list = field;
        else part = field;
        within = messageWithKnownFields(field);
      }
      if (part === undefined || !failsAlone(part)) continue;
      faults = this.#faultsOf(part, typeof key === "number" ? key : 0);
      path = "";
    }
    faults.add(path, () => inexactFault(number));
  }

  /** Returns the faults of a part that fails alone. */
  #faultsOf(field: DescField, index: number): FaultyFields {
    const known = this.faultyParts.find((part) => part.field === field && part.index === index);
    if (known !== undefined) return known.faults;
    const faults = new FaultyFields();
    this.faultyParts.push({ field, index, faults });
    return faults;
  }

  #field(field: DescField, value: JsonValue, path: string): Read {
    if (field.fieldKind === "map") return value;
    if (field.fieldKind !== "list") return this.#single(field, value, path, 0);
    if (!Array.isArray(value)) return this.#fault(path, `must be a list, ${actualValue(value)}`);
    return value.flatMap((item, index) => {
      const read = this.#single(field, item, `${path}[${index}]`, index);
      return read === undefined ? [] : [read];
    });
  }

  #single(field: DescField, value: JsonValue, path: string, index: number): Read {
    if (failsAlone(field)) return this.#part(field, value, index);
    if (field.message !== undefined) return this.#messageField(field.message, value, path);
    const name = enumName(field, value);
    if (name !== undefined) return name;
    const fault = valueFault(field, value, field.fieldKind === "list");
    return fault === undefined ? value : this.#fault(path, fault);
  }

  /** Reads a part that fails alone, and collects its faults apart from those of the request. */
  #part(field: DescField, value: JsonValue, index: number): Read {
    const { faults } = this;
    this.faults = new FaultyFields();
    const read = this.message(field.message as DescMessage, value, "");
    if (this.faults.count > 0) this.faultyParts.push({ field, index, faults: this.faults });
    this.faults = faults;
    return read ?? {};
  }

  #messageField(schema: DescMessage, value: JsonValue, path: string): Read {
    switch (schema.typeName) {
      case TimestampSchema.typeName:
        return this.#unless(timeFault(value), value, path);
      case DurationSchema.typeName:
        return this.#unless(durationFault(value), value, path);
      case FieldMaskSchema.typeName:
        return this.#unless(maskFault(value), shortMask(value), path);
      case StructSchema.typeName:
        return this.#unless(objectFault(value), value, path);
      default:
        return schema.typeName.startsWith("google.protobuf.")
          ? value
          : this.message(schema, value, path);
    }
  }

  #checkOneof(field: DescField, keyOf: ReadonlyMap<DescField, string>, path: string): void {
    const other = field.oneof?.fields.find((it) => it !== field && keyOf.has(it));
    if (other !== undefined) this.#fault(path, `must not be given together with ${other.jsonName}`);
  }

  /**
   * Returns the field `x_json`, which takes any value of `x` that is no JSON object as a text. A
   * text is taken as it is.
   */
  #jsonTextField(field: DescField, value: JsonValue): DescField | undefined {
    if (field.message?.typeName !== StructSchema.typeName || isObject(value)) return undefined;
    return fieldsOf(field.parent).get(`${field.name}_json`);
  }

  #unless(fault: string | undefined, value: JsonValue, path: string): Read {
    return fault === undefined ? value : this.#fault(path, fault);
  }

  #fault(path: string, fault: string | (() => string)): undefined {
    this.faults.add(path, () => (typeof fault === "string" ? fault : fault()));
  }
}

/** Returns the message of a field, unless its keys are any text, as those of a Struct. */
function messageWithKnownFields({ message }: DescField): DescMessage | undefined {
  return message?.typeName.startsWith("google.protobuf.") === true ? undefined : message;
}

/** Returns a text as it is, and any other value as JSON. */
function jsonText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns what is wrong with a value that must be a JSON object; `undefined` if nothing is. */
function objectFault(value: JsonValue): string | undefined {
  return isObject(value) ? undefined : `must be a JSON object, ${actualValue(value)}`;
}

const knownFields = new Map<DescMessage, ReadonlyMap<string, DescField>>();

/** Returns the fields of a message by both of their names. */
function fieldsOf(schema: DescMessage): ReadonlyMap<string, DescField> {
  let fields = knownFields.get(schema);
  if (fields === undefined) {
    const named = schema.fields.flatMap((field) =>
      [field.name, field.jsonName].map((name) => [name, field] as const),
    );
    fields = new Map(named);
    knownFields.set(schema, fields);
  }
  return fields;
}

function inside(path: string, field: DescField): string {
  return path === "" ? field.name : `${path}.${field.name}`;
}

function unknownField(schema: DescMessage): string {
  const names = schema.fields.map(({ jsonName }) => jsonName).join(", ") || "none";
  return `is not a field of ${schema.name}, whose fields are ${names}`;
}

/** The number of paths of a field mask that are read: more than the rules allow. */
const maskPathsRead = 100;

/** Returns a mask without the paths that are not read, so that no long list is made of them. */
function shortMask(value: JsonValue): JsonValue {
  return typeof value === "string" ? value.split(",", maskPathsRead).join(",") : value;
}

function maskFault(value: JsonValue): string | undefined {
  if (typeof value === "string" && !value.includes("_")) return undefined;
  return (
    "must be a text with field names in lowerCamelCase, separated by commas, " +
    `such as "content,eventTime", ${actualValue(value)}`
  );
}
