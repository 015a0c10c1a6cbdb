/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Any text. */
export const text: Schema = { type: "string" };
/** An id, a label or another name. */
export const name: Schema = { type: "string", minLength: 1, maxLength: 1024 };
/** A boolean. */
export const yesOrNo: Schema = { type: "boolean" };
/** Up to 2^52, so that it can still be counted up. */
export const count: Schema = { type: "integer", minimum: 0, maximum: 2 ** 52 };
/** A version: 1 or greater. */
export const version: Schema = { ...count, minimum: 1 };
/** `token_count` and other numbers that messages hold in 32 bits. */
export const smallCount: Schema = { ...count, maximum: 2 ** 31 - 1 };
/** Milliseconds that a duration of a message can hold: about 10,000 years. */
export const durationMs: Schema = { type: "number", minimum: 0, maximum: 315_576_000_000_000 };
/** Milliseconds since 1970 that a date can hold. */
export const timeMs: Schema = { type: "integer", minimum: 0, maximum: 8_640_000_000_000_000 };
/** Any JSON object. */
export const object: Schema = { type: "object" };
/** Bytes in hexadecimal. */
export const hexadecimal: Schema = { type: "string", pattern: "^[0-9a-f]*$" };

/** The years 1 to 9999, as messages hold them. */
export const instant = record({
  seconds: { type: "integer", minimum: -62_135_596_800, maximum: 253_402_300_799 },
  nanos: { type: "integer", minimum: 0, maximum: 999_999_999 },
});

/** Returns the schema of one of some texts. */
export function oneOf(values: readonly string[]): Schema {
  return { enum: values };
}

/** Returns the schema of a list. */
export function listOf(items: Schema, maxItems: number): Schema {
  return { type: "array", items, maxItems };
}

/** Returns the schema of an object with exactly these fields. */
export function record(
  required: Record<string, Schema>,
  optional: Record<string, Schema> = {},
): Schema {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** The key of a record in `keyPositions`, as a value. */
export const position: Schema = { type: "string", pattern: "^0[0-9a-f]{13}$" };
