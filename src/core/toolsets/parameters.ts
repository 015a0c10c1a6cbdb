import type { JsonObject, JsonValue } from "../model/json.js";

/** The fields of every parameter. */
interface Described {
  readonly description: string;
  /** Whether the model may omit the parameter. Default false. */
  readonly optional?: true;
}

interface Text {
  readonly type: "string";
  /**
   * Minimum length in bytes of UTF-8. JSON Schema has no keyword for bytes, so the limits are
   * checked but not published. Default 0.
   */
  readonly minBytes?: number;
  readonly maxBytes: number;
  /** Whether white space alone is refused. Checked but not published. Default false. */
  readonly notBlank?: true;
}

/** A parameter of a tool: JSON Schema, with limits in bytes. */
export type Parameter = Described &
  (
    | Text
    | { readonly type: "boolean" }
    | { readonly type: "integer" | "number"; readonly minimum: number; readonly maximum: number }
    | { readonly type: "array"; readonly items: Text; readonly maxItems: number }
  );

/** Parameters by name, in the order that models see. */
export type Parameters = Readonly<Record<string, Parameter>>;

type ValueOf<P extends Parameter> = P extends { readonly type: "string" }
  ? string
  : P extends { readonly type: "boolean" }
    ? boolean
    : P extends { readonly type: "array" }
      ? readonly string[]
      : number;

type OptionalNames<P extends Parameters> = {
  [N in keyof P]: P[N] extends { readonly optional: true } ? N : never;
}[keyof P];

/** The arguments that match the parameters. */
export type ArgumentsOf<P extends Parameters> = {
  readonly [N in Exclude<keyof P, OptionalNames<P>>]: ValueOf<P[N]>;
} & {
  readonly [N in OptionalNames<P>]?: ValueOf<P[N]>;
};

/** Keywords that JSON Schema does not have. They are checked but not published. */
const ownKeywords: ReadonlySet<string> = new Set(["optional", "minBytes", "maxBytes", "notBlank"]);

/**
 * Returns the schema that models see: JSON Schema alone. With `isStrict`, every parameter is
 * required, as strict modes of models want it, and an optional one may be null instead.
 */
export function publishedSchema(parameters: Parameters, isStrict = false): JsonObject {
  const required = Object.keys(parameters).filter(
    (name) => isStrict || parameters[name]?.optional !== true,
  );
  const properties: Record<string, JsonObject> = {};
  for (const [name, { optional = false, ...schema }] of Object.entries(parameters)) {
    const nullable = isStrict && optional ? { type: [schema.type, "null"] } : {};
    properties[name] = withoutOwnKeywords({ ...schema, ...nullable } as JsonObject) as JsonObject;
  }
  return { type: "object", properties, required, additionalProperties: false };
}

/** Returns the arguments without the optional ones that are null. */
export function withoutNulls(given: JsonObject, parameters: Parameters): JsonObject {
  const kept = Object.entries(given).filter(
    ([name, value]) =>
      value !== null || !Object.hasOwn(parameters, name) || parameters[name]?.optional !== true,
  );
  return Object.fromEntries(kept);
}

function withoutOwnKeywords(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutOwnKeywords);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(([keyword]) => !ownKeywords.has(keyword));
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, withoutOwnKeywords(inner)]));
}
