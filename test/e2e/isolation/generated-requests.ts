import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  type JsonObject,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { StructSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "#gen/buf/validate/validate_pb.js";
import {
  type FieldValues,
  plainMessage,
  plainRequest,
} from "../../../bench/worst/plain-request.js";

/**
 * How much of a request is set:
 *
 * - `plain`: the fields that it must have, and texts that `values` names
 * - `named`: also optional fields that `values` names, and optional messages with such a field, for
 *   example a filter
 * - `full`: also flags, and the largest numbers, but no idempotency key, which `named` has used
 */
type Width = "plain" | "named" | "full";

/** Number fields whose largest values make a call skip records. */
const narrowing = /offset|threshold|gate|min|half_life|version/;

/** A fixed time, so that scores do not depend on the time of the test. */
const referenceTime = timestampFromDate(new Date("2030-01-01T00:00:00Z"));

/**
 * Returns requests of an RPC about records: one for each entry of `values`, each width and each
 * member of a oneof. Leaves out requests that name no user and no run, if the RPC has requests that
 * do.
 */
export function generatedRequests(
  method: DescMethod,
  values: readonly FieldValues[],
): readonly JsonObject[] {
  const requests = values
    .flatMap((names) => variantsOf(method.input, names))
    .flatMap((names) =>
      (["plain", "named", "full"] as const).map((width) => {
        const request = plainRequest(method, names);
        fill(method.input, request, names, width);
        return toJson(method.input, request) as JsonObject;
      }),
    );
  const different = [...new Map(requests.map((it) => [JSON.stringify(it), it])).values()];
  const scoped = different.filter((request) => namesOwner(request));
  return scoped.length > 0 ? scoped : different;
}

/** Returns `values` once for each member of a oneof of the request, without the other members. */
function variantsOf({ oneofs }: DescMessage, values: FieldValues): readonly FieldValues[] {
  return oneofs.reduce<readonly FieldValues[]>(
    (variants, { fields }) =>
      variants.flatMap((variant) =>
        fields.map(({ name }) => {
          const others = Object.entries(variant).filter(([key]) =>
            fields.every((field) => field.name !== key),
          );
          return { ...Object.fromEntries(others), [name]: variant[name] ?? [] };
        }),
      ),
    [values],
  );
}

function fill(schema: DescMessage, message: Message, values: FieldValues, width: Width): void {
  const fields = reflect(schema, message);
  for (const field of schema.fields) {
    if (field.fieldKind === "message" && field.name === "reference_time") {
      fields.set(field, reflect(field.message, referenceTime));
    } else if (field.fieldKind === "message" && field.oneof === undefined) {
      const inner = partOf(field.message, fields.isSet(field), values, width);
      if (inner !== undefined) Reflect.set(message, field.localName, inner);
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      const item = partOf(field.message, fields.get(field).size > 0, values, width);
      if (item !== undefined) Reflect.set(message, field.localName, [item]);
    } else if (width !== "plain" && field.fieldKind === "scalar" && field.oneof === undefined) {
      const value = fields.isSet(field) ? undefined : scalarOf(field, values, width);
      if (value !== undefined) fields.set(field, value);
    }
  }
}

/** Returns a message for a field; `undefined` if the field is left out. */
function partOf(
  schema: DescMessage,
  isNeeded: boolean,
  values: FieldValues,
  width: Width,
): unknown {
  if (!isNeeded && (width === "plain" || !schema.fields.some(({ name }) => name in values)))
    return undefined;
  if (schema.typeName === StructSchema.typeName) return { text: values["content"]?.[0] ?? "" };
  const part = plainMessage(schema, values);
  fill(schema, part, values, width);
  return part;
}

function scalarOf(field: DescField & { fieldKind: "scalar" }, values: FieldValues, width: Width) {
  if (field.name === "idempotency_key" && width === "full") return undefined;
  const named = values[field.name]?.[0];
  if (field.scalar === ScalarType.STRING) return named;
  if (named !== undefined) return field.scalar === ScalarType.INT64 ? BigInt(named) : Number(named);
  if (width === "named") return undefined;
  if (field.scalar === ScalarType.BOOL) return true;
  if (narrowing.test(field.name)) return undefined;
  const { value } = getOption(field, fieldRules).type;
  const bound = value !== undefined && "lessThan" in value ? value.lessThan : undefined;
  return bound?.case === "lte" ? bound.value : undefined;
}

/** Whether a part of a request names a user or a run. */
function namesOwner(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    "userId" in value || "runId" in value || Object.values(value).some((part) => namesOwner(part))
  );
}
