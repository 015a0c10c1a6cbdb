import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { JsonObject } from "../model/json.js";
import { isBlank } from "../text/blank.js";
import { checkedSchema, type Parameters } from "./parameters.js";

/** Describes the faults of arguments to the model. Returns `undefined` if there are none. */
export type ArgumentCheck = (given: JsonObject) => string | undefined;

const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true });
ajv.addKeyword({
  keyword: "minBytes",
  type: "string",
  schemaType: "number",
  validate: hasMinBytes,
});
ajv.addKeyword({
  keyword: "notBlank",
  type: "string",
  schemaType: "boolean",
  validate: isNotBlank,
});
ajv.addKeyword({
  keyword: "maxBytes",
  type: "string",
  schemaType: "number",
  validate: hasMaxBytes,
});

/** The compiled checks, by their schemas as JSON. All toolsets of the process share them. */
const compiled = new Map<string, ValidateFunction<JsonObject>>();

/** Compiles the check of a tool's arguments. Tools with equal parameters share one check. */
export function compileArgumentCheck(parameters: Parameters): ArgumentCheck {
  const schema = checkedSchema(parameters);
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile<JsonObject>(schema);
  compiled.set(key, validate);
  const names = Object.keys(parameters);
  return (given) => {
    if (validate(given)) return undefined;
    const errors = validate.errors ?? [];
    // Otherwise Ajv would hold the arguments of this call until the next one.
    validate.errors = null;
    return describeFaults(errors, names);
  };
}

/** Faults that are described to the model. The rest is counted. */
const describedMax = 10;

function describeFaults(errors: readonly ErrorObject[], names: readonly string[]): string {
  const described = errors.slice(0, describedMax).map((error) => describeFault(error, names));
  const more = errors.length - described.length;
  if (more > 0) described.push(`and ${more.toLocaleString("en")} more`);
  return described.join("; ");
}

function isNotBlank(_: boolean, text: string): boolean {
  return text === "" || !isBlank(text);
}

function hasMinBytes(minBytes: number, text: string): boolean {
  return Buffer.byteLength(text) >= minBytes;
}

/** Also refuses half of a surrogate pair, which UTF-8 cannot encode. */
function hasMaxBytes(maxBytes: number, text: string): boolean {
  return text.isWellFormed() && Buffer.byteLength(text) <= maxBytes;
}

function describeFault(
  { keyword, params, instancePath, parentSchema, data }: ErrorObject,
  names: readonly string[],
): string {
  // `/tags/3` becomes `tags[3]`. No parameter has a name that a JSON pointer would escape.
  const argument = instancePath.slice(1).replace(/\/(\d+)/g, "[$1]");
  const detail = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case "required":
      return `${String(detail["missingProperty"])} is missing`;
    case "additionalProperties":
      return (
        `${quote(String(detail["additionalProperty"]))} is no argument of this tool, ` +
        `which takes ${names.join(", ") || "none"}`
      );
    case "type":
      return `${argument} must be ${withArticle(String(detail["type"]))}, and is ${describeType(data)}`;
    case "notBlank":
      return `${argument} must not be white space alone`;
    case "minBytes":
    case "maxBytes":
      return (
        `${argument} must have ${byteLimits(parentSchema)} bytes of UTF-8, ` +
        `and ${describeBytes(String(data))}`
      );
    case "minimum":
    case "maximum":
      return (
        `${argument} must be ${parentSchema?.["minimum"]} to ${parentSchema?.["maximum"]}, ` +
        `and is ${String(data)}`
      );
    case "maxItems":
      return (
        `${argument} must have at most ${String(detail["limit"])} items, ` +
        `and has ${(data as readonly unknown[]).length}`
      );
    default:
      throw new Error(`no message for the keyword ${keyword} of a parameter`);
  }
}

function byteLimits(schema: ErrorObject["parentSchema"]): string {
  const [least, most] = [schema?.["minBytes"], schema?.["maxBytes"]].map((bytes) =>
    Number(bytes ?? 0).toLocaleString("en"),
  );
  return least === "0" ? `at most ${most}` : `${least} to ${most}`;
}

function describeBytes(text: string): string {
  return text.isWellFormed()
    ? `has ${Buffer.byteLength(text).toLocaleString("en")}`
    : "has half of a surrogate pair";
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return withArticle(typeof value);
}

function withArticle(type: string): string {
  if (type === "array") return "a list";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** Longest name in a message, in UTF-16 units. */
const quotedMax = 100;

/** Quotes a name that the model made up. Cuts it, because it may have any length. */
export function quote(name: string): string {
  if (name.length <= quotedMax) return `'${name.toWellFormed()}'`;
  return `'${name.slice(0, quotedMax).toWellFormed()}…'`;
}
