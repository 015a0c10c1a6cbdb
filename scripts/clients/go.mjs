// Generates the handles of the Go client. A method of a handle copies its request and fills in the
// fields that the handle knows.

import { goModulePath } from "../go-module-host.mjs";
import { camelCase, handleDescription, pascalCase, snakeCase } from "./definitions.mjs";
import { lineComment } from "./doc-comment.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("./definitions.mjs").Method} Method */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */

const heading = "// Code generated from the definitions by `npm run generate`. DO NOT EDIT.";

/**
 * Returns the Go expression for the namespace of a handle.
 * @param {string} receiver
 */
function namespaceText(receiver) {
  return `&vademecumv1.Namespace{UserId: ${receiver}.userID, AgentId: ${receiver}.agentID}`;
}

/**
 * Returns the generated files of the client by their paths in clients/go.
 * @param {readonly Handle[]} handles
 */
export function goFiles(handles) {
  const files = handles.map((handle) => [`${snakeCase(handle.name)}.go`, module(handle)]);
  return [...files, ["internal/conformance/calls.go", callsModule(handles)]];
}

/** @param {Handle} handle */
function module(handle) {
  const usesProto = handle.methods.some((method) =>
    method.handleFields.some((field) => field.proto.proto3Optional),
  );
  const imports = [
    '\t"context"',
    "",
    ...(usesProto ? ['\t"google.golang.org/protobuf/proto"'] : []),
    `\tvademecumv1 "${goModulePath("gen/go")}/vademecum/v1"`,
  ];
  const parameters = handle.scope.map(({ name }) => goName(name)).join(", ");
  const width = Math.max(
    ...["calls", "stub", ...handle.scope.map(({ name }) => goName(name))].map(
      (name) => name.length,
    ),
  );
  /**
   * @param {string} name
   * @param {string} type
   */
  const member = (name, type) => `\t${name.padEnd(width)} ${type}\n`;
  return `${heading}

package vademecum

import (
${imports.join("\n")}
)

${goComment(handle.name, handle.comments)}
type ${handle.name} struct {
${member("calls", "*calls")}${member("stub", `vademecumv1.${handle.service}Client`)}${handle.scope.map(({ name }) => member(goName(name), "string")).join("")}}

${lineComment([`${handle.name} returns ${handleDescription(handle)}`], "//")}
func (client *Client) ${handle.name}(${parameters}${parameters === "" ? "" : " string"}) *${handle.name} {
	return &${handle.name}{${["client.calls", `vademecumv1.New${handle.service}Client(client.connection)`, ...handle.scope.map(({ name }) => goName(name))].join(", ")}}
}

${handle.methods.map((method) => methodText(handle, method)).join("\n")}`;
}

/** @param {Method} method */
function needsCopy(method) {
  return method.handleFields.length > 0 || method.hasKey || method.fillsSearch;
}

/**
 * @param {Handle} handle
 * @param {Method} method
 */
function methodText(handle, method) {
  const receiver = receiverOf(handle);
  const argument = `vademecumv1.${method.argument.name}`;
  const response = `vademecumv1.${method.response.name}`;
  const isSearch = method.name === "Search";
  const result = isSearch
    ? "*SearchStream"
    : method.isStream
      ? `*ResponseStream[${response}]`
      : `(*${response}, error)`;
  const lines = [
    ...(needsCopy(method) ? [`request = copyOf(request)`] : []),
    ...method.handleFields.map((field) => fillText(field, method.argument, receiver)),
    ...(method.fillsSearch
      ? [
          "if request.Search == nil {",
          "\trequest.Search = &vademecumv1.SearchRequest{}",
          "}",
          `request.Search.Namespace = ${namespaceText(receiver)}`,
        ]
      : []),
    ...(method.hasKey
      ? [
          "if request.IdempotencyKey == nil {",
          "\trequest.IdempotencyKey = newIdempotencyKey()",
          "}",
        ]
      : []),
  ];
  const request = method.wrapsSearch
    ? `&vademecumv1.${method.request.name}{Search: request}`
    : "request";
  const call = `${method.isStream ? "stream" : "unary"}(ctx, ${receiver}.calls, "${method.service.name}.${method.name}", ${receiver}.stub.${method.name}, ${request})`;
  return `${goComment(method.callName, method.comments)}
func (${receiver} *${handle.name}) ${method.callName}(ctx context.Context, request *${argument}) ${result} {
${lines.map((line) => `\t${line}\n`).join("")}	return ${isSearch ? `newSearchStream(${call})` : call}
}
`;
}

/**
 * @param {DescField} field
 * @param {DescMessage} message
 * @param {string} receiver
 */
function fillText(field, message, receiver) {
  const isNamespace = field.name === "namespace";
  const value = isNamespace ? namespaceText(receiver) : `${receiver}.${goName(field.name)}`;
  const name = pascalCase(field.name);
  if (field.oneof !== undefined) {
    return `request.${pascalCase(field.oneof.name)} = &vademecumv1.${message.name}_${name}{${name}: ${value}}`;
  }
  return `request.${name} = ${field.proto.proto3Optional ? `proto.String(${value})` : value}`;
}

/**
 * Returns a name in the style of Go: `user_id` becomes `userID`.
 * @param {string} name
 */
function goName(name) {
  return camelCase(name).replace(/Id$/, "ID");
}

/**
 * Returns a doc comment in the form of Go: it starts with the name.
 * @param {string} name
 * @param {readonly string[]} paragraphs
 */
function goComment(name, [first = "", ...rest]) {
  const paragraphs = [`${name} ${first.charAt(0).toLowerCase()}${first.slice(1)}`, ...rest];
  // gofmt indents the items of lists.
  return lineComment(paragraphs, "//", "  ");
}

/**
 * Returns the receiver of a handle's methods: the first letter of the handle's name in lower case.
 * @param {Handle} handle
 */
function receiverOf(handle) {
  return handle.name.charAt(0).toLowerCase();
}

/**
 * Returns the file of the conformance driver with a table of all calls by name.
 * @param {readonly Handle[]} handles
 */
function callsModule(handles) {
  const entries = handles.flatMap((handle) =>
    handle.methods.map((method) => {
      const scope = handle.scope
        .map(({ name }) => `scope.${pascalCase(name).replace(/Id$/, "ID")}`)
        .join(", ");
      const adapter = method.name === "Search" ? "search" : method.isStream ? "stream" : "unary";
      return `	"${snakeCase(handle.name)}.${method.snakeName}": ${adapter}(func(client *vademecum.Client, scope scope) ${signature(method)} {
		return client.${handle.name}(${scope}).${method.callName}
	}),
`;
    }),
  );
  return `${heading}

package main

import (
	"context"

	vademecum "${goModulePath("clients/go")}"
	vademecumv1 "${goModulePath("gen/go")}/vademecum/v1"
)

var methods = map[string]method{
${entries.join("")}}
`;
}

/** @param {Method} method */
function signature(method) {
  const response = `vademecumv1.${method.response.name}`;
  const result =
    method.name === "Search"
      ? "*vademecum.SearchStream"
      : method.isStream
        ? `*vademecum.ResponseStream[${response}]`
        : `(*${response}, error)`;
  return `func(context.Context, *vademecumv1.${method.argument.name}) ${result}`;
}
