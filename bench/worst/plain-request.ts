import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { field as fieldRules, oneof as oneofRules } from "#gen/buf/validate/validate_pb.js";

/** Values of fields by name. The first is used unless a shape chooses another. */
export type FieldValues = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a valid request that reads the records of `values`. It has little more than the required
 * fields. A text field that `values` does not name gets a short text.
 */
export function plainRequest({ input }: DescMethod, values: FieldValues): Message {
  return plainMessage(input, values);
}

/** Returns a message as `plainRequest` does. */
export function plainMessage(schema: DescMessage, values: FieldValues): Message {
  return create(schema, initOf(schema, values) as never);
}

function initOf(schema: DescMessage, values: FieldValues): Record<string, unknown> {
  const init: Record<string, unknown> = {};
  for (const member of schema.members) {
    if (member.kind === "oneof") {
      const field =
        member.fields.find(({ name }) => name in values) ??
        (getOption(member, oneofRules).required ? member.fields[0] : undefined);
      if (field !== undefined)
        init[member.localName] = { case: field.localName, value: plainValue(field, values) };
    } else if (isNeeded(member, values)) init[member.localName] = plainValue(member, values);
  }
  return init;
}

/** Whether a request needs the field: by the rules, or to find a record. */
function isNeeded(field: DescField, values: FieldValues): boolean {
  const { required, type } = getOption(field, fieldRules);
  if (required) return true;
  if (field.fieldKind === "list") return type.case === "repeated" && type.value.minItems > 0n;
  if (field.fieldKind === "message") return field.name === "namespace";
  if (field.proto.proto3Optional) return false;
  if (field.fieldKind === "enum") return type.case === "enum" && type.value.notIn.length > 0;
  if (field.name in values) return true;
  return type.case === "string" && type.value.minBytes > 0n;
}

function plainValue(field: DescField, values: FieldValues): unknown {
  if (field.fieldKind === "list") {
    if (field.message !== undefined) return [initOf(field.message, values)];
    return field.scalar === ScalarType.STRING ? [...(values[field.name] ?? ["x"])] : [];
  }
  if (field.message !== undefined) return initOf(field.message, values);
  if (field.fieldKind === "enum") return 1;
  if (field.scalar === ScalarType.STRING) return values[field.name]?.[0] ?? "x";
  if (field.scalar === ScalarType.BOOL) return true;
  if (field.scalar === ScalarType.INT64) return 1n;
  return 1;
}
