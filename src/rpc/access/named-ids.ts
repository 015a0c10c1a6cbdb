import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { AddTraceRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { defaultTraceUserId } from "../defaults.js";
import { fieldValue } from "../validation/field-value.js";

/** The kind of thing that an id in a request names. */
export type IdKind = "user" | "agent" | "run" | "tool";

/** An id that a request names. */
export interface NamedId {
  readonly kind: IdKind;
  /** Path of its field in the request, such as `namespace.user_id`. */
  readonly field: string;
  readonly id: string;
}

const kindsByField: ReadonlyMap<string, IdKind> = new Map([
  ["user_id", "user"],
  ["agent_id", "agent"],
  ["run_id", "run"],
  ["tool_id", "tool"],
]);

/**
 * Returns the users, agents, runs and tools that a request names, at any depth. Finds them by the
 * names of their fields, so a new request needs no code here. An absent or empty id names nothing;
 * validation refuses it where it is required.
 */
export function namedIds(schema: DescMessage, request: Message): readonly NamedId[] {
  const found: NamedId[] = [];
  collect(schema, request, "", found);
  // A trace without a user belongs to the default user.
  if (schema === AddTraceRequestSchema && !found.some(({ kind }) => kind === "user"))
    found.push({ kind: "user", field: "user_id", id: defaultTraceUserId });
  return found;
}

function collect(schema: DescMessage, message: Message, path: string, found: NamedId[]): void {
  for (const field of fieldsWithIds(schema)) {
    const value = fieldValue(message, field);
    if (value === undefined || value === "") continue;
    const kind = kindsByField.get(field.name);
    if (kind !== undefined) {
      found.push({ kind, field: path + field.name, id: value as string });
    } else if (field.message !== undefined) {
      const parts = field.fieldKind === "list" ? (value as Message[]) : [value as Message];
      for (const part of parts) collect(field.message, part, `${path}${field.name}.`, found);
    }
  }
}

const fieldsBySchema = new WeakMap<DescMessage, readonly DescField[]>();

/** Returns the fields that are ids, or messages that contain ids. */
function fieldsWithIds(schema: DescMessage): readonly DescField[] {
  const known = fieldsBySchema.get(schema);
  if (known !== undefined) return known;
  // Sets an empty list first, because a message may contain its own type.
  fieldsBySchema.set(schema, []);
  const fields = schema.fields.filter(
    (field) =>
      kindsByField.has(field.name) ||
      (field.message !== undefined &&
        field.fieldKind !== "map" &&
        fieldsWithIds(field.message).length > 0),
  );
  fieldsBySchema.set(schema, fields);
  return fields;
}
