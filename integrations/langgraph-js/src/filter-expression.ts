import { isObject } from "./json-values.js";

const maxBytes = 2048;

const comparisons: Readonly<Record<string, string>> = {
  $gt: ">",
  $gte: ">=",
  $lt: "<",
  $lte: "<=",
};

/**
 * A filter of LangGraph as the CEL expression that the server checks on each item, before it counts or ranks.
 * @throws RangeError if an operator is not known, a value is not JSON, or the filter is larger than the server takes (2 KiB as CEL)
 */
export function filterExpression(filter: Record<string, unknown> | undefined): string | undefined {
  if (filter === undefined || Object.keys(filter).length === 0) return undefined;
  const expression = entries(filter, "metadata.value");
  const size = Buffer.byteLength(expression);
  if (size > maxBytes)
    throw new RangeError(
      `filter: comes to an expression of ${size} bytes, and at most ${maxBytes} are allowed`,
    );
  return expression;
}

function entries(filter: Record<string, unknown>, place: string): string {
  return Object.entries(filter)
    .map(([key, wanted]) => `(${condition(key, wanted, place)})`)
    .join(" && ");
}

function condition(key: string, wanted: unknown, place: string): string {
  const name = literal(key);
  const isThere = `${name} in ${place}`;
  const value = `${place}[${name}]`;
  if (!isObject(wanted)) return operation("$eq", wanted, isThere, value);
  const given = Object.entries(wanted);
  if (given.some(([operator]) => operator.startsWith("$"))) {
    return given
      .map(([operator, operand]) => operation(operator, operand, isThere, value))
      .join(" && ");
  }
  // Entries that are not named in a nested filter do not matter.
  return `${isThere} && type(${value}) == map${given.length > 0 ? ` && ${entries(wanted, value)}` : ""}`;
}

/** An absent entry equals null, differs from everything else, and is neither greater nor less than anything. */
function operation(operator: string, operand: unknown, isThere: string, value: string): string {
  const isNone = operand === null || operand === undefined;
  const comparison = comparisons[operator];
  if (comparison !== undefined) return `${isThere} && ${value} ${comparison} ${literal(operand)}`;
  switch (operator) {
    case "$eq":
      return isNone
        ? `!(${isThere}) || ${value} == null`
        : `${isThere} && ${value} == ${literal(operand)}`;
    case "$ne":
      return isNone
        ? `${isThere} && ${value} != null`
        : `(!(${isThere}) || ${value} != ${literal(operand)})`;
    case "$in":
      return `${isThere} && ${value} in ${literal(listOf(operator, operand))}`;
    case "$nin":
      return `(!(${isThere}) || !(${value} in ${literal(listOf(operator, operand))}))`;
    default:
      throw new RangeError(
        `filter: ${operator} is not known; there are $eq, $ne, $gt, $gte, $lt, $lte, $in and $nin`,
      );
  }
}

function listOf(operator: string, operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  throw new RangeError(`filter: ${operator} takes a list`);
}

/** A JSON value as CEL writes it. Numbers are doubles, as they are in the server. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("filter: numbers must be finite");
    const digits = String(value);
    return /[.e]/.test(digits) ? digits : `${digits}.0`;
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${literal(key)}: ${literal(item)}`)
      .join(", ")}}`;
  throw new RangeError(`filter: a ${typeof value} is no JSON value`);
}
