// Generates the handles of the Rust client. A method of a handle takes its request and fills in the
// fields that the handle knows.
import { handleDescription, handlesComment, snakeCase } from "./definitions.mjs";
import { lineComment } from "./doc-comment.mjs";
import { buildersModule, numbersModule } from "./rust-requests.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("./definitions.mjs").Method} Method */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */

const heading = "// Generated from the definitions by `npm run generate`. Do not edit.";

/**
 * Returns the generated files of the client by their paths in clients/rust.
 * @param {readonly Handle[]} handles
 */
export function rustFiles(handles) {
  const files = handles.map((handle) => [
    `src/handles/${snakeCase(handle.name)}.rs`,
    module(handle),
  ]);
  return [
    ...files,
    ["src/handles/mod.rs", handlesModule(handles)],
    ["src/handles/numbers.rs", `${heading}\n${numbersModule(handles)}`],
    ["../../gen/rust/builders.rs", `${heading}\n${buildersModule(handles)}`],
    ["examples/conformance/calls.rs", callsModule(handles)],
  ];
}

/** @param {Handle} handle */
function module(handle) {
  const client = `${handle.service}Client`;
  const scope = handle.scope.map(({ name }) => name);
  const body = handle.methods.map((method) => methodText(method, scope)).join("\n");
  const hasNamespace = body.includes("self.namespace()");
  const calls = [
    ...(body.includes("new_idempotency_key") ? ["new_idempotency_key"] : []),
    "Calls",
    "RECEIVE_MAX_BYTES",
  ];
  const streams = [
    ...(body.includes("ResponseStream") ? ["ResponseStream"] : []),
    ...(body.includes("SearchStream") ? ["SearchStream"] : []),
  ];
  return `${heading}
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, ${snakeCase(handle.service)}_client::${client}};

use crate::calls::{${calls.join(", ")}};
use crate::error::Error;
${body.includes("routing_of(") ? "use crate::routing::routing_of;\n" : ""}${streams.length > 0 ? `use crate::streams::{${streams.join(", ")}};\n` : ""}
${lineComment(handle.comments, "///")}
#[derive(Clone, Debug)]
pub struct ${handle.name} {
    calls: Calls,
    stub: ${client}<Channel>,
${scope.map((name) => `    ${name}: String,\n`).join("")}}

impl ${handle.name} {
    pub(crate) fn new(calls: Calls${scope.map((name) => `, ${name}: String`).join("")}) -> Self {
        let stub = ${client}::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { ${["calls", "stub", ...scope].join(", ")} }
    }
${hasNamespace ? namespaceText : ""}
${body}}
`;
}

const namespaceText = `
    fn namespace(&self) -> v1::Namespace {
        v1::Namespace { user_id: self.user_id.clone(), agent_id: self.agent_id.clone() }
    }
`;

/**
 * Returns the Rust expression for the routing header of a call. A handle for a user knows the user.
 * For the handle of tools, the request names the user.
 *
 * @param {Method} method
 * @param {readonly string[]} scope
 */
function routingText(method, scope) {
  if (scope.includes("user_id")) return "routing_of(&self.user_id)";
  const { fields } = method.argument;
  const user = fields.find(({ name }) => name === "user_id");
  if (user?.proto.proto3Optional === true)
    return "routing_of(request.user_id.as_deref().unwrap_or_default())";
  if (user !== undefined) return "routing_of(&request.user_id)";
  return fields.some(({ name }) => name === "namespace")
    ? "request.namespace.as_ref().and_then(|it| routing_of(&it.user_id))"
    : "None";
}

/**
 * @param {Method} method
 * @param {readonly string[]} scope
 */
function methodText(method, scope) {
  const isSearch = method.name === "Search";
  const response = `v1::${method.response.name}`;
  const result = isSearch
    ? "SearchStream"
    : method.isStream
      ? `ResponseStream<${response}>`
      : response;
  const lines = [
    ...method.handleFields.map((field) => fillText(field, method.argument)),
    ...(method.fillsSearch
      ? ["request.search.get_or_insert_with(Default::default).namespace = Some(self.namespace());"]
      : []),
    ...(method.hasKey ? ["request.idempotency_key.get_or_insert_with(new_idempotency_key);"] : []),
    ...(method.wrapsSearch
      ? [`let request = v1::${method.request.name} { search: Some(request) };`]
      : []),
  ];
  const mutable = lines.length > 0 ? "mut " : "";
  // A stream can outlive its handle and may still repeat its call, so it has a stub of its own.
  const owned = method.isStream
    ? { kind: "stream", lines: ["let stub = self.stub.clone();"], move: "move ", stub: "stub" }
    : { kind: "unary", lines: [], move: "", stub: "self.stub" };
  const call = `self.calls.${owned.kind}("${method.service.name}.${method.name}", ${routingText(method, scope)}, request, ${owned.move}|request| {
            let mut stub = ${owned.stub}.clone();
            async move { stub.${snakeCase(method.name)}(request).await }
        }).await`;
  return `${lineComment(method.comments, "    ///")}
    pub async fn ${method.snakeName}(&self, ${mutable}request: v1::${method.argument.name}) -> Result<${result}, Error> {
${[...lines, ...owned.lines].map((line) => `        ${line}\n`).join("")}        ${isSearch ? `Ok(SearchStream::new(${call}?))` : call}
    }
`;
}

/**
 * @param {DescField} field
 * @param {DescMessage} message
 */
function fillText(field, message) {
  const isNamespace = field.name === "namespace";
  const value = isNamespace ? "self.namespace()" : `self.${field.name}.clone()`;
  if (field.oneof !== undefined) {
    const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    const oneof = field.oneof.name.charAt(0).toUpperCase() + field.oneof.name.slice(1);
    return `request.${field.oneof.name} = Some(v1::${snakeCase(message.name)}::${oneof}::${name}(${value}));`;
  }
  return `request.${field.name} = ${isNamespace || field.proto.proto3Optional ? `Some(${value})` : value};`;
}

/**
 * Returns the module with the methods of `Client` that create the handles.
 * @param {readonly Handle[]} handles
 */
function handlesModule(handles) {
  const modules = handles
    .map(({ name }) => snakeCase(name))
    .concat("numbers")
    .sort((a, b) => (a < b ? -1 : 1));
  const uses = handles
    .map((handle) => `pub use ${snakeCase(handle.name)}::${handle.name};`)
    .sort((a, b) => (a < b ? -1 : 1));
  const methods = handles.map((handle) => {
    const parameters = handle.scope.map(({ name }) => `, ${name}: impl Into<String>`).join("");
    const constructorArguments = [
      "self.calls.clone()",
      ...handle.scope.map(({ name }) => `${name}.into()`),
    ].join(", ");
    return `${lineComment([`Returns ${handleDescription(handle)}`], "    ///")}
    pub fn ${snakeCase(handle.name)}(&self${parameters}) -> ${handle.name} {
        ${handle.name}::new(${constructorArguments})
    }
`;
  });
  return `${heading}
${modules.map((name) => `mod ${name};\n`).join("")}
${uses.join("\n")}

use crate::client::Client;

${lineComment([handlesComment], "///")}
impl Client {
${methods.join("\n")}}
`;
}

/**
 * Returns the module of the conformance driver that makes a call by its name.
 * @param {readonly Handle[]} handles
 */
function callsModule(handles) {
  const arms = handles.flatMap((handle) =>
    handle.methods.map((method) => {
      const scope = handle.scope.map(({ name }) => `&scope.${name}`).join(", ");
      const kind = method.name === "Search" ? "search" : method.isStream ? "stream" : "unary";
      return `        "${snakeCase(handle.name)}.${method.snakeName}" => {
            let request = json.parse("${method.argument.typeName}", request);
            json.${kind}("${method.response.typeName}", client.${snakeCase(handle.name)}(${scope}).${method.snakeName}(request).await?).await
        }
`;
    }),
  );
  return `${heading}
use serde_json::Value;
use vademecum::{Client, Error};

use crate::json::Json;
use crate::Scope;

pub async fn call(json: &Json, client: &Client, scope: &Scope, name: &str, request: Value) -> Result<Value, Error> {
    match name {
${arms.join("")}        unknown => panic!("no call {unknown}"),
    }
}
`;
}
