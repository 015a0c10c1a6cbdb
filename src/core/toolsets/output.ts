import type { JsonObject } from "../model/json.js";

/**
 * Returns the JSON Schema of an object with these properties, for hosts that read the values of a
 * tool.
 *
 * @param optional the properties that may be absent
 */
export function outputOf(
  properties: Readonly<Record<string, JsonObject>>,
  optional: readonly string[] = [],
): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}
