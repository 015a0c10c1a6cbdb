// Reads the `.proto` files and describes the handles of the clients. A handle is an object that
// makes the calls of one service. The description has the calls of each handle, and the fields of
// a request that the handle fills in.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary, getOption, hasOption } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "#gen/buf/validate/validate_pb.js";
import { RpcFacts_Effect, rpc } from "#gen/vademecum/v1/options_pb.js";
import { commentParagraphs } from "../api-docs-rules.mjs";

/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */
/** @typedef {import("@bufbuild/protobuf").DescMethod} DescMethod */
/** @typedef {import("@bufbuild/protobuf").DescService} DescService */
/**
 * @typedef {{
 *   name: string,
 *   service: string,
 *   scope: readonly string[],
 *   nouns?: readonly string[],
 *   methods?: readonly string[],
 *   without?: readonly string[],
 * }} HandleSource
 */
/** @typedef {ReturnType<typeof describe>} Handle */
/** @typedef {ReturnType<typeof describeMethod>} Method */

const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * The handles and the services that they call. `scope` lists the ids that a program passes when it
 * creates a handle. `nouns` lists the words that the names of its calls leave out, because the name
 * of the handle says them. `methods` or `without` lists the RPCs of a handle that does not have all
 * calls of its service: those that it has, or those that it lacks.
 * @type {readonly HandleSource[]}
 */
const handles = [
  {
    name: "Memories",
    service: "MemoryProvider",
    scope: ["user_id", "agent_id"],
    nouns: ["Memories"],
  },
  {
    name: "Skills",
    service: "SkillService",
    scope: ["user_id", "agent_id"],
    nouns: ["Skill", "Skills"],
  },
  { name: "Blocks", service: "BlockService", scope: ["user_id"], nouns: ["Block", "Blocks"] },
  {
    name: "Threads",
    service: "ThreadService",
    scope: ["user_id", "agent_id"],
    nouns: ["Thread", "Threads"],
  },
  {
    name: "Proposals",
    service: "ProposalService",
    scope: ["user_id"],
    nouns: ["Proposal", "Proposals"],
    without: ["WatchInbox"],
  },
  {
    name: "Inbox",
    service: "ProposalService",
    scope: [],
    nouns: ["Inbox", "Proposals"],
    methods: ["ListProposals", "WatchInbox"],
  },
  { name: "KeyValues", service: "KeyValueService", scope: ["run_id"], nouns: ["Key", "Keys"] },
  { name: "Tools", service: "ToolService", scope: [], nouns: ["Tool", "Tools"] },
];

/** @type {Readonly<Record<string, string>>} */
const scopeComments = {
  user_id: "the id of the user, 1 to 256 bytes",
  agent_id: "the id of the agent, 1 to 256 bytes",
  run_id: "the id of the run, 1 to 256 bytes",
};

/** The comment of the class that creates the handles. */
export const handlesComment =
  "Creates handles. A handle makes the calls of one service, and fills in the ids with which it " +
  "was created. AdminService has no handle.";

/**
 * Comments that replace those of the `.proto` files, because these methods work differently in a
 * handle. `Reset` deletes only one namespace. `Search` streams hits instead of messages.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const methodComments = {
  Reset: [
    "Deletes all data of the namespace in one atomic step: its memories, its skills and its tool " +
      "traces. To empty a whole server, call Reset through the stubs.",
  ],
  Search: [
    "Searches memories and streams the hits, best first. All hits together fit into the token " +
      "budget. After the last hit, the stream has the summary.",
  ],
};

const watchTimeout =
  "This client always sets a deadline, by default 30 seconds after the start of the call. For a " +
  "longer watch, set a longer timeout, and watch again when the call ends.";

/**
 * Paragraphs that follow the comments of the `.proto` files.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const addedComments = {
  WatchInbox: [watchTimeout],
  WatchMemories: [watchTimeout],
  WatchProposals: [watchTimeout],
};

/**
 * Returns the handles with their methods. Leaves out methods to which the client streams requests,
 * because each call of a handle has exactly one request.
 */
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

/**
 * @param {HandleSource} handle
 * @param {DescService} service
 */
function describe({ name, scope, nouns = [], methods, without = [] }, service) {
  const own = service.methods.filter(
    (method) => (methods?.includes(method.name) ?? true) && !without.includes(method.name),
  );
  const callable = own.filter(
    ({ methodKind }) => methodKind === "unary" || methodKind === "server_streaming",
  );
  return {
    name,
    service: service.name,
    typeName: service.typeName,
    file: service.file.name,
    comments: commentParagraphs(service),
    scope: scope.map((field) => ({ name: field, comment: scopeComments[field] ?? "" })),
    methods: withDistinctNames(callable, nouns).map(([method, callName]) =>
      describeMethod(method, callName, scope),
    ),
    /** The names of the other methods, which clients must not repeat. */
    unrepeated: own.filter((it) => !callable.includes(it)).map((it) => it.name),
  };
}

/**
 * Returns the methods with the names of their calls. A call is named after its RPC, without the
 * nouns of the handle: `GetBlock` becomes `Get`. If `DeleteBlock` and `DeleteBlocks` exist, they
 * become `Delete` and `DeleteMany`.
 * @param {readonly DescMethod[]} methods
 * @param {readonly string[]} nouns
 */
function withDistinctNames(methods, nouns) {
  const singular = nouns.filter((noun) => !noun.endsWith("s"));
  /**
   * @param {DescMethod} method
   * @param {readonly string[]} omitted
   */
  const shortName = ({ name }, omitted) =>
    name
      .match(/[A-Z][a-z\d]*/g)
      ?.filter((word) => !omitted.includes(word))
      .join("") || name;
  const taken = new Set(
    methods
      .filter((method) => shortName(method, singular) !== method.name)
      .map((method) => shortName(method, nouns)),
  );
  return methods.map((method) => {
    const name = shortName(method, nouns);
    const isPlural = name !== method.name && shortName(method, singular) === method.name;
    return /** @type {const} */ ([method, isPlural && taken.has(name) ? `${name}Many` : name]);
  });
}

/**
 * @param {DescMethod} method
 * @param {string} callName
 * @param {readonly string[]} scope
 */
function describeMethod(method, callName, scope) {
  const fields = method.input.fields;
  if (!isRepeatable(method))
    throw new Error(
      `${method.name} writes and its request has no idempotency_key, but handles repeat every call`,
    );
  // For a request with a single field `search`, the caller passes the fields of the search.
  const [first] = fields;
  const onlySearch = fields.length === 1 && first?.name === "search";
  const argument = (onlySearch ? first.message : undefined) ?? method.input;
  const handleFields = fieldsOfScope(argument, scope);
  const callerFields = argument.fields.filter(
    (field) =>
      !handleFields.some(
        (known) =>
          known === field ||
          (known.oneof !== undefined && known.oneof === field.oneof) ||
          areAlternatives(known, field),
      ),
  );
  return {
    /** The name of the RPC. */
    name: method.name,
    /** The name of the handle's method, in three styles. */
    callName,
    snakeName: snakeCase(callName),
    camelName: camelCase(snakeCase(callName)),
    isStream: method.methodKind === "server_streaming",
    comments: [
      ...(methodComments[method.name] ?? commentParagraphs(method)),
      ...(addedComments[method.name] ?? []),
    ],
    service: method.parent,
    request: method.input,
    response: method.output,
    /** The message whose fields the caller passes: the request, or the search inside it. */
    argument,
    wrapsSearch: onlySearch,
    /** The fields that the handle fills in. */
    handleFields,
    /** The fields that the caller passes. */
    callerFields,
    /** The fields and oneofs that the caller must set. */
    requiredMembers: requiredMembers(argument, callerFields),
    /** Whether the handle fills in the namespace of a search inside the request. */
    fillsSearch:
      !onlySearch && fields.some((field) => field.name === "search") && scope.includes("agent_id"),
    hasKey: argument.fields.some((field) => field.name === "idempotency_key"),
  };
}

/**
 * Whether clients may repeat a call: a call with one request that only reads, or whose
 * `idempotency_key` lets the server recognize a repeated write.
 * @param {DescMethod} method
 */
function isRepeatable(method) {
  const { methodKind, input } = method;
  const reads = getOption(method, rpc).effect === RpcFacts_Effect.READS;
  const hasOneRequest = methodKind === "unary" || methodKind === "server_streaming";
  return hasOneRequest && (reads || input.fields.some(({ name }) => name === "idempotency_key"));
}

/**
 * Returns the fields of a request that a handle fills in from its scope.
 * @param {DescMessage} message
 * @param {readonly string[]} scope
 */
function fieldsOfScope(message, scope) {
  const namespace = message.fields.find(
    ({ message: type }) => type?.typeName === "vademecum.v1.Namespace",
  );
  if (namespace !== undefined && scope.includes("agent_id")) return [namespace];
  return message.fields.filter(({ name }) => scope.includes(name));
}

/**
 * Whether a request has only one of two fields, without a oneof.
 * @param {DescField} a
 * @param {DescField} b
 */
function areAlternatives(a, b) {
  return getOption(a.parent, messageRules).oneof.some(
    ({ fields }) => fields.includes(a.name) && fields.includes(b.name),
  );
}

/**
 * Whether a field is one of several of which a request has only one, without being in a oneof.
 * @param {DescField} field
 */
export function isAlternative({ name, parent }) {
  return getOption(parent, messageRules).oneof.some(({ fields }) => fields.includes(name));
}

/**
 * Whether the server refuses every request without the field. A member of a oneof is not required.
 * @param {DescField} field
 */
export function isRequired(field) {
  if (field.oneof !== undefined || field.proto.proto3Optional || isAlternative(field)) return false;
  if (!hasOption(field, fieldRules)) return false;
  const rules = getOption(field, fieldRules);
  if (rules.required) return true;
  const { case: kind, value } = rules.type;
  if (kind === "string") return value.minBytes > 0n;
  if (kind === "repeated") return value.minItems > 0n;
  return (
    value !== undefined &&
    "greaterThan" in value &&
    value.greaterThan.case === "gte" &&
    typeof value.greaterThan.value !== "object" &&
    value.greaterThan.value > 0
  );
}

/**
 * @param {DescMessage} message
 * @param {readonly DescField[]} callerFields
 */
function requiredMembers(message, callerFields) {
  const oneofs = message.oneofs.filter(
    (oneof) =>
      hasOption(oneof, oneofRules) &&
      getOption(oneof, oneofRules).required &&
      oneof.fields.every((field) => callerFields.includes(field)),
  );
  return [...callerFields.filter(isRequired), ...oneofs];
}

/**
 * Returns a name in snake case, as in `.proto` files: `KeyValues` becomes `key_values`.
 * @param {string} name
 */
export function snakeCase(name) {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/**
 * Returns a name in lowerCamelCase: `user_id` becomes `userId`.
 * @param {string} name
 */
export function camelCase(name) {
  return name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

/**
 * Returns a name in UpperCamelCase: `user_id` becomes `UserId`.
 * @param {string} name
 */
export function pascalCase(name) {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/**
 * Describes a handle in words that follow "returns", for the comment of the method that creates the
 * handle. Used for languages whose comments have no list of parameters.
 * @param {Handle} handle
 */
export function handleDescription({ service, scope }) {
  const owners = scope.map(({ name }) => `one ${name.replace("_id", "")}`).join(" and ");
  if (owners === "") return `a handle for the calls of ${service}.`;
  const size = scope.length > 1 ? "Each id has 1 to 256 bytes." : "The id has 1 to 256 bytes.";
  return `a handle for the calls of ${service} about ${owners}. ${size}`;
}
