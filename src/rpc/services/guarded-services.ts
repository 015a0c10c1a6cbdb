import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryChangesSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import {
  actionFor,
  type GuardAction,
  type GuardRule,
  guardTag,
  redactSecrets,
} from "../../core/guard/guard.js";
import type { SecretKind } from "../../core/guard/secret-rules.js";
import { VademecumError } from "../../core/model/errors.js";
import type { JsonValue } from "../../core/model/json.js";
import { tagsMax } from "../../core/model/limits.js";
import { namedIds } from "../access/named-ids.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";
import { failsAlone, noteFault } from "../adapt/part-faults.js";
import { factsOf } from "../rpc-facts.js";
import { fieldValue } from "../validation/field-value.js";
import type { Validator } from "../validation/validator.js";

/** What the guard of a server needs. */
export interface GuardParts {
  readonly rules: readonly GuardRule[];
  readonly validator: Validator;
  /** Called with the kinds of secrets in a request, each once for each secret. */
  readonly onFound: (method: DescMethod, action: GuardAction, kinds: readonly SecretKind[]) => void;
}

/** The fields with texts that the server stores, by their names. */
export const storedTexts: ReadonlySet<string> = new Set([
  ...["content", "tags", "kind", "source", "author", "title", "body", "schema_ref"],
  ...["old_string", "new_string", "new_body", "append", "edited_new_string", "reasoning"],
  ...["reason", "note", "decision_reason", "base_text", "conflict_text"],
  ...["context", "lesson", "key", "value", "query_text", "arguments_json"],
]);

/** Reads that store a text: the trace of a turn has the query. */
const tracedReads: readonly string[] = ["QueryMemory", "QueryMemoryUnary"];

/** Returns whether the guard looks at the requests of a method. */
export function isGuarded(method: DescMethod): boolean {
  if (method.parent === AdminService) return method === AdminService.method.import;
  // Manifests are of operators, and have kinds and tags alone.
  if (method === ToolService.method.registerTool) return false;
  return factsOf(method).writes || tracedReads.includes(method.name);
}

/**
 * Returns services that look for secrets in the texts of a request before they store them. Does
 * nothing without rules.
 */
export function guardedServices(
  services: readonly Implementation[],
  parts: GuardParts,
): readonly Implementation[] {
  if (parts.rules.length === 0) return services;
  return services.map((service) => ({
    ...service,
    methods: service.methods.map((method) =>
      isGuarded(method.descriptor) ? guarded(method, parts) : method,
    ),
  }));
}

function guarded(method: RpcMethod, parts: GuardParts): RpcMethod {
  const { descriptor } = method;
  const { input } = descriptor;
  const check = (request: Message): void => {
    const guard = new RequestGuard(descriptor, parts);
    guard.check(input, request);
    // A replacement may be longer than the secret.
    if (guard.hasChanged && method.kind !== "bidi_streaming")
      parts.validator.validate(input, request);
  };
  switch (method.kind) {
    case "unary":
      return {
        ...method,
        handle: async (request: Message, call: RpcCall) => {
          check(request);
          return method.handle(request, call);
        },
      };
    case "server_streaming":
      return {
        ...method,
        handle: async function* (request: Message, call: RpcCall) {
          check(request);
          yield* method.handle(request, call);
        },
      };
    case "bidi_streaming":
      return {
        ...method,
        handle: (requests: AsyncIterable<Message>, call: RpcCall) =>
          method.handle(checked(requests, check), call),
      };
  }
}

async function* checked(
  requests: AsyncIterable<Message>,
  check: (request: Message) => void,
): AsyncGenerator<Message> {
  for await (const request of requests) {
    check(request);
    yield request;
  }
}

/** Looks for secrets in one request. */
class RequestGuard {
  hasChanged = false;

  constructor(
    private readonly method: DescMethod,
    private readonly parts: GuardParts,
  ) {}

  /**
   * Applies the rule for the owner of a message to its texts.
   *
   * @throws INVALID_ARGUMENT (SECRET_REFUSED) when the rule rejects a text. The error of a part
   *   that fails alone is noted
   */
  check(schema: DescMessage, message: Message, owner = ownerOf(schema, message)): void {
    const action = actionFor(this.parts.rules, owner);
    const kinds: SecretKind[] = [];
    const faults: { field: string; kinds: readonly SecretKind[] }[] = [];
    this.#walk(schema, message, "", owner, (field, text) => {
      if (action === "off") return text;
      const redacted = redactSecrets(text);
      kinds.push(...redacted.kinds);
      if (redacted.kinds.length > 0) faults.push({ field, kinds: redacted.kinds });
      if (action !== "redact" || redacted.kinds.length === 0) return text;
      this.hasChanged = true;
      return redacted.text;
    });
    if (kinds.length === 0) return;
    this.parts.onFound(this.method, action, kinds);
    if (action === "reject") throw secretRefused(faults);
    if (action === "tag") this.#tag(schema, message, kinds);
  }

  /** Calls `replace` with each stored text, and puts its result in the place of the text. */
  #walk(
    schema: DescMessage,
    message: Message,
    path: string,
    owner: Owner,
    replace: (field: string, text: string) => string,
  ): void {
    for (const field of schema.fields) {
      const value = fieldValue(message, field);
      if (value === undefined || value === "") continue;
      const name = path + field.name;
      if (field.message === undefined) {
        if (storedTexts.has(field.name)) replaceTexts(message, field, value, name, replace);
      } else if (field.message.typeName === StructSchema.typeName) {
        setValue(message, field, replaceInJson(value as JsonValue, name, replace));
      } else if (field.fieldKind === "list") {
        for (const [at, part] of (value as Message[]).entries())
          this.#part(field, part, `${name}[${at}].`, owner, replace);
      } else if (field.fieldKind === "message" && isOwn(field.message)) {
        this.#part(field, value as Message, `${name}.`, owner, replace);
      }
    }
  }

  #part(
    field: DescField & { readonly message: DescMessage },
    part: Message,
    path: string,
    owner: Owner,
    replace: (field: string, text: string) => string,
  ): void {
    if (!failsAlone(field)) {
      this.#walk(field.message, part, path, owner, replace);
      return;
    }
    try {
      const own = ownerOf(field.message, part);
      this.check(field.message, part, own.userId === undefined ? owner : own);
    } catch (error) {
      if (!(error instanceof VademecumError)) throw error;
      noteFault(part, error);
    }
  }

  /** Adds tags to the memories of a message. Messages of other records have no tags. */
  #tag(schema: DescMessage, message: Message, kinds: readonly SecretKind[]): void {
    const tags = schema.field["tags"];
    if (tags !== undefined && schema.field["content"] !== undefined) {
      const given = fieldValue(message, tags) as string[];
      // An update without tags keeps those of the memory, and tags of its own would replace them.
      if (schema === MemoryChangesSchema && given.length === 0) return;
      const all = new Set([...given, ...kinds.map(guardTag)]);
      setValue(message, tags, [...all].slice(0, tagsMax));
    }
    for (const field of schema.fields) {
      const value = fieldValue(message, field);
      if (value === undefined || field.message === undefined || failsAlone(field)) continue;
      if (field.fieldKind === "list")
        for (const part of value as Message[]) this.#tagIfFound(field.message, part);
      else if (field.fieldKind === "message" && isOwn(field.message))
        this.#tagIfFound(field.message, value as Message);
    }
  }

  /** Tags a part, if the part itself has secrets. */
  #tagIfFound(schema: DescMessage, part: Message): void {
    const kinds: SecretKind[] = [];
    this.#walk(schema, part, "", {}, (_, text) => {
      kinds.push(...redactSecrets(text).kinds);
      return text;
    });
    if (kinds.length > 0) this.#tag(schema, part, kinds);
  }
}

type Owner = { readonly userId?: string | undefined; readonly agentId?: string | undefined };

function ownerOf(schema: DescMessage, message: Message): Owner {
  const named = namedIds(schema, message);
  const idOf = (wanted: string): string | undefined =>
    named.find(({ kind }) => kind === wanted)?.id;
  return { userId: idOf("user"), agentId: idOf("agent") };
}

/** Whether a message is of Vademecum, and so may have texts. */
function isOwn({ typeName }: DescMessage): boolean {
  return typeName.startsWith("vademecum.");
}

function replaceTexts(
  message: Message,
  field: DescField,
  value: unknown,
  name: string,
  replace: (field: string, text: string) => string,
): void {
  if (typeof value === "string") setValue(message, field, replace(name, value));
  else if (Array.isArray(value))
    setValue(
      message,
      field,
      (value as string[]).map((text, at) => replace(`${name}[${at}]`, text)),
    );
}

/** Replaces texts and names inside of JSON. */
function replaceInJson(
  value: JsonValue,
  path: string,
  replace: (field: string, text: string) => string,
): JsonValue {
  if (typeof value === "string") return replace(path, value);
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item, at) =>
      replaceInJson(item, `${path}[${at}]`, replace),
    );
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    return [replace(path, key), replaceInJson(item, path, replace)] as const;
  });
  return Object.fromEntries(entries);
}

function setValue(message: Message, field: DescField, value: unknown): void {
  if (field.oneof === undefined) Reflect.set(message, field.localName, value);
  else Reflect.set(message, field.oneof.localName, { case: field.localName, value });
}

/** Says what was found, and where, by its kind alone. */
function secretRefused(
  faults: readonly { readonly field: string; readonly kinds: readonly SecretKind[] }[],
): VademecumError {
  const fields = faults.slice(0, 10).map(({ field, kinds }) => {
    const names = [...new Set(kinds)].map((kind) => `${/^[ao]/.test(kind) ? "an" : "a"} ${kind}`);
    const description =
      `seems to have ${names.join(" and ")}, which the server does not store; remove it, and send ` +
      "the request again";
    return { field, description };
  });
  const [first] = fields;
  return new VademecumError("INVALID_ARGUMENT", "SECRET_REFUSED", first?.description ?? "", {
    ...(first !== undefined && { field: first.field }),
    fields,
  });
}
