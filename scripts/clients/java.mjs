// Generates the handles of the Java client. A method of a handle takes the builder of its request,
// copies it, and fills in the fields that the handle knows.
import { isListItem } from "../api-docs-rules.mjs";
import { camelCase, handlesComment, pascalCase, snakeCase } from "./definitions.mjs";
import { wrapText } from "./doc-comment.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("./definitions.mjs").Method} Method */

const heading = "// Generated from the definitions by `npm run generate`. Do not edit.";
const folder = "src/main/java/vademecum/client";

/**
 * Returns the generated files of the client by their paths in clients/java.
 * @param {readonly Handle[]} handles
 */
export function javaFiles(handles) {
  const files = handles.map((handle) => [`${folder}/${handle.name}.java`, module(handle)]);
  return [...files, [`${folder}/Handles.java`, handlesModule(handles)]];
}

/** @param {Handle} handle */
function module(handle) {
  const methods = handle.methods.map((method) => methodText(handle, method));
  const body = methods.join("\n");
  const attributes = handle.scope.filter(({ name }) =>
    new RegExp(`\\b${camelCase(name)}\\)`).test(body),
  );
  const usesNamespace = body.includes("(namespace)");
  const parameters = [
    "Calls calls",
    ...handle.scope.map(({ name }) => `String ${camelCase(name)}`),
  ].join(", ");
  const types = new Set(
    handle.methods.flatMap((method) => [
      method.argument.name,
      ...(method.wrapsSearch ? [method.request.name] : []),
      ...(method.name === "Search" ? [] : [method.response.name]),
    ]),
  );
  const imports = [...types, `${handle.service}Grpc`, ...(usesNamespace ? ["Namespace"] : [])].sort(
    (a, b) => (a < b ? -1 : 1),
  );
  return `${heading}
package vademecum.client;

${imports.map((name) => `import vademecum.v1.${name};\n`).join("")}
${comment(handle.comments, "")}
public final class ${handle.name} {
  private final Calls calls;
${usesNamespace ? "  private final Namespace namespace;\n" : ""}${attributes.map(({ name }) => `  private final String ${camelCase(name)};\n`).join("")}
  ${handle.name}(${parameters}) {
    this.calls = calls;
${usesNamespace ? "    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();\n" : ""}${attributes.map(({ name }) => `    this.${camelCase(name)} = ${camelCase(name)};\n`).join("")}  }

${body}}
`;
}

/**
 * @param {Handle} handle
 * @param {Method} method
 */
function methodText(handle, method) {
  const argument = method.argument.name;
  const isSearch = method.name === "Search";
  const result = isSearch
    ? "SearchStream"
    : method.isStream
      ? `ResponseStream<${method.response.name}>`
      : method.response.name;
  const lines = [
    `${argument}.Builder copy = request.clone();`,
    ...method.handleFields.map(
      (field) => `copy.set${pascalCase(field.name)}(${camelCase(field.name)});`,
    ),
    ...(method.fillsSearch ? ["copy.getSearchBuilder().setNamespace(namespace);"] : []),
    ...(method.hasKey
      ? [
          "if (!copy.hasIdempotencyKey()) {",
          "  copy.setIdempotencyKey(Calls.newIdempotencyKey());",
          "}",
        ]
      : []),
  ];
  const request = method.wrapsSearch
    ? `${method.request.name}.newBuilder().setSearch(copy).build()`
    : "copy.build()";
  const call = `calls.${method.isStream ? "stream" : "unary"}(${handle.service}Grpc.get${method.name}Method(), ${request})`;
  return `${comment(method.comments, "  ")}
  public ${result} ${method.camelName}(${argument}.Builder request) {
${lines.map((line) => `    ${line}\n`).join("")}    return ${isSearch ? `new SearchStream(${call})` : call};
  }
`;
}

/**
 * Returns the file of the class `Handles`, the base class of clients, which creates the handles.
 * @param {readonly Handle[]} handles
 */
function handlesModule(handles) {
  const methods = handles.map((handle) => {
    const parameters = handle.scope.map(({ name }) => `String ${camelCase(name)}`).join(", ");
    const parameterTags = handle.scope.map(
      ({ name, comment: text }) => `@param ${camelCase(name)} ${text}`,
    );
    const constructorArguments = ["calls", ...handle.scope.map(({ name }) => camelCase(name))].join(
      ", ",
    );
    return `  /**
   * Returns a handle for the calls of ${handle.service}.
${parameterTags.length > 0 ? `   *\n${parameterTags.map((line) => `   * ${line}\n`).join("")}` : ""}   */
  public ${handle.name} ${camelCase(snakeCase(handle.name))}(${parameters}) {
    return new ${handle.name}(${constructorArguments});
  }
`;
  });
  return `${heading}
package vademecum.client;

${comment([handlesComment], "")}
public abstract class Handles {
  final Calls calls;

  Handles(Calls calls) {
    this.calls = calls;
  }

${methods.join("\n")}}
`;
}

/**
 * Returns a Javadoc comment.
 * @param {readonly string[]} paragraphs
 * @param {string} indent
 */
function comment(paragraphs, indent) {
  const lines = paragraphs.flatMap((paragraph, at) => {
    const wrapped = (/** @type {string} */ tag) =>
      wrapText(`${tag}${escapeHtml(paragraph.replace(/^- /, ""))}`, indent.length + 3);
    if (!isListItem(paragraph)) return at === 0 ? wrapped("") : ["", ...wrapped("<p>")];
    const isFirst = !isListItem(paragraphs[at - 1] ?? "");
    const isLast = !isListItem(paragraphs[at + 1] ?? "");
    return [...(isFirst ? ["", "<ul>"] : []), ...wrapped("<li>"), ...(isLast ? ["</ul>"] : [])];
  });
  return [
    `${indent}/**`,
    ...lines.map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`,
  ].join("\n");
}

/** @param {string} text */
function escapeHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "&#64;")
    .replaceAll("*/", "*&#47;");
}
