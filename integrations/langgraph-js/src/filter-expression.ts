import { isObject } from "./json-values.js";

const maxBytes = 2048;

const comparisons: Readonly<Record<string, string>> = {
  $gt: ">",
  $gte: ">=",
  $lt: "<",
  $lte: "<=",
};

/**
 * Converts a LangGraph filter to a CEL expression. The server counts and ranks only items for which
 * the expression is true.
 *
 * @throws RangeError if an operator is unknown, `$in` or `$nin` has no list, a value is not JSON,
 * or the expression is larger than 2 KiB
 */
export function filterExpression(filter: Record<string, unknown> | undefined): string | undefined {
  if (filter === undefined || Object.keys(filter).length === 0) return undefined;
  const expression = entries(filter, "metadata.value");
  const size = Buffer.byteLength(expression);
  if (size > maxBytes)
    throw new RangeError(
      `filter: makes an expression of ${size} bytes; at most ${maxBytes} are allowed`,
    );
  return expression;
}

function entries(filter: Record<string, unknown>, place: string): string {
  return Object.entries(filter)
    .map(([key, expected]) => `(${condition(key, expected, place)})`)
    .join(" && ");
}

function condition(key: string, expected: unknown, place: string): string {
  const name = literal(key);
  const isThere = `${name} in ${place}`;
  const value = `${place}[${name}]`;
  if (!isObject(expected)) return operation("$eq", expected, isThere, value);
  const operations = Object.entries(expected);
  if (operations.some(([operator]) => operator.startsWith("$"))) {
    return operations
      .map(([operator, operand]) => operation(operator, operand, isThere, value))
      .join(" && ");
  }
  // A nested filter ignores entries that it does not name.
  return `${isThere} && type(${value}) == map${operations.length > 0 ? ` && ${entries(expected, value)}` : ""}`;
}

/**
 * Returns the CEL expression of one operation. An absent entry has these rules: it equals null, it
 * differs from every other value, and it is never greater or less.
 *
 * @param isThere the CEL expression that is true if the entry exists
 * @param value the CEL expression of the entry
 */
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
        `filter: ${operator} is unknown; use $eq, $ne, $gt, $gte, $lt, $lte, $in or $nin`,
      );
  }
}

function listOf(operator: string, operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  throw new RangeError(`filter: ${operator} takes a list`);
}

/** Converts a JSON value to a CEL literal. Numbers are doubles, as in stored metadata. */
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
  throw new RangeError(`filter: a ${typeof value} is not a JSON value`);
}
