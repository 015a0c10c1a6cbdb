import { Ajv, type ErrorObject } from "ajv";
import type { JsonObject } from "../model/json.js";
import { checkedSchema, type Parameters } from "./parameters.js";

/** What is wrong with arguments, in words for the model; `undefined`: nothing. */
export type ArgumentCheck = (given: JsonObject) => string | undefined;

const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true });
ajv.addKeyword({
  keyword: "minBytes",
  type: "string",
  schemaType: "number",
  validate: hasMinBytes,
});
ajv.addKeyword({
  keyword: "maxBytes",
  type: "string",
  schemaType: "number",
  validate: hasMaxBytes,
});

/** Compiles the check of a tool's arguments. */
export function compileArgumentCheck(parameters: Parameters): ArgumentCheck {
  const validate = ajv.compile<JsonObject>(checkedSchema(parameters));
  const names = Object.keys(parameters);
  return (given) =>
    validate(given)
      ? undefined
      : (validate.errors ?? []).map((error) => faultOf(error, names)).join("; ");
}

function hasMinBytes(least: number, text: string): boolean {
  return Buffer.byteLength(text) >= least;
}

/** Also refuses half of a surrogate pair, which has no bytes in UTF-8. */
function hasMaxBytes(most: number, text: string): boolean {
  return text.isWellFormed() && Buffer.byteLength(text) <= most;
}

function faultOf(
  { keyword, params, instancePath, parentSchema, data }: ErrorObject,
  names: readonly string[],
): string {
  // `/tags/3` is `tags[3]`: names of parameters have no character that a JSON pointer escapes.
  const argument = instancePath.slice(1).replace(/\/(\d+)/g, "[$1]");
  const detail = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case "required":
      return `${String(detail["missingProperty"])} is missing`;
    case "additionalProperties":
      return `${quoted(String(detail["additionalProperty"]))} is no argument of this tool, which takes ${names.join(", ") || "none"}`;
    case "type":
      return `${argument} must be ${article(String(detail["type"]))}, and is ${given(data)}`;
    case "minBytes":
    case "maxBytes":
      return `${argument} must have ${bytesAllowed(parentSchema)} bytes of UTF-8, and ${bytesGiven(String(data))}`;
    case "minimum":
    case "maximum":
      return `${argument} must be ${parentSchema?.["minimum"]} to ${parentSchema?.["maximum"]}, and is ${String(data)}`;
    case "maxItems":
      return `${argument} must have at most ${String(detail["limit"])} items, and has ${(data as readonly unknown[]).length}`;
    default:
      throw new Error(`a parameter has the keyword ${keyword}, which has no words`);
  }
}

function bytesAllowed(schema: ErrorObject["parentSchema"]): string {
  const [least, most] = [schema?.["minBytes"], schema?.["maxBytes"]].map((bytes) =>
    Number(bytes ?? 0).toLocaleString("en"),
  );
  return least === "0" ? `at most ${most}` : `${least} to ${most}`;
}

function bytesGiven(text: string): string {
  return text.isWellFormed()
    ? `has ${Buffer.byteLength(text).toLocaleString("en")}`
    : "has half of a surrogate pair";
}

function given(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return article(typeof value);
}

function article(type: string): string {
  if (type === "array") return "a list";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

const quotedMax = 100;

/** A name that the model made up, which may be of any length. */
export function quoted(name: string): string {
  const wellFormed = name.toWellFormed();
  return `'${wellFormed.length <= quotedMax ? wellFormed : `${wellFormed.slice(0, quotedMax).toWellFormed()}…`}'`;
}
