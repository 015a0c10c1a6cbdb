import {
  type DescField,
  type DescMessage,
  getOption,
  isFieldSet,
  type Message,
} from "@bufbuild/protobuf";
import { type Path, pathToString } from "@bufbuild/protobuf/reflect";
import type { Violation } from "@bufbuild/protovalidate";
import {
  type FieldRules,
  field as fieldRules,
  message as messageRules,
  type StringRules,
  StringRulesSchema,
} from "#gen/buf/validate/validate_pb.js";
import { fieldValue } from "./field-value.js";

/**
 * Returns the path of the field that breaks a rule. For a rule that only one of several fields may
 * be set, returns the path of the first of them.
 *
 * @param schema the type of the request
 */
export function pathOfViolation(
  { field, ruleId, message }: Violation,
  schema: DescMessage,
): string {
  const path = pathToString(field);
  if (ruleId !== "message.oneof") return path;
  const owner = field.findLast((part) => part.kind === "field")?.message ?? schema;
  const broken = getOption(owner, messageRules).oneof.find(({ fields }) =>
    message.includes(fields.join(", ")),
  );
  return [path, broken?.fields[0] ?? ""].filter((part) => part !== "").join(".");
}

/** Describes a broken rule: what is allowed, and what the request has. */
export function describeViolation(
  { field: path, ruleId, message: ruleText }: Violation,
  message: Message,
): string {
  const last = path.at(-1);
  if (last?.kind === "oneof")
    return `one of ${last.fields.map(({ name }) => name).join(", ")} is required`;
  if (ruleId === "required") return "is required";
  const field = path.findLast((part) => part.kind === "field");
  const rules = field && rulesOf(field, last?.kind === "list_sub");
  const value = valueAt(message, path);
  const type = rules?.type;
  if (ruleId === "string.pattern") return "must not be white space alone";
  if (type?.case === "string" && ruleId.startsWith("string."))
    return `must have ${byteRange(type.value)} bytes of UTF-8, but has ${byteCount(value)}`;
  const allowed = allowedNumbers(rules);
  if (allowed !== undefined) return `must be ${allowed}, but is ${String(value)}`;
  if (type?.case === "enum")
    return `must be one of ${allowedNames(field, rules)}, but is ${String(value)}`;
  return typeof value === "number" || typeof value === "boolean"
    ? `${ruleText}, but is ${value}`
    : ruleText;
}

/** Returns the rules of a field, or of the items of a list. */
export function rulesOf(field: DescField, ofItem: boolean): FieldRules | undefined {
  const rules = getOption(field, fieldRules);
  if (!ofItem) return rules;
  return rules.type.case === "repeated" ? rules.type.value.items : undefined;
}

function valueAt(message: Message, path: Path): unknown {
  let value: unknown = message;
  for (const part of path) {
    if (part.kind === "field") value = fieldValue(value as Message, part);
    else if (part.kind === "list_sub") value = (value as readonly unknown[])[part.index];
  }
  return value;
}

function byteCount(value: unknown): string {
  return count(Buffer.byteLength(String(value)));
}

function byteRange(rules: StringRules): string {
  const { minBytes, maxBytes } = StringRulesSchema.field;
  return range(
    isFieldSet(rules, minBytes) ? rules.minBytes : undefined,
    isFieldSet(rules, maxBytes) ? rules.maxBytes : undefined,
  );
}

function range(from: number | bigint | undefined, to: number | bigint | undefined): string {
  if (from === undefined) return `at most ${count(to ?? 0)}`;
  return to === undefined ? `at least ${count(from)}` : `${count(from)} to ${count(to)}`;
}

function count(value: number | bigint): string {
  return value.toLocaleString("en");
}

/** Describes the range of a number; `undefined` if no rule limits it. */
export function allowedNumbers(rules: FieldRules | undefined): string | undefined {
  const type = rules?.type;
  if (type?.case !== "int32" && type?.case !== "int64" && type?.case !== "double") return undefined;
  const { greaterThan, lessThan } = type.value;
  if (greaterThan.case === undefined && lessThan.case === undefined) return undefined;
  return range(greaterThan.value, lessThan.value);
}

/** Returns the names of an enum that its rules allow. */
export function allowedNames(field: DescField | undefined, rules: FieldRules | undefined): string {
  const refused = rules?.type.case === "enum" ? rules.type.value.notIn : [];
  const values = field?.enum?.values ?? [];
  return values
    .filter(({ number }) => !refused.includes(number))
    .map(({ name }) => name)
    .join(", ");
}
