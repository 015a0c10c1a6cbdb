// Generates Rust code about requests: functions that build them, and the checks of their numbers.
import { ScalarType } from "@bufbuild/protobuf";
import { commentParagraphs } from "../api-docs-rules.mjs";
import { isRequired, pascalCase, snakeCase } from "./definitions.mjs";
import { wrapText } from "./doc-comment.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */
/**
 * A message that a caller builds. `known` has the fields that handles fill in.
 * @typedef {{ message: DescMessage, known: ReadonlySet<string> }} CallerMessage
 */

/** Messages that have no generated functions. */
const wellKnown = /^google\.protobuf\./;

/**
 * Returns the module of the stubs with a `new` for the required fields of each message that a
 * caller builds, and a `with_…` for each field.
 * @param {readonly Handle[]} handles
 */
export function buildersModule(handles) {
  const parts = callerMessages(handles).map(
    ({ message, known }) => `impl ${message.name} {
${functionsOf(message, known).join("\n")}}
`,
  );
  return `use super::v1::*;

${parts.join("\n")}`;
}

/**
 * @param {DescMessage} message
 * @param {ReadonlySet<string>} known
 */
function functionsOf(message, known) {
  const fields = message.fields.filter(({ name }) => !known.has(name));
  const required = fields.filter(isRequired);
  const creation =
    required.length === 0
      ? []
      : [
          `    /// Returns a message with its required fields.
    pub fn new(${required.map((field) => `${field.name}: ${parameterOf(field).type}`).join(", ")}) -> Self {
        Self::default()${required.map(({ name }) => `.with_${name}(${name})`).join("")}
    }
`,
        ];
  return [...creation, ...fields.map((field) => setterText(message, field))];
}

/**
 * @param {DescMessage} message
 * @param {DescField} field
 */
function setterText(message, field) {
  const { type, value, isOptional } = parameterOf(field);
  const [paragraph = ""] = commentParagraphs(field);
  const comment = wrapText(`Sets \`${field.name}\`. ${paragraph}`, 8);
  const { oneof } = field;
  const assigned =
    oneof === undefined
      ? `self.${field.name} = ${isOptional ? `Some(${value})` : value};`
      : `self.${oneof.name} = Some(${snakeCase(message.name)}::${pascalCase(oneof.name)}::${pascalCase(field.name)}(${value}));`;
  return `${comment.map((line) => `    /// ${line}`).join("\n")}
    pub fn with_${field.name}(mut self, ${field.name}: ${type}) -> Self {
        ${assigned}
        self
    }
`;
}

/**
 * Returns the type of the parameter for a field, and the expression that converts it.
 * @param {DescField} field
 */
function parameterOf(field) {
  const { name, message } = field;
  const isOptional =
    field.fieldKind !== "list" &&
    field.oneof === undefined &&
    (message !== undefined || field.proto.proto3Optional);
  if (message?.typeName === "google.protobuf.Struct" && field.fieldKind !== "list")
    return {
      type: "impl IntoIterator<Item = (impl Into<String>, impl Into<::prost_types::Value>)>",
      value: `::prost_types::Struct { fields: ${name}.into_iter().map(|(key, value)| (key.into(), value.into())).collect() }`,
      isOptional,
    };
  if (message?.typeName === "google.protobuf.FieldMask")
    return {
      type: "impl IntoIterator<Item = impl Into<String>>",
      value: `::prost_types::FieldMask { paths: ${name}.into_iter().map(Into::into).collect() }`,
      isOptional,
    };
  const single = singleType(field);
  if (field.fieldKind === "list") {
    const convert = field.enum || single.startsWith("impl") ? ".map(Into::into)" : "";
    return {
      type: `impl IntoIterator<Item = ${single}>`,
      value: `${name}.into_iter()${convert}.collect()`,
      isOptional,
    };
  }
  const isConverted = field.enum !== undefined || single.startsWith("impl");
  return { type: single, value: isConverted ? `${name}.into()` : name, isOptional };
}

/** @param {DescField} field */
function singleType(field) {
  if (field.enum) return field.enum.name;
  if (field.message)
    return `impl Into<${field.message.typeName.startsWith("google.protobuf.") ? `::prost_types::${field.message.name}` : field.message.name}>`;
  if (field.scalar === ScalarType.STRING || field.scalar === undefined) return "impl Into<String>";
  const type = scalarTypes[field.scalar];
  if (type === undefined) throw new Error(`${field.toString()}: no Rust type for its scalar`);
  return type;
}

/** @type {Partial<Record<ScalarType, string>>} */
const scalarTypes = {
  [ScalarType.DOUBLE]: "f64",
  [ScalarType.FLOAT]: "f32",
  [ScalarType.INT64]: "i64",
  [ScalarType.INT32]: "i32",
  [ScalarType.BOOL]: "bool",
};

/**
 * Returns the module of the client that finds numbers that have lost digits in each message that a
 * caller builds.
 * @param {readonly Handle[]} handles
 */
export function numbersModule(handles) {
  const requests = handles.flatMap(({ methods }) => methods.map(({ request }) => request));
  const messages = [
    ...new Map(
      [...requests, ...callerMessages(handles).map(({ message }) => message)].map((message) => [
        message.name,
        message,
      ]),
    ).values(),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = messages.map((message) => {
    const checks = message.fields
      .filter((field) => field.oneof === undefined && field.message && holdsStruct(field.message))
      .map(({ name }) => `self.${name}.lost_number(&joined(path, "${name}"))`)
      .concat(message.oneofs.flatMap((oneof) => oneofCheck(message, oneof)));
    if (checks.length === 0) return `impl Numbers for v1::${message.name} {}\n`;
    const [check = "", ...others] = checks;
    // A call cannot follow a `match` that begins a statement.
    const first = others.length > 0 && check.startsWith("match ") ? `(${check})` : check;
    return `impl Numbers for v1::${message.name} {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        ${[first, ...others.map((check) => `.or_else(|| ${check})`)].join("\n            ")}
    }
}
`;
  });
  return `use vademecum_stubs::v1;

use crate::numbers::{joined, LostNumber, Numbers};

${parts.join("\n")}`;
}

/**
 * Returns the check of the messages in a oneof, if one of them has a `Struct`.
 * @param {DescMessage} message
 * @param {DescMessage["oneofs"][number]} oneof
 * @returns {string[]}
 */
function oneofCheck(message, oneof) {
  const held = oneof.fields.filter((field) => field.message && holdsStruct(field.message));
  if (held.length === 0) return [];
  const kind = `v1::${snakeCase(message.name)}::${pascalCase(oneof.name)}`;
  const arms = held.map(
    ({ name }) =>
      `Some(${kind}::${pascalCase(name)}(value)) => value.lost_number(&joined(path, "${name}")),`,
  );
  return [`match &self.${oneof.name} { ${arms.join(" ")} _ => None }`];
}

/**
 * Whether a message has a `Struct` at any depth.
 * @param {DescMessage} message
 * @param {ReadonlySet<DescMessage>} [outer]
 * @returns {boolean}
 */
function holdsStruct(message, outer = new Set()) {
  if (message.typeName === "google.protobuf.Struct") return true;
  if (wellKnown.test(message.typeName) || outer.has(message)) return false;
  const seen = new Set([...outer, message]);
  return message.fields.some((field) => field.message && holdsStruct(field.message, seen));
}

/**
 * Returns the messages that callers build: those of arguments, at any depth.
 * @param {readonly Handle[]} handles
 * @returns {CallerMessage[]}
 */
function callerMessages(handles) {
  /** @type {Map<string, { message: DescMessage, known: Set<string> }>} */
  const found = new Map();
  /** @type {DescField[]} */
  const waiting = [];
  for (const { argument, handleFields, callerFields } of handles.flatMap((it) => it.methods)) {
    const filled = handleFields.map(({ name }) => name);
    const before = found.get(argument.name)?.known;
    const known = before === undefined ? filled : filled.filter((name) => before.has(name));
    found.set(argument.name, { message: argument, known: new Set(known) });
    waiting.push(...callerFields);
  }
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    const { message } = field;
    if (message === undefined || wellKnown.test(message.typeName)) continue;
    if (found.has(message.name)) continue;
    found.set(message.name, { message, known: new Set() });
    waiting.push(...message.fields);
  }
  return [...found.values()].sort((a, b) => (a.message.name < b.message.name ? -1 : 1));
}
