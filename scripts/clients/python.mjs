// The handles of the Python client, once for asyncio and once without. Every field of a request is a keyword argument.
import { getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "#gen/buf/validate/validate_pb.js";
import { commentParagraphs } from "../api-docs-rules.mjs";
import { snakeCase } from "./definitions.mjs";

const heading = "# Made from the definitions by `npm run generate`: do not edit.";

/** The files of the client by their paths in clients/python. */
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
    );
}

/** The part of a client that makes its handles. */
function handlesModule(handles) {
  const methods = handles.map((handle) => {
    const parameters = handle.scope.map(({ name }) => `, ${name}: str`).join("");
    const about = handle.scope.map(
      ({ name, comment }) => `            ${name}: ${comment[0].toUpperCase()}${comment.slice(1)}.`,
    );
    return `    def ${snakeCase(handle.name)}(self${parameters}) -> ${handle.name}:
        """Calls of ${handle.service}.${about.length > 0 ? `\n\n        Args:\n${about.join("\n")}\n        ` : ""}"""
        return ${handle.name}(${["self._calls", ...handle.scope.map(({ name }) => name)].join(", ")})
`;
  });
  return `${heading}
from .calls import Calls
${handles.map(({ name }) => `from .${snakeCase(name)} import ${name}\n`).join("")}

class Handles:
    """The services of a server."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

${methods.join("\n")}`;
}

function module(handle, isAsync) {
  const types = new Map();
  /** Notes that the module needs a message, enum or stub. */
  const use = (file, name) => {
    const path = `${file.replaceAll("/", ".")}_pb2`;
    types.set(path, new Set([...(types.get(path) ?? []), name]));
    return name;
  };
  const methods = handle.methods.map((method) => methodText(method, isAsync, use));
  // The channel of asyncio is opened by the first call.
  const stub = isAsync
    ? `    @cached_property
    def _stub(self) -> "${handle.service}AsyncStub":
        return ${handle.service}Stub(self._calls.channel)

`
    : "";
  const hasNamespace = handle.scope.some(({ name }) => name === "agent_id");
  if (hasNamespace) use("vademecum/v1/memory", "Namespace");
  const body = methods.join("\n");
  const imports = [
    ...(body.includes("datetime") ? ["from datetime import datetime"] : []),
    `from collections.abc import ${["Iterable", "Mapping"].filter((name) => body.includes(`${name}[`)).join(", ")}`,
    ...(isAsync ? ["from functools import cached_property"] : []),
    `from typing import ${[...(isAsync ? ["TYPE_CHECKING"] : []), ...(body.includes("Any") ? ["Any"] : [])].join(", ")}`,
    "",
    ...(body.includes("Timestamp |")
      ? ["from google.protobuf.timestamp_pb2 import Timestamp"]
      : []),
    ...[...types]
      .sort(([a], [b]) => inOrder(a, b))
      .map(([path, names]) => `from ${path} import ${[...names].sort(inOrder).join(", ")}`),
    `from ${handle.file.replaceAll("/", ".")}_pb2_grpc import ${handle.service}Stub`,
    "",
    `from .calls import Calls, ResponseStream${body.includes("SearchStream") ? ", SearchStream" : ""}`,
    ...(body.includes("new_idempotency_key")
      ? ["from .._idempotency_key import new_idempotency_key"]
      : []),
    // The stub's type for asyncio is in its type stubs alone.
    ...(isAsync
      ? [
          "",
          "if TYPE_CHECKING:",
          `    from ${handle.file.replaceAll("/", ".")}_pb2_grpc import ${handle.service}AsyncStub`,
        ]
      : []),
  ].filter((line) => !line.endsWith("import "));
  const parameters = handle.scope.map(({ name }) => `, ${name}: str`).join("");
  const kept = hasNamespace ? ["namespace = Namespace(user_id=user_id, agent_id=agent_id)"] : [];
  const scope = [...kept, ...handle.scope.map(({ name }) => `${name} = ${name}`)];
  const text = `${heading}
${imports.join("\n")}


class ${handle.name}:
${docString(handle.comments, "    ")}

    def __init__(self, calls: Calls${parameters}) -> None:
        self._calls = calls
${isAsync ? "" : `        self._stub = ${handle.service}Stub(calls.channel)\n`}${scope.map((line) => `        self._${line}\n`).join("")}
${stub}${body}`;
  // What is not used would only be noise.
  return text.replace(
    "Calls, ResponseStream",
    body.includes("ResponseStream") ? "Calls, ResponseStream" : "Calls",
  );
}

/** The order of code points, which does not depend on a language. */
function inOrder(a, b) {
  return a < b ? -1 : 1;
}

function methodText(method, isAsync, use) {
  const message = use(method.argument.file.name, method.argument.name);
  const isSearch = method.name === "Search";
  const response = isSearch ? "" : use(method.response.file.name, method.response.name);
  const { given } = method;
  const leading = leadingFields(given);
  const parameters = [
    ...leading.map((field) => parameter(field, use, isRequired(field) ? "" : ' = ""')),
    "*",
    ...given.filter((field) => !leading.includes(field)).map((field) => parameter(field, use)),
    "timeout: float | None = None",
  ];
  const result = isSearch
    ? "SearchStream"
    : method.isStream
      ? `ResponseStream[${response}]`
      : response;
  const fields = [
    ...method.filled.map((field) => `${field.name}=self._${field.name}`),
    ...given.map((field) => `${field.name}=${argumentText(field)}`),
  ];
  const request = method.wrapsSearch
    ? `${use(method.request.file.name, method.request.name)}(search=${message}(`
    : `${message}(`;
  const call = `self._calls.${method.isStream ? "stream" : "unary"}(self._stub.${method.name}, request, timeout)`;
  const returned = isSearch
    ? `SearchStream(${call})`
    : `${!method.isStream && isAsync ? "await " : ""}${call}`;
  const fill = method.fillsSearch
    ? "        request.search.namespace.CopyFrom(self._namespace)\n"
    : "";
  return `    ${isAsync && !method.isStream ? "async " : ""}def ${method.snakeName}(
        self,
${parameters.map((line) => `        ${line},\n`).join("")}    ) -> ${result}:
${docString([...method.comments, ...fieldComments(given)], "        ")}
${exclusions(given)}        request = ${request}
${fields.map((line) => `            ${line},\n`).join("")}        ${method.wrapsSearch ? "))" : ")"}
${fill}        return ${returned}
`;
}

/** Checks what the stubs do not: of fields that exclude each other they would take the last. */
function exclusions(fields) {
  const choices = new Map(
    fields.map(({ oneof }) => [
      oneof,
      fields.filter((field) => field.oneof === oneof).map(({ name }) => name),
    ]),
  );
  return [...choices]
    .filter(([oneof, names]) => oneof !== undefined && names.length > 1)
    .map(
      ([, names]) => `        if [${names.join(", ")}].count(None) < ${names.length - 1}:
            raise ValueError("give only one of ${names.join(", ")}")
`,
    )
    .join("");
}

/** Fields that can be given by position: those that a request must have, then its plain texts. */
function leadingFields(fields) {
  const isText = (field) =>
    field.scalar === ScalarType.STRING &&
    field.fieldKind === "scalar" &&
    field.name !== "page_token";
  const hasPresence = (field) => field.oneof !== undefined || field.proto.proto3Optional;
  return [
    ...fields.filter(isRequired),
    ...fields.filter((field) => isText(field) && !hasPresence(field) && !isRequired(field)),
  ];
}

function isRequired(field) {
  if (field.oneof !== undefined || field.proto.proto3Optional) return false;
  if (!hasOption(field, fieldRules)) return false;
  const rules = getOption(field, fieldRules);
  if (rules.required) return true;
  const { case: kind, value } = rules.type;
  return (kind === "string" && value.minBytes > 0n) || (kind === "repeated" && value.minItems > 0n);
}

function parameter(field, use, fallback) {
  const type = typeText(field, use);
  if (fallback === undefined)
    return `${field.name}: ${type}${isPlainSwitch(field) ? " = False" : " | None = None"}`;
  return `${field.name}: ${type}${fallback}`;
}

/** A switch that cannot be absent: the stubs do not take None for it. */
function isPlainSwitch(field) {
  return (
    field.scalar === ScalarType.BOOL &&
    !field.proto.proto3Optional &&
    field.oneof === undefined &&
    field.fieldKind === "scalar"
  );
}

function argumentText(field) {
  return field.name === "idempotency_key"
    ? "new_idempotency_key() if idempotency_key is None else idempotency_key"
    : field.name;
}

function typeText(field, use) {
  const single = singleType(field, use);
  return field.fieldKind === "list" ? `Iterable[${single}]` : single;
}

function singleType(field, use) {
  if (field.enum) return `${use(field.enum.file.name, field.enum.name)} | str`;
  switch (field.message?.typeName) {
    case undefined:
      return scalarType(field.scalar);
    case "google.protobuf.Struct":
      return "Mapping[str, Any]";
    case "google.protobuf.Timestamp":
      return "datetime | Timestamp";
    default:
      return `${use(field.message.file.name, field.message.name)} | Mapping[str, Any]`;
  }
}

function scalarType(scalar) {
  const names = {
    [ScalarType.STRING]: "str",
    [ScalarType.BOOL]: "bool",
    [ScalarType.BYTES]: "bytes",
    [ScalarType.DOUBLE]: "float",
    [ScalarType.FLOAT]: "float",
  };
  return names[scalar] ?? "int";
}

function fieldComments(fields) {
  if (fields.length === 0) return [];
  return [
    "Args:",
    ...fields.map(
      (field) =>
        `    ${field.name}: ${commentParagraphs(field).join(" ")}${field.name === "idempotency_key" ? " Default: a new one." : ""}`,
    ),
    "    timeout: Seconds until the call is given up. Default: the client's.",
  ];
}

function docString(paragraphs, indent) {
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index === 0 || paragraph.startsWith("    ") ? [] : [""]),
    `${indent}${paragraph.replaceAll("\\", "\\\\")}`,
  ]);
  return lines.length === 1
    ? `${indent}"""${paragraphs[0]}"""`
    : `${indent}"""${lines.join("\n").trimStart()}\n${indent}"""`;
}
