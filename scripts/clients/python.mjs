// Generates the handles of the Python client, once for asyncio and once for blocking calls. A
// method of a handle takes each field of its request as an argument.
import { ScalarType } from "@bufbuild/protobuf";
import { commentParagraphs, isListItem } from "../api-docs-rules.mjs";
import { handlesComment, isAlternative, isRequired, snakeCase } from "./definitions.mjs";
import { wrapParagraphs, wrapText } from "./doc-comment.mjs";
import { argumentTypesModule, typeText } from "./python-types.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("./definitions.mjs").Method} Method */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("./python-types.mjs").TypeImports} TypeImports */
/**
 * @typedef {(file: string, name: string) => string} Use Adds a name of a file to the imports and
 * returns the name.
 */

const heading = "# Generated from the definitions by `npm run generate`. Do not edit.";

/**
 * Returns the generated files of the client by their paths in clients/python.
 * @param {readonly Handle[]} handles
 */
export function pythonFiles(handles) {
  return handles
    .flatMap((handle) => [
      [`src/vademecum/_async/${snakeCase(handle.name)}.py`, module(handle, true)],
      [`src/vademecum/_sync/${snakeCase(handle.name)}.py`, module(handle, false)],
    ])
    .concat(
      ["_async", "_sync"].map((part) => [
        `src/vademecum/${part}/handles.py`,
        handlesModule(handles),
      ]),
      [["src/vademecum/types.py", `${heading}\n${argumentTypesModule(handles)}`]],
    );
}

/**
 * Returns the file of the class `Handles`, the base class of clients, which creates the handles.
 * @param {readonly Handle[]} handles
 */
function handlesModule(handles) {
  const methods = handles.map((handle) => {
    const parameters = handle.scope.map(({ name }) => `, ${name}: str`).join("");
    const parameterComments = handle.scope.map(
      ({ name, comment }) =>
        `            ${name}: ${comment.charAt(0).toUpperCase()}${comment.slice(1)}.`,
    );
    return `    def ${snakeCase(handle.name)}(self${parameters}) -> ${handle.name}:
        """Returns a handle for the calls of ${handle.service}.${parameterComments.length > 0 ? `\n\n        Args:\n${parameterComments.join("\n")}\n        ` : ""}"""
        return ${handle.name}(${["self._calls", ...handle.scope.map(({ name }) => name)].join(", ")})
`;
  });
  return `${heading}
from .calls import Calls
${handles.map(({ name }) => `from .${snakeCase(name)} import ${name}\n`).join("")}

class Handles:
${docString([handlesComment], "    ")}

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

${methods.join("\n")}`;
}

/**
 * @param {Handle} handle
 * @param {boolean} isAsync
 */
function module(handle, isAsync) {
  const types = new Map();
  /**
   * Adds a message, enum or stub to the imports and returns its name.
   * @param {string} file
   * @param {string} name
   */
  const use = (file, name) => {
    const path = `${file.replaceAll("/", ".")}_pb2`;
    types.set(path, new Set([...(types.get(path) ?? []), name]));
    return name;
  };
  /** @type {Set<string>} */
  const argumentTypes = new Set();
  const methods = handle.methods.map((method) =>
    methodText(method, isAsync, use, (name) => {
      argumentTypes.add(name);
      return name;
    }),
  );
  // For asyncio, the stub and its channel are created by the first call.
  const stub = isAsync
    ? `    @cached_property
    def _stub(self) -> "${handle.service}AsyncStub":
        return ${handle.service}Stub(self._calls.channel)

`
    : "";
  const hasNamespace = handle.scope.some(({ name }) => name === "agent_id");
  if (hasNamespace) use("vademecum/v1/memory", "Namespace");
  const body = methods.join("\n");
  const parameters = handle.scope.map(({ name }) => `, ${name}: str`).join("");
  const derived = hasNamespace ? ["namespace = Namespace(user_id=user_id, agent_id=agent_id)"] : [];
  const attributes = [...derived, ...handle.scope.map(({ name }) => `${name} = ${name}`)];
  return `${heading}
${importLines(handle, isAsync, body, { types, argumentTypes }).join("\n")}


class ${handle.name}:
${docString(handle.comments, "    ")}

    def __init__(self, calls: Calls${parameters}) -> None:
        self._calls = calls
${isAsync ? "" : `        self._stub = ${handle.service}Stub(calls.channel)\n`}${attributes.map((line) => `        self._${line}\n`).join("")}
${stub}${body}`;
}

/**
 * Returns the import statements of a module.
 * @param {Handle} handle
 * @param {boolean} isAsync
 * @param {string} body The methods of the class.
 * @param {{ types: ReadonlyMap<string, Set<string>>, argumentTypes: ReadonlySet<string> }} used
 *   The names of stubs by their modules, and the names of the module of argument types.
 */
function importLines(handle, isAsync, body, { types, argumentTypes }) {
  return [
    ...(body.includes("datetime") ? ["from datetime import datetime"] : []),
    `from collections.abc import ${["Iterable", "Mapping", "Sequence"].filter((name) => body.includes(`${name}[`)).join(", ")}`,
    ...(isAsync ? ["from functools import cached_property"] : []),
    `from typing import ${[...(isAsync ? ["TYPE_CHECKING"] : []), ...(body.includes("Any") ? ["Any"] : [])].join(", ")}`,
    "",
    ...(body.includes("Timestamp |")
      ? ["from google.protobuf.timestamp_pb2 import Timestamp"]
      : []),
    ...[...types]
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(
        ([path, names]) => `from ${path} import ${[...names].sort(compareCodePoints).join(", ")}`,
      ),
    `from ${handle.file.replaceAll("/", ".")}_pb2_grpc import ${handle.service}Stub`,
    "",
    `from .calls import ${["Calls", ...["ResponseStream", "SearchStream"].filter((name) => body.includes(name))].join(", ")}`,
    ...(body.includes("new_idempotency_key")
      ? ["from .._idempotency_key import new_idempotency_key"]
      : []),
    "from .._requests import new_request",
    ...(argumentTypes.size > 0
      ? [`from ..types import ${[...argumentTypes].sort(compareCodePoints).join(", ")}`]
      : []),
    // The stub class for asyncio exists only for type checkers.
    ...(isAsync
      ? [
          "",
          "if TYPE_CHECKING:",
          `    from ${handle.file.replaceAll("/", ".")}_pb2_grpc import ${handle.service}AsyncStub`,
        ]
      : []),
  ].filter((line) => !line.endsWith("import "));
}

/**
 * Compares two strings for a sort that does not depend on the locale.
 * @param {string} a
 * @param {string} b
 */
function compareCodePoints(a, b) {
  return a < b ? -1 : 1;
}

/**
 * @param {Method} method
 * @param {boolean} isAsync
 * @param {Use} use
 * @param {(name: string) => string} useArgumentType
 */
function methodText(method, isAsync, use, useArgumentType) {
  const message = use(method.argument.file.name, method.argument.name);
  const isSearch = method.name === "Search";
  const response = isSearch ? "" : use(method.response.file.name, method.response.name);
  const { callerFields } = method;
  const types = { use, useArgumentType };
  const positional = positionalFields(callerFields);
  const parameters = [
    ...positional.map((field, at) =>
      parameter(field, types, fallbackOf(field, positional.slice(0, at).every(isRequired))),
    ),
    "*",
    ...callerFields
      .filter((field) => !positional.includes(field))
      .map((field) => parameter(field, types)),
    "timeout: float | None = None",
  ];
  const resultType = isSearch
    ? "SearchStream"
    : method.isStream
      ? `ResponseStream[${response}]`
      : response;
  const fields = [
    ...method.handleFields.map((field) => `${field.name}=self._${field.name}`),
    ...callerFields.map((field) => `${field.name}=${argumentText(field)}`),
  ];
  const request = method.wrapsSearch
    ? `${use(method.request.file.name, method.request.name)}(search=new_request(`
    : "new_request(";
  const call = `self._calls.${method.isStream ? "stream" : "unary"}("${method.service.name}.${method.name}", self._stub.${method.name}, message, timeout)`;
  const result = isSearch
    ? `SearchStream(${call})`
    : `${!method.isStream && isAsync ? "await " : ""}${call}`;
  const fill = method.fillsSearch
    ? "        message.search.namespace.CopyFrom(self._namespace)\n"
    : "";
  return `    ${isAsync && !method.isStream ? "async " : ""}def ${method.snakeName}(
        self,
${parameters.map((line) => `        ${line},\n`).join("")}    ) -> ${resultType}:
${docString([...method.comments, ...fieldComments(callerFields)], "        ")}
        message = ${request}
            ${message},
${fields.map((line) => `            ${line},\n`).join("")}        ${method.wrapsSearch ? "))" : ")"}
${fill}        return ${result}
`;
}

/**
 * Returns the default of a field that a caller may pass by position. A parameter without a default
 * cannot follow one with a default. `undefined`: None is the default.
 * @param {DescField} field
 * @param {boolean} followsRequired whether the parameters before it have no default
 */
function fallbackOf(field, followsRequired) {
  if (!isRequired(field)) return ' = ""';
  return followsRequired ? "" : undefined;
}

/**
 * Returns the fields that a caller may pass by position: first the required fields, then strings
 * that have the empty string as their default. A string that another field can replace, such as an
 * id, comes before both.
 * @param {readonly DescField[]} fields
 */
function positionalFields(fields) {
  /** @param {DescField} field */
  const isText = (field) =>
    field.scalar === ScalarType.STRING &&
    field.fieldKind === "scalar" &&
    field.name !== "page_token";
  /** @param {DescField} field */
  const hasPresence = (field) => field.oneof !== undefined || field.proto.proto3Optional;
  const texts = fields.filter(
    (field) => isText(field) && !hasPresence(field) && !isRequired(field),
  );
  return [
    ...texts.filter(isAlternative),
    ...fields.filter(isRequired),
    ...texts.filter((field) => !isAlternative(field)),
  ];
}

/**
 * @param {DescField} field
 * @param {TypeImports} types
 * @param {string} [fallback]
 */
function parameter(field, types, fallback) {
  const type = typeText(field, types);
  if (fallback === undefined)
    return `${field.name}: ${type}${isPlainBoolean(field) ? " = False" : " | None = None"}`;
  return `${field.name}: ${type}${fallback}`;
}

/**
 * Whether a field is a boolean without presence. Its default is false, and the stubs accept no
 * None for it.
 * @param {DescField} field
 */
function isPlainBoolean(field) {
  return (
    field.scalar === ScalarType.BOOL &&
    !field.proto.proto3Optional &&
    field.oneof === undefined &&
    field.fieldKind === "scalar"
  );
}

/** @param {DescField} field */
function argumentText(field) {
  return field.name === "idempotency_key"
    ? "new_idempotency_key() if idempotency_key is None else idempotency_key"
    : field.name;
}

/** @param {readonly DescField[]} fields */
function fieldComments(fields) {
  return [
    "Args:",
    ...fields.flatMap((field) => {
      const [first = "", ...rest] = commentParagraphs(field);
      const fallback = field.name === "idempotency_key" ? " Default: a new key." : "";
      return [
        `    ${field.name}: ${first}${fallback}`,
        ...rest.map((paragraph) => `        ${paragraph}`),
      ];
    }),
    "    timeout: Timeout of the call in seconds. Default: the timeout of the client.",
  ];
}

/**
 * Returns a docstring. An empty line separates paragraphs, and comes before and after a list.
 *
 * A paragraph with an indent of 4 spaces begins the comment of an argument. It follows without an
 * empty line. The other paragraphs of such a comment have an indent of 8 spaces.
 * @param {readonly string[]} paragraphs
 * @param {string} indent
 */
function docString(paragraphs, indent) {
  const escaped = paragraphs.map((paragraph) => paragraph.replaceAll("\\", "\\\\"));
  const lines = escaped.flatMap((paragraph, index) => {
    const isNested = paragraph.startsWith("        ");
    const isItem = !isNested && paragraph.startsWith("    ");
    if (isNested || isListItem(paragraph)) {
      const isNext = isListItem(paragraph.trim()) && isListItem((escaped[index - 1] ?? "").trim());
      const itemIndent = isNested ? `${indent}        ` : indent;
      const lines = wrapParagraphs([paragraph.trim()], itemIndent.length);
      return [...(isNext ? [] : [""]), ...lines.map((line) => `${itemIndent}${line}`)];
    }
    const [first, ...rest] = wrapText(paragraph, indent.length + (isItem ? 8 : 3));
    return [
      ...(index === 0 || isItem ? [] : [""]),
      `${indent}${isItem ? "    " : ""}${first}`,
      ...rest.map((line) => `${indent}${isItem ? "        " : ""}${line}`),
    ];
  });
  return lines.length === 1
    ? `${indent}"""${escaped[0]}"""`
    : `${indent}"""${lines.join("\n").trimStart()}\n${indent}"""`;
}
