/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is an object, but neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an object in the form in which the server stores it. Like `JSON.stringify`, leaves out
 * entries that are `undefined`, and calls `toJSON`.
 *
 * @throws RangeError if JSON cannot represent a value
 */
export function checkedObject(value: object, place: string): JsonObject {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, checkedJson(item, `${place}.${key}`)]),
  );
}

function checkedJson(value: unknown, place: string): Json {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError(`${place}: numbers must be finite`);
    return value;
  }
  if (Array.isArray(value))
    return value.map((item, index) => checkedJson(item, `${place}[${index}]`));
  if (typeof value !== "object")
    throw new RangeError(`${place}: a ${typeof value} is not a JSON value`);
  if ("toJSON" in value && typeof value.toJSON === "function")
    return checkedJson((value.toJSON as () => unknown).call(value), place);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    throw new RangeError(`${place}: a ${value.constructor.name} is not a JSON value`);
  return checkedObject(value, place);
}
