// The handles of the Go client. A call takes its request; what the handle knows is filled into a copy.
import { camelCase, pascalCase, snakeCase } from "./definitions.mjs";

const heading = "// Code generated from the definitions by `npm run generate`. DO NOT EDIT.";

const namespaceText = "&vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}";

/** The files of the client by their paths in clients/go. */
export function goFiles(handles) {
  const files = handles.map((handle) => [`${snakeCase(handle.name)}.go`, module(handle)]);
  return [...files, ["internal/conformance/calls.go", callsModule(handles)]];
}

function module(handle) {
  const usesProto = handle.methods.some((method) =>
    method.filled.some((field) => field.proto.proto3Optional),
  );
  const imports = [
    '\t"context"',
    "",
    ...(usesProto ? ['\t"google.golang.org/protobuf/proto"'] : []),
    '\tvademecumv1 "vademecum.dev/gen/go/vademecum/v1"',
  ];
  const parameters = handle.scope.map(({ name }) => goName(name)).join(", ");
  const about = handle.scope.map(({ name, comment }) => `${goName(name)} is ${comment}`).join("; ");
  const width = Math.max(
    ...["calls", "stub", ...handle.scope.map(({ name }) => goName(name))].map(
      (name) => name.length,
    ),
  );
  const member = (name, type) => `\t${name.padEnd(width)} ${type}\n`;
  return `${heading}

package vademecum

import (
${imports.join("\n")}
)

${comment([`${handle.name}: ${handle.comments[0]}`, ...handle.comments.slice(1)], "")}
type ${handle.name} struct {
${member("calls", "*calls")}${member("stub", `vademecumv1.${handle.service}Client`)}${handle.scope.map(({ name }) => member(goName(name), "string")).join("")}}

// ${handle.name} gives the calls of ${handle.service}${about === "" ? "" : `: ${about}`}.
func (client *Client) ${handle.name}(${parameters}${parameters === "" ? "" : " string"}) *${handle.name} {
	return &${handle.name}{${["client.calls", `vademecumv1.New${handle.service}Client(client.connection)`, ...handle.scope.map(({ name }) => goName(name))].join(", ")}}
}

${handle.methods.map((method) => methodText(handle, method)).join("\n")}`;
}

function needsCopy(method) {
  return method.filled.length > 0 || method.hasKey || method.fillsSearch;
}

function methodText(handle, method) {
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
    ...method.filled.map((field) => fillText(field, method.argument)),
    ...(method.fillsSearch
      ? [
          "if request.Search == nil {",
          "\trequest.Search = &vademecumv1.SearchRequest{}",
          "}",
          `request.Search.Namespace = ${namespaceText}`,
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
  const call = `${method.isStream ? "stream" : "unary"}(ctx, it.calls, it.stub.${method.name}, ${request})`;
  return `${comment([`${method.name}: ${method.comments[0]}`, ...method.comments.slice(1)], "")}
func (it *${handle.name}) ${method.name}(ctx context.Context, request *${argument}) ${result} {
${lines.map((line) => `\t${line}\n`).join("")}	return ${isSearch ? `newSearchStream(${call})` : call}
}
`;
}

function fillText(field, message) {
  const isNamespace = field.name === "namespace";
  const value = isNamespace ? namespaceText : `it.${goName(field.name)}`;
  const name = pascalCase(field.name);
  if (field.oneof !== undefined) {
    return `request.${pascalCase(field.oneof.name)} = &vademecumv1.${message.name}_${name}{${name}: ${value}}`;
  }
  return `request.${name} = ${field.proto.proto3Optional ? `proto.String(${value})` : value}`;
}

/** \`user_id\` is \`userID\`. */
function goName(name) {
  return camelCase(name).replace(/Id$/, "ID");
}

function comment(paragraphs, indent) {
  return paragraphs.map((paragraph) => `${indent}// ${paragraph}`).join(`\n${indent}//\n`);
}

/** Calls by name, for the conformance driver: JSON in, JSON out. */
function callsModule(handles) {
  const entries = handles.flatMap((handle) =>
    handle.methods.map((method) => {
      const scope = handle.scope
        .map(({ name }) => `scope.${pascalCase(name).replace(/Id$/, "ID")}`)
        .join(", ");
      const kind = method.name === "Search" ? "search" : method.isStream ? "stream" : "unary";
      return `	"${snakeCase(handle.name)}.${method.snakeName}": ${kind}(func(client *vademecum.Client, scope scope) ${signature(method)} {
		return client.${handle.name}(${scope}).${method.name}
	}),
`;
    }),
  );
  return `${heading}

package main

import (
	"context"

	vademecum "vademecum.dev/clients/go"
	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

var methods = map[string]method{
${entries.join("")}}
`;
}

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
