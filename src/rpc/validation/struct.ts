import type { FieldViolation } from "../../core/model/errors.js";
import type { JsonObject, JsonValue } from "../../core/model/json.js";

/** Levels that a JSON object may have, itself counted as 1. Binary decoders of other languages give up from about 33. */
export const structMaxLevels = 16;

/** The first fault of a `google.protobuf.Struct`: text that is not Unicode, a number that JSON does not have, too many levels or bytes. */
export function structViolation(
  value: JsonObject,
  field: string,
  maxBytes: number,
): FieldViolation | undefined {
  const fault = faultIn(value, 1);
  if (fault !== undefined) return { field: field + fault.path, description: fault.description };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return undefined;
  const description = `must have at most ${maxBytes.toLocaleString("en")} bytes as compact JSON, and has ${bytes.toLocaleString("en")}`;
  return { field, description };
}

/** Paths are put together on the way out of a fault, so that sound values cost none. */
interface Fault {
  readonly path: string;
  readonly description: string;
}

function faultIn(value: JsonValue, level: number): Fault | undefined {
  if (typeof value === "string") {
    return value.isWellFormed()
      ? undefined
      : { path: "", description: "must be well-formed Unicode, and has a lone surrogate" };
  }
  if (typeof value === "number") {
    return Number.isFinite(value)
      ? undefined
      : { path: "", description: `must be a finite number, and is ${value}` };
  }
  return typeof value === "object" && value !== null ? faultInside(value, level) : undefined;
}

function faultInside(value: JsonObject | readonly JsonValue[], level: number): Fault | undefined {
  if (level > structMaxLevels) {
    return {
      path: "",
      description: `is nested too deep: at most ${structMaxLevels} levels, the outermost object counted as 1`,
    };
  }
  const keyed = !Array.isArray(value);
  for (const [key, item] of Object.entries<JsonValue>(value)) {
    if (keyed && !key.isWellFormed()) {
      return {
        path: keyPath(key),
        description: "must have a well-formed Unicode key, and its key has a lone surrogate",
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

/** `.name`, or `["any text"]` with what is not ASCII letters escaped as in JSON where it is no Unicode. */
function keyPath(key: string): string {
  return /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
