// Generates the types of the arguments of the Python client: a `Literal` with the names of each
// enum, and a `TypedDict` with the fields of each message that a caller can give as a dictionary.
import { ScalarType } from "@bufbuild/protobuf";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */
/** @typedef {import("@bufbuild/protobuf").DescEnum} DescEnum */
/**
 * Adds names to the imports of a module and returns the names: `use` a name of a `.proto` file,
 * `useArgumentType` a name of the module that this file generates.
 *
 * @typedef {object} TypeImports
 * @property {(file: string, name: string) => string} use
 * @property {(name: string) => string} useArgumentType
 */

/** The types of the well-known messages, which have no `TypedDict`. */
const wellKnownTypes = new Map([
  ["google.protobuf.Struct", "Mapping[str, Any]"],
  ["google.protobuf.Timestamp", "datetime | Timestamp"],
  ["google.protobuf.FieldMask", "Sequence[str] | FieldMask"],
]);

/**
 * Returns the type of an argument for a field.
 * @param {DescField} field
 * @param {TypeImports} types
 */
export function typeText(field, types) {
  const single = singleType(field, types);
  if (field.fieldKind !== "list") return single;
  // An array of numpy is no Sequence.
  return field.listKind === "scalar" && single === "float"
    ? `Iterable[${single}]`
    : `Sequence[${single}]`;
}

/**
 * @param {DescField} field
 * @param {TypeImports} types
 */
function singleType(field, { use, useArgumentType }) {
  if (field.enum)
    return `${use(field.enum.file.name, field.enum.name)} | ${useArgumentType(literalName(field.enum))}`;
  const { message } = field;
  if (message === undefined) return field.scalar === undefined ? "int" : scalarType(field.scalar);
  const wellKnown = wellKnownTypes.get(message.typeName);
  if (message.typeName === "google.protobuf.FieldMask") use(message.file.name, message.name);
  return (
    wellKnown ??
    `${use(message.file.name, message.name)} | ${useArgumentType(dictionaryName(message))}`
  );
}

/** @param {ScalarType} scalar */
function scalarType(scalar) {
  /** @type {Partial<Record<ScalarType, string>>} */
  const names = {
    [ScalarType.STRING]: "str",
    [ScalarType.BOOL]: "bool",
    [ScalarType.BYTES]: "bytes",
    [ScalarType.DOUBLE]: "float",
    [ScalarType.FLOAT]: "float",
  };
  return names[scalar] ?? "int";
}

/** @param {DescEnum} type */
function literalName(type) {
  return `${type.name}Name`;
}

/** @param {DescMessage} type */
function dictionaryName(type) {
  return `${type.name}Fields`;
}

/**
 * Returns the text of the module, without its heading.
 * @param {readonly Handle[]} handles
 */
export function argumentTypesModule(handles) {
  const { enums, messages } = typesOfArguments(handles);
  const imports = new Map();
  /** @type {TypeImports} */
  const types = {
    use(file, name) {
      const path = `${file.replaceAll("/", ".")}_pb2`;
      imports.set(path, new Set([...(imports.get(path) ?? []), name]));
      return name;
    },
    useArgumentType: (name) => name,
  };
  const dictionaries = messages.map((message) => dictionaryText(message, types));
  const lines = [...imports]
    .sort(([a], [b]) => compare(a, b))
    .map(([path, names]) => `from ${path} import ${[...names].sort(compare).join(", ")}`);
  const body = dictionaries.join("\n\n");
  const abstract = ["Iterable", "Mapping", "Sequence"].filter((name) => body.includes(`${name}[`));
  return `"""Types of arguments: the names of enum values, and the fields of messages as dictionaries.

In names of enum values, the prefix may be missing and case does not matter: \`MEMORY_TYPE_SEMANTIC\`
and \`semantic\` are the same.
"""

from __future__ import annotations

from collections.abc import ${abstract.join(", ")}
from datetime import datetime
from typing import Any, Literal, TypedDict

from google.protobuf.timestamp_pb2 import Timestamp
${lines.join("\n")}

${enums.map(literalText).join("\n")}


${body}`;
}

/** @param {DescEnum} type */
function literalText(type) {
  const named = type.values.filter(({ number }) => number !== 0);
  const names = [
    ...named.map(({ name }) =>
      name.replace(type.sharedPrefix?.toUpperCase() ?? "", "").toLowerCase(),
    ),
    ...named.map(({ name }) => name),
  ];
  return `${literalName(type)} = Literal[${names.map((name) => `"${name}"`).join(", ")}]`;
}

/**
 * @param {DescMessage} message
 * @param {TypeImports} types
 */
function dictionaryText(message, types) {
  const fields = message.fields.map((field) => `    ${field.name}: ${typeText(field, types)}\n`);
  return `class ${dictionaryName(message)}(TypedDict, total=False):
    """The fields of \`${message.typeName}\`."""

${fields.join("")}`;
}

/**
 * Returns the enums and messages of the arguments, at any depth, in the order of their names.
 * @param {readonly Handle[]} handles
 */
function typesOfArguments(handles) {
  /** @type {Map<string, DescEnum>} */
  const enums = new Map();
  /** @type {Map<string, DescMessage>} */
  const messages = new Map();
  const waiting = handles.flatMap(({ methods }) => methods.flatMap((it) => it.callerFields));
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    if (field.enum) enums.set(field.enum.name, field.enum);
    const { message } = field;
    if (message === undefined || wellKnownTypes.has(message.typeName)) continue;
    if (messages.has(message.name)) continue;
    messages.set(message.name, message);
    waiting.push(...message.fields);
  }
  return { enums: sorted(enums), messages: sorted(messages) };
}

/**
 * @template T
 * @param {ReadonlyMap<string, T>} byName
 */
function sorted(byName) {
  return [...byName].sort(([a], [b]) => compare(a, b)).map(([, type]) => type);
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : 1;
}
