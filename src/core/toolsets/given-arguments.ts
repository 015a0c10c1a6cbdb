import { errorText } from "../model/errors.js";
import type { JsonObject } from "../model/json.js";
import { argumentsMaxBytes } from "../model/limits.js";
import { inexactFault, scanJson } from "../text/scan-json.js";

/** The arguments of a tool call: a JSON object, or JSON text as some model APIs return it. */
export type GivenArguments = JsonObject | string;

/**
 * Parses the arguments of a tool call. An empty text means no arguments. For invalid arguments,
 * returns `fault`: what is wrong, for the language model that made the call.
 */
export function readArguments(
  given: GivenArguments,
): { readonly values: JsonObject } | { readonly fault: string } {
  if (typeof given !== "string") return withinLimit(given);
  if (given === "") return { values: {} };
  const { duplicateKey, inexact } = scanJson(Buffer.from(given));
  if (duplicateKey !== undefined)
    return { fault: `they have the name ${JSON.stringify(duplicateKey)} twice` };
  const [number] = inexact;
  if (number !== undefined)
    return { fault: `the value of ${number.path.join(".")} ${inexactFault(number)}` };
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    return { fault: `they are not valid JSON: ${errorText(error)}` };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? withinLimit(value as JsonObject)
    : { fault: "they must be a JSON object" };
}

function withinLimit(values: JsonObject): ReturnType<typeof readArguments> {
  const bytes = Buffer.byteLength(JSON.stringify(values));
  if (bytes <= argumentsMaxBytes) return { values };
  const limit = argumentsMaxBytes.toLocaleString("en");
  const size = bytes.toLocaleString("en");
  return { fault: `they must have at most ${limit} bytes as compact JSON, but have ${size}` };
}
