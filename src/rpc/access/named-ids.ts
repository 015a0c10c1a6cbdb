import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { AddTraceRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { defaultTraceUserId } from "../defaults.js";
import { fieldValue } from "../validation/field-value.js";

/** The kind of thing that an id in a request names. */
export type IdKind = "user" | "agent" | "run" | "tool";

/** An id that a request names. */
export interface NamedId {
  readonly kind: IdKind;
  /** Path of its field in the request, such as `namespace.user_id` or `agent_ids[1]`. */
  readonly field: string;
  readonly id: string;
}

const kinds: readonly IdKind[] = ["user", "agent", "run", "tool"];

/** The kinds by names of fields: for example `user_id`, `user_ids` and `users` hold users. */
const kindsByName: ReadonlyMap<string, IdKind> = new Map(
  kinds.flatMap((kind) => [`${kind}_id`, `${kind}_ids`, `${kind}s`].map((name) => [name, kind])),
);

/** Returns what the ids in a field name; `undefined` if it holds no such ids. */
export function idKindOf(field: DescField): IdKind | undefined {
  const isText = field.fieldKind !== "map" && field.scalar === ScalarType.STRING;
  return isText ? kindsByName.get(field.name) : undefined;
}

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
    const kind = idKindOf(field);
    const name = path + field.name;
    if (kind !== undefined) {
      if (field.fieldKind !== "list") found.push({ kind, field: name, id: value as string });
      else
        for (const [i, id] of (value as string[]).entries())
          found.push({ kind, field: `${name}[${i}]`, id });
    } else if (field.message !== undefined) {
      if (field.fieldKind !== "list") collect(field.message, value as Message, `${name}.`, found);
      else
        for (const [i, part] of (value as Message[]).entries())
          collect(field.message, part, `${name}[${i}].`, found);
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
      idKindOf(field) !== undefined ||
      (field.message !== undefined &&
        field.fieldKind !== "map" &&
        fieldsWithIds(field.message).length > 0),
  );
  fieldsBySchema.set(schema, fields);
  return fields;
}
