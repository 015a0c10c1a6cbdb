// Describes in words the limits and defaults of a field, a message or a call. Takes them from the
// validation rules and the comments in the `.proto` files.
import { getOption, hasOption } from "@bufbuild/protobuf";
import { isReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { getComments } from "@bufbuild/protoplugin";
import {
  field as fieldRules,
  file_buf_validate_validate,
  message as messageRules,
  oneof as oneofRules,
} from "#gen/buf/validate/validate_pb.js";

/** @typedef {import("@bufbuild/protobuf").DescEnum} DescEnum */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */
/** @typedef {import("@bufbuild/protobuf").Message} Message */
/** @typedef {import("#gen/buf/validate/validate_pb.js").FieldRules} FieldRules */
/** @typedef {Parameters<typeof getComments>[0]} Definition */
/** @typedef {ReturnType<typeof setFields>} FieldValues The values of fields, by name. */
/** @typedef {ReturnType<FieldValues["get"]>} Bound */

/**
 * Returns the comment before a definition as paragraphs of one line each. An item of a list is a
 * paragraph that starts with `- `.
 * @param {Definition} definition
 */
export function commentParagraphs(definition) {
  return (getComments(definition).leading ?? "")
    .split(/\n\s*\n|\n(?=\s*- )/)
    .map((paragraph) => paragraph.trim().replaceAll(/\s*\n\s*/g, " "))
    .filter((paragraph) => paragraph !== "");
}

/** @param {string} paragraph A paragraph of a comment. */
export function isListItem(paragraph) {
  return paragraph.startsWith("- ");
}

/** @param {Definition} definition */
function sentences(definition) {
  return commentParagraphs(definition).flatMap((paragraph) =>
    paragraph.replace(/^- /, "").split(/(?<=\.)\s+(?=[A-Z`])/),
  );
}

/**
 * Returns the sentences of a comment that state a default.
 * @param {Definition} definition
 */
export function defaultSentences(definition) {
  return sentences(definition).filter((sentence) =>
    /^(Default|Unset|Empty|Not given)\b/.test(sentence),
  );
}

/**
 * Returns the sentences of a comment that state a limit.
 * @param {Definition} definition
 */
export function limitSentences(definition) {
  const limit = /\b(at most|up to|more than|kept for|for \d+ hours|ends after|levels deep)\b/i;
  const amount = /\d|\b(two|three|four|five|ten)\b/;
  return sentences(definition).filter(
    (sentence) =>
      limit.test(sentence) && amount.test(sentence) && !/^(Default|Unset|Empty)\b/.test(sentence),
  );
}

/**
 * Describes the validation rules of a field. Returns an empty string if the field has none.
 * @param {DescField} field
 */
export function fieldRuleText(field) {
  return hasOption(field, fieldRules) ? rulesInWords(getOption(field, fieldRules), field.enum) : "";
}

/**
 * Describes the validation rules of a message. Each of these rules is about several fields.
 * @param {DescMessage} message
 */
export function messageRuleTexts(message) {
  const oneofs = message.oneofs.filter(
    (oneof) => hasOption(oneof, oneofRules) && getOption(oneof, oneofRules).required,
  );
  const { cel, oneof: plain } = getOption(message, messageRules);
  const names = [
    ...oneofs.map((oneof) => ({ how: "exactly", fields: oneof.fields.map(({ name }) => name) })),
    ...plain.map(({ fields, required }) => ({ how: required ? "exactly" : "at most", fields })),
  ];
  return [
    ...names.map(
      ({ how, fields }) => `${how} one of ${fields.map((name) => `\`${name}\``).join(", ")}`,
    ),
    ...cel.map((rule) => rule.message),
  ];
}

/**
 * Describes the validation rules of a field. Throws for a rule that it cannot describe, so that
 * docs/reference/api.md has all rules.
 * @param {FieldRules} rules
 * @param {DescEnum | undefined} valueType The enum of the field, if the field has an enum type.
 */
function rulesInWords(rules, valueType) {
  const given = setFields(rules);
  const parts = [
    given.get("required") && "required",
    given.has("ignore") && "the reply describes faults; they do not fail the call",
  ];
  parts.push(...rules.cel.map((rule) => rule.message));
  for (const name of ["required", "ignore", "cel"]) given.delete(name);
  for (const value of given.values()) {
    const typeRules = setFields(messageIn(value));
    parts.push(
      countText(typeRules),
      lengthText(typeRules),
      rangeText(typeRules),
      typeRules.get("const") && "must be true",
      // All patterns in the `.proto` files have this meaning.
      typeRules.has("pattern") && "not white space alone",
    );
    if (typeRules.has("items")) {
      const itemRules = /** @type {FieldRules} */ (messageIn(typeRules.get("items")));
      parts.push(`each ${rulesInWords(itemRules, valueType)}`);
    }
    if (typeRules.has("not_in")) {
      const refused = /** @type {Iterable<number>} */ (typeRules.get("not_in"));
      parts.push(`a named value, not ${refusedNames(refused, valueType)}`);
    }
    const worded = [
      ...["min_items", "max_items", "items", "min_bytes", "max_bytes", "max_len", "gte", "lte"],
      "const",
      "not_in",
      "defined_only",
      "finite",
      "pattern",
    ];
    const wordless = [...typeRules.keys()].filter((name) => !worded.includes(name));
    if (wordless.length > 0)
      throw new Error(
        `api-docs-rules.mjs has no words for the rules ${wordless.join(", ")}: add them`,
      );
    if (typeRules.has("defined_only") && !typeRules.has("not_in")) parts.push("a named value");
    if (typeRules.has("finite") && !typeRules.has("gte")) parts.push("a finite number");
  }
  return parts.filter(Boolean).join(", ");
}

/**
 * Returns the names of the enum values that a rule refuses. The value 0 is called UNSPECIFIED.
 * @param {Iterable<number>} numbers
 * @param {DescEnum | undefined} valueType
 */
function refusedNames(numbers, valueType) {
  return [...numbers]
    .map((number) => (number === 0 ? "UNSPECIFIED" : `\`${valueType?.value[number]?.name}\``))
    .join(" or ");
}

/**
 * Returns the message that is the value of a field.
 * @param {Bound} value
 */
function messageIn(value) {
  if (!isReflectMessage(value)) throw new Error("the value of a rule is not a message");
  return value.message;
}

/**
 * Returns the fields that are set in a message of validate.proto, by name.
 * @param {Message} message
 */
function setFields(message) {
  const schema = file_buf_validate_validate.messages.find(
    ({ typeName }) => typeName === message.$typeName,
  );
  if (schema === undefined) throw new Error(`validate.proto defines no ${message.$typeName}`);
  const reflected = reflect(schema, message);
  return new Map(
    schema.fields
      .filter((field) => reflected.isSet(field))
      .map((field) => [field.name, reflected.get(field)]),
  );
}

/** @param {FieldValues} rules */
function countText(rules) {
  return spanText(rules.get("min_items"), rules.get("max_items"), "items");
}

/** @param {FieldValues} rules */
function lengthText(rules) {
  return spanText(rules.get("min_bytes"), rules.get("max_bytes") ?? rules.get("max_len"), "bytes");
}

/** @param {FieldValues} rules */
function rangeText(rules) {
  return spanText(rules.get("gte"), rules.get("lte"), "");
}

/**
 * @param {Bound} least
 * @param {Bound} most
 * @param {string} unit
 */
function spanText(least, most, unit) {
  const [from, to] = [least, most].map((bound) =>
    typeof bound === "number" || typeof bound === "bigint"
      ? bound.toLocaleString("en-US")
      : undefined,
  );
  if (from === undefined && to === undefined) return "";
  const span =
    from === undefined
      ? `at most ${to}`
      : to === undefined
        ? `at least ${from}`
        : `${from} to ${to}`;
  return `${span} ${unit}`.trim();
}
