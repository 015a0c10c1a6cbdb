import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type JsonObject,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type FieldValues, plainMessage, plainRequest } from "./plain-request.js";
import type { Part, Shape } from "./shape.js";
import { record, repeat, repeatText, requestBytesMax } from "./wire-bytes.js";

/** Makes the message of a `Shape`: a plain request, followed by the filled fields. */
export function encodeShape(method: DescMethod, shape: Shape, values: FieldValues): Uint8Array {
  const { input } = method;
  const plain = plainRequest(method, values);
  if (shape.encoding === "binary")
    return Buffer.concat([
      toBinary(input, plain),
      ...shape.parts.map((part) => partRecords(part, 0, values)),
    ]);
  const json = toJson(input, plain) as JsonObject;
  return Buffer.from(messageJson(json, shape.parts, 0, values));
}

/**
 * Returns the wire records of one field: the field at position `level` of the part's path. The
 * decoder merges a message with an earlier message of the same field, so the fields of the plain
 * request stay.
 */
function partRecords(part: Part, level: number, values: FieldValues): Uint8Array {
  const { path } = part.target;
  const field = path[level];
  if (field === undefined || level === path.length - 1) return part.filling.fill(part.count).wire;
  const inner = partRecords(part, level + 1, values);
  const schema = field.message as DescMessage;
  const isList = field.fieldKind === "list";
  const item = isList
    ? Buffer.concat([toBinary(schema, plainMessage(schema, values)), inner])
    : inner;
  const one = record(field.number, item);
  return isList && isOutermostList(path, level) ? repeat(one, part.repeat, itemBytesMax) : one;
}

/** The maximum size of repeated items. Leaves room for the plain fields. */
const itemBytesMax = requestBytesMax - 4_096;

/** Writes a message as JSON. It is at position `level` of the paths of `parts`. */
function messageJson(
  plain: JsonObject,
  parts: readonly Part[],
  level: number,
  values: FieldValues,
): string {
  const unknown = parts.filter(({ target }) => target.path.length === level);
  const filled = new Map<DescField, Part[]>();
  for (const part of parts) {
    const field = part.target.path[level];
    if (field !== undefined) filled.set(field, [...(filled.get(field) ?? []), part]);
  }
  const members: string[] = [];
  const filledNames = new Set<string>();
  for (const [field, ofField] of filled) {
    const value = fieldJson(field, plain, ofField, level, values);
    if (value === undefined) continue;
    members.push(`${JSON.stringify(field.jsonName)}:${value}`);
    for (const name of field.oneof?.fields ?? [field]) filledNames.add(name.jsonName);
  }
  for (const [name, value] of Object.entries(plain))
    if (!filledNames.has(name)) members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  for (const part of unknown) {
    const { json = "{}" } = part.filling.fill(part.count);
    if (json.length > 2) members.push(json.slice(1, -1));
  }
  return `{${members.join(",")}}`;
}

function fieldJson(
  field: DescField,
  plain: JsonObject,
  parts: readonly Part[],
  level: number,
  values: FieldValues,
): string | undefined {
  const leaf = parts.findLast(({ target }) => target.path.length === level + 1);
  if (leaf !== undefined) return leaf.filling.fill(leaf.count).json;
  const schema = field.message as DescMessage;
  if (field.fieldKind !== "list") {
    const own = (plain[field.jsonName] ?? {}) as JsonObject;
    return messageJson(own, parts, level + 1, values);
  }
  const itemPlain = toJson(schema, plainMessage(schema, values)) as JsonObject;
  const items = parts.map((part) => {
    const item = messageJson(itemPlain, [part], level + 1, values);
    const count = isOutermostList(part.target.path, level) ? part.repeat : 1;
    return repeatText(`${item},`, count - 1, itemBytesMax - item.length) + item;
  });
  return `[${items.join(",")}]`;
}

function isOutermostList(path: readonly DescField[], level: number): boolean {
  return path.findIndex(({ fieldKind }) => fieldKind === "list") === level;
}
