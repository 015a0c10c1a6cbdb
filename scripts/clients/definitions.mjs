// What the clients of all languages have in common: which handle stands for which service, and what a handle fills into its requests.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { commentParagraphs } from "../api-docs-rules.mjs";

const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Handles by the service that they call. The fields of `scope` are given once, when the handle is made. */
const handles = [
  { name: "Memories", service: "MemoryProvider", scope: ["user_id", "agent_id"] },
  { name: "Skills", service: "SkillService", scope: ["user_id", "agent_id"] },
  { name: "Blocks", service: "BlockService", scope: ["user_id"] },
  { name: "Proposals", service: "ProposalService", scope: ["user_id"] },
  { name: "KeyValues", service: "KeyValueService", scope: ["run_id"] },
  { name: "Tools", service: "ToolService", scope: [] },
];

const scopeComments = {
  user_id: "the user, 1 to 256 bytes",
  agent_id: "the agent, 1 to 256 bytes",
  run_id: "the run, 1 to 256 bytes",
};

/** The handles whose services are defined, with their methods. Calls that a client streams into are not among them: a handle's calls have one request. */
export function readHandles() {
  const buf = join(projectFolder, "node_modules", "@bufbuild", "buf", "bin", "buf");
  const set = execFileSync(
    process.execPath,
    [buf, "build", "proto", "--as-file-descriptor-set", "-o", "-"],
    {
      cwd: projectFolder,
      maxBuffer: 64 * 1024 ** 2,
    },
  );
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
  return handles.flatMap((handle) => {
    const service = registry.getService(`vademecum.v1.${handle.service}`);
    return service === undefined ? [] : [describe(handle, service)];
  });
}

function describe({ name, scope }, service) {
  const callable = service.methods.filter(
    ({ methodKind }) => methodKind === "unary" || methodKind === "server_streaming",
  );
  return {
    name,
    service: service.name,
    file: service.file.name,
    comments: commentParagraphs(service),
    scope: scope.map((field) => ({ name: field, comment: scopeComments[field] })),
    methods: callable.map((method) => describeMethod(method, scope)),
  };
}

function describeMethod(method, scope) {
  const fields = method.input.fields;
  // A request that is nothing but a search is called with the search.
  const onlySearch = fields.length === 1 && fields[0].name === "search";
  const argument = onlySearch ? fields[0].message : method.input;
  const filled = filledFields(argument, scope);
  return {
    name: method.name,
    snakeName: snakeCase(method.name),
    camelName: method.name[0].toLowerCase() + method.name.slice(1),
    isStream: method.methodKind === "server_streaming",
    comments: commentParagraphs(method),
    request: method.input,
    response: method.output,
    /** What the caller gives: the request, or the search inside it. */
    argument,
    wrapsSearch: onlySearch,
    filled,
    /** The fields that are left to the caller. Where a handle fills one field of a oneof, the others are not offered. */
    given: argument.fields.filter(
      (field) =>
        !filled.some((it) => it === field || (it.oneof !== undefined && it.oneof === field.oneof)),
    ),
    /** Whether the request's search needs the namespace. */
    fillsSearch:
      !onlySearch && fields.some((field) => field.name === "search") && scope.includes("agent_id"),
    hasKey: argument.fields.some((field) => field.name === "idempotency_key"),
  };
}

/** The fields of a request that the handle knows. */
function filledFields(message, scope) {
  return message.fields.filter((field) => {
    if (field.message?.typeName === "vademecum.v1.Namespace") return scope.includes("agent_id");
    return scope.includes(field.name);
  });
}

/** A name in the style of definitions: `KeyValues` becomes `key_values`. */
export function snakeCase(name) {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** A name in lowerCamelCase: `user_id` becomes `userId`. */
export function camelCase(name) {
  return name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** `camelCase` with a capital first letter. */
export function pascalCase(name) {
  const camel = camelCase(name);
  return camel[0].toUpperCase() + camel.slice(1);
}
