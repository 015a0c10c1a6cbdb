import type { FieldViolation } from "../../core/model/errors.js";
import type { JsonObject, JsonValue } from "../../core/model/json.js";

/**
 * Maximum depth of a JSON object. The object itself is level 1. Binary decoders of other languages
 * fail from about 33 levels.
 */
const structMaxLevels = 16;

/**
 * Returns the first fault of a `google.protobuf.Struct`: text that is not Unicode, a number that
 * JSON cannot write, too many levels or too many bytes.
 *
 * @param field path of the Struct in the request
 * @param maxBytes limit of its compact JSON, in bytes of UTF-8
 */
export function structViolation(
  value: JsonObject,
  field: string,
  maxBytes: number,
): FieldViolation | undefined {
  const fault = faultIn(value, 1);
  if (fault !== undefined) return { field: field + fault.path, description: fault.description };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return undefined;
  const limit = maxBytes.toLocaleString("en");
  const size = bytes.toLocaleString("en");
  const description = `must have at most ${limit} bytes as compact JSON, but has ${size}`;
  return { field, description };
}

/**
 * A fault in a value, or below it. `path` is relative to the value: each caller puts its own key
 * before the path. So no path is built for a valid value.
 */
interface Fault {
  readonly path: string;
  readonly description: string;
}

function faultIn(value: JsonValue, level: number): Fault | undefined {
  if (typeof value === "string") {
    return value.isWellFormed()
      ? undefined
      : { path: "", description: "must be well-formed Unicode, but has a lone surrogate" };
  }
  if (typeof value === "number") {
    return Number.isFinite(value)
      ? undefined
      : { path: "", description: `must be a finite number, but is ${value}` };
  }
  return typeof value === "object" && value !== null ? faultInside(value, level) : undefined;
}

function faultInside(value: JsonObject | readonly JsonValue[], level: number): Fault | undefined {
  if (level > structMaxLevels) {
    return {
      path: "",
      description:
        `is nested too deep: at most ${structMaxLevels} levels, ` +
        "the outermost object counted as 1",
    };
  }
  const keyed = !Array.isArray(value);
  for (const [key, item] of Object.entries<JsonValue>(value)) {
    if (keyed && !key.isWellFormed()) {
      return {
        path: keyPath(key),
        description: "must have a key of well-formed Unicode, but its key has a lone surrogate",
      };
    }
    const fault = faultIn(item, level + 1);
    if (fault !== undefined)
      return {
        path: (keyed ? keyPath(key) : `[${key}]`) + fault.path,
        description: fault.description,
      };
  }
  return undefined;
}

/** Returns `.name`, or `["any text"]` as JSON for a key that is no plain name. */
function keyPath(key: string): string {
  return /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Returns the path of a key in an object of the given path. */
export function pathOfKey(key: string, path: string): string {
  const end = keyPath(key);
  return path === "" && end.startsWith(".") ? key : path + end;
}
