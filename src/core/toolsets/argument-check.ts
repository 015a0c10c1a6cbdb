import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { JsonObject } from "../model/json.js";
import { isBlank } from "../text/blank.js";
import type { Parameter, Parameters } from "./parameters.js";

/** Describes faults in the arguments of a tool, for the model. `undefined`: there are none. */
export type ArgumentCheck = (given: JsonObject) => string | undefined;

// `validateSchema` is off: the schemas are code of this project, and Ajv would need more time to
// validate a schema than to compile it.
const ajv = new Ajv({ allErrors: true, verbose: true, validateSchema: false });
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
const compiled = new Map<string, ValidateFunction>();

/** The check of one parameter. */
interface ParameterCheck {
  readonly isOptional: boolean;
  /** Checks the value itself, without the items of a list. */
  readonly value: ValidateFunction;
  /** Checks an item of a list. Absent: the parameter is not a list. */
  readonly item?: ValidateFunction;
}

type ParameterChecks = ReadonlyMap<string, ParameterCheck>;

/** Maximum number of faults that are described to the model. The check stops at the next fault. */
const describedMax = 10;

/** Compiles the check of a tool's arguments. Equal parameters share one check. */
export function compileArgumentCheck(parameters: Parameters): ArgumentCheck {
  const checks: ParameterChecks = new Map(
    Object.entries(parameters).map(([name, parameter]) => [name, compileParameter(parameter)]),
  );
  return (given) => {
    const faults: string[] = [];
    for (const fault of faultsIn(given, checks)) {
      if (faults.length === describedMax) return `${faults.join("; ")}; and more`;
      faults.push(fault);
    }
    return faults.length === 0 ? undefined : faults.join("; ");
  };
}

function compileParameter(parameter: Parameter): ParameterCheck {
  const { optional: isOptional = false, ...schema } = parameter;
  if (schema.type !== "array") return { isOptional, value: compile(schema) };
  const { items, ...list } = schema;
  return { isOptional, value: compile(list), item: compile(items) };
}

function compile(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  return validate;
}

/** Yields the faults one after another, so that the caller can stop the check. */
function* faultsIn(given: JsonObject, checks: ParameterChecks): Generator<string> {
  for (const [name, { isOptional }] of checks)
    if (!isOptional && !Object.hasOwn(given, name)) yield `${name} is missing`;
  const names = [...checks.keys()].join(", ") || "none";
  for (const name of Object.keys(given))
    if (!checks.has(name)) yield `${quote(name)} is no argument of this tool, which takes ${names}`;
  for (const [name, { value: checkValue, item: checkItem }] of checks) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    yield* faultsOf(checkValue, name, value);
    if (checkItem === undefined || !Array.isArray(value)) continue;
    for (const [at, item] of value.entries()) yield* faultsOf(checkItem, `${name}[${at}]`, item);
  }
}

function faultsOf(validate: ValidateFunction, argument: string, value: unknown): string[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // Otherwise Ajv would keep a reference to the argument until the next call.
  validate.errors = null;
  return errors.map((error) => describeFault(error, argument));
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
  { keyword, params, parentSchema, data }: ErrorObject,
  argument: string,
): string {
  const detail = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
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
