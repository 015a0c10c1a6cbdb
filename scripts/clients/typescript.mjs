// Generates the handles of the TypeScript client. A method of a handle takes the fields of its
// request as an object.
import { camelCase, handlesComment, snakeCase } from "./definitions.mjs";
import { blockComment } from "./doc-comment.mjs";

/** @typedef {import("./definitions.mjs").Handle} Handle */
/** @typedef {import("./definitions.mjs").Method} Method */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/**
 * @typedef {(file: string, name: string) => string} Use Adds a name of a file to the imports and
 * returns the name.
 */

const heading = "// Generated from the definitions by `npm run generate`. Do not edit.";

/**
 * Returns the generated files of the client by their paths in clients/typescript.
 * @param {readonly Handle[]} handles
 */
export function typescriptFiles(handles) {
  const files = handles.map((handle) => [`src/handles/${fileName(handle)}.ts`, module(handle)]);
  return [...files, ["src/handles/handles.ts", handlesModule(handles)]];
}

/** @param {Handle} handle */
function fileName({ name }) {
  return snakeCase(name).replaceAll("_", "-");
}

/** @param {Handle} handle */
function module(handle) {
  const types = new Map();
  /**
   * Adds a name of a generated file to the imports and returns the name.
   * @param {string} file
   * @param {string} name
   */
  const use = (file, name) => {
    types.set(file, new Set([...(types.get(file) ?? []), name]));
    return name;
  };
  use(handle.file, handle.service);
  const methods = handle.methods.map((method) => methodText(handle, method, use));
  const body = methods.join("\n");
  const usesNamespace = body.includes("this.#namespace");
  if (usesNamespace)
    for (const name of ["type Namespace", "NamespaceSchema"]) use("vademecum/v1/memory", name);
  const imports = [...types].map(([file, names]) => {
    const sorted = [...names].sort((a, b) =>
      a.replace("type ", "").localeCompare(b.replace("type ", ""), "en"),
    );
    const areTypes = sorted.every((name) => name.startsWith("type "));
    const list = sorted.map((name) => (areTypes ? name.replace("type ", "") : name)).join(", ");
    return `import ${areTypes ? "type " : ""}{ ${list} } from "#gen/${file}_pb.js";`;
  });
  const own = [
    `import type { CallOptions, Calls${body.includes("ResponseStream") ? ", ResponseStream" : ""} } from "../calls.js";`,
    ...(body.includes("newIdempotencyKey")
      ? ['import { newIdempotencyKey } from "../idempotency-key.js";']
      : []),
    ...(body.includes("Fields<") ? ['import type { Fields } from "../request-fields.js";'] : []),
    ...(body.includes("SearchStream")
      ? ['import { SearchStream } from "../search-stream.js";']
      : []),
  ];
  const parameters = handle.scope.map(({ name }) => `, ${camelCase(name)}: string`).join("");
  const attributes = handle.scope.filter(({ name }) => body.includes(`this.#${camelCase(name)}`));
  return `${heading}
${[...(usesNamespace ? ['import { create } from "@bufbuild/protobuf";'] : []), ...imports.sort(byModule), ...own].join("\n")}

${blockComment(handle.comments, "")}
export class ${handle.name} {
  readonly #calls: Calls;
${usesNamespace ? "  readonly #namespace: Namespace;\n" : ""}${attributes.map(({ name }) => `  readonly #${camelCase(name)}: string;\n`).join("")}
  constructor(calls: Calls${parameters}) {
    this.#calls = calls;
${usesNamespace ? "    this.#namespace = create(NamespaceSchema, { userId, agentId });\n" : ""}${attributes.map(({ name }) => `    this.#${camelCase(name)} = ${camelCase(name)};\n`).join("")}  }

${body}}
`;
}

/**
 * @param {Handle} handle
 * @param {Method} method
 * @param {Use} use
 */
function methodText(handle, method, use) {
  const schema = use(method.argument.file.name, `${method.argument.name}Schema`);
  const isSearch = method.name === "Search";
  const response = method.response.name;
  if (!isSearch) use(method.response.file.name, `type ${response}`);
  const known = method.handleFields.map((field) => `"${memberName(field)}"`);
  const required = method.requiredMembers.map(({ name }) => `"${camelCase(name)}"`);
  const names = [known, ...(required.length > 0 ? [required] : [])].map((group) =>
    group.length > 0 ? group.join(" | ") : "never",
  );
  const fieldsType = `Fields<${[`typeof ${schema}`, ...(names.join() === "never" ? [] : names)].join(", ")}>`;
  const fills = method.handleFields.map((field) => {
    const value = `this.#${camelCase(field.name)}`;
    return field.oneof === undefined
      ? `${camelCase(field.name)}: ${value}`
      : `${camelCase(field.oneof.name)}: { case: "${camelCase(field.name)}", value: ${value} }`;
  });
  const keyed = method.hasKey
    ? ["idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey()"]
    : [];
  const search = method.fillsSearch
    ? ["search: { ...fields.search, namespace: this.#namespace }"]
    : [];
  const message = `{ ${["...fields", ...fills, ...search, ...keyed].join(", ")} }`;
  const request = method.wrapsSearch ? `{ search: ${message} }` : message;
  const result = isSearch
    ? "SearchStream"
    : method.isStream
      ? `ResponseStream<${response}>`
      : `Promise<${response}>`;
  const call = `this.#calls.${method.isStream ? "stream" : "unary"}(${handle.service}.method.${camelCase(snakeCase(method.name))}, ${request}, options)`;
  return `${blockComment(method.comments, "  ")}
  ${method.camelName}(fields: ${fieldsType}${required.length === 0 ? " = {}" : ""}, options?: CallOptions): ${result} {
    return ${isSearch ? `new SearchStream(${call})` : call};
  }
`;
}

/** @param {DescField} field */
function memberName(field) {
  return camelCase(field.oneof === undefined ? field.name : field.oneof.name);
}

/**
 * Returns the file of the class `Handles`, the base class of clients, which creates the handles.
 * @param {readonly Handle[]} handles
 */
function handlesModule(handles) {
  const methods = handles.map((handle) => {
    const parameters = handle.scope.map(({ name }) => `${camelCase(name)}: string`).join(", ");
    const parameterTags = handle.scope.map(
      ({ name, comment: text }) => `@param ${camelCase(name)} ${text}`,
    );
    return `${handleComment(handle.service, parameterTags)}
  ${camelCase(snakeCase(handle.name))}(${parameters}): ${handle.name} {
    return new ${handle.name}(${["this.calls", ...handle.scope.map(({ name }) => camelCase(name))].join(", ")});
  }
`;
  });
  const imports = handles.map(
    (handle) => `import { ${handle.name} } from "./${fileName(handle)}.js";`,
  );
  return `${heading}
${['import type { Calls } from "../calls.js";', ...imports].sort(byModule).join("\n")}

${blockComment([handlesComment], "")}
export class Handles {
  constructor(protected readonly calls: Calls) {}

${methods.join("\n")}}
`;
}

/**
 * @param {string} service
 * @param {readonly string[]} parameterTags
 */
function handleComment(service, parameterTags) {
  const summary = `Returns a handle for the calls of ${service}.`;
  if (parameterTags.length === 0) return blockComment([summary], "  ");
  return `  /**\n   * ${[summary, "", ...parameterTags].join("\n   * ")}\n   */`.replaceAll(
    " * \n",
    " *\n",
  );
}

/**
 * Compares two import statements by the names of their modules.
 * @param {string} a
 * @param {string} b
 */
function byModule(a, b) {
  const [, first = ""] = a.split(" from ");
  const [, second = ""] = b.split(" from ");
  return first < second ? -1 : 1;
}
