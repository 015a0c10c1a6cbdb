import type { ASTNode } from "@marcbachmann/cel-js";
import { dayAndHourExist } from "../model/instant.js";

/**
 * Name of a macro. Before a filter expression is evaluated, it is wrapped in a call of this macro,
 * which counts the steps of the evaluation (counting-evaluator.ts).
 */
export const countingMacro = "counted";

/** Macros that evaluate their body once for each element. */
export const comprehensions: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "map",
  "filter",
]);

/**
 * Disabled functions, each with advice. Most of them could block the process or use up its RAM. A
 * regular expression with backtracking took 17 s. A text of 16 KiB splits into 16,384 pieces.
 * Deeply nested JSON overflows the stack.
 */
const disabledFunctions = new Map([
  ["matches", "Use contains, startsWith or endsWith."],
  ["split", "Use contains, startsWith or endsWith."],
  ["join", "Test the elements of the list instead."],
  ["json", "Store the values to filter by as fields of metadata."],
  ["bind", "Repeat the expression instead."],
  [countingMacro, "The server itself uses this name."],
]);

/**
 * Fields that can be large. The body of a comprehension must not read them, because it would read
 * the whole field again for each element.
 */
const largeFields = new Set(["metadata", "tags"]);

/** Functions that find a text in another, and the length up to which they take linear time. */
const searches = new Set(["contains", "indexOf", "lastIndexOf"]);
const soughtTextMax = 250;

/** Longest text of a time, a duration or a time zone, in characters. */
const timeTextMax = 40;
/** The library refuses longer texts of times when it evaluates them. */
const timePattern = /^(?=.{20,30}$)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const durationPattern = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;
/** Matches the functions of a time that take a time zone. */
const partOfTime =
  /^get(?:Date|DayOfMonth|DayOfWeek|DayOfYear|FullYear|Hours|Milliseconds|Minutes|Month|Seconds)$/;

/**
 * Returns why an expression is not allowed, or `undefined`. Requires: the expression is free of
 * syntax errors.
 */
export function ruleBrokenBy(root: ASTNode): string | undefined {
  try {
    checkCost(root, false);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRule) return error.message;
    throw error;
  }
}

/** Returns the direct children of a node. `args`: the arguments of the node. */
export function childNodes(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childNodes);
  return typeof args === "object" && args !== null && "op" in args ? [args as ASTNode] : [];
}

class BrokenRule extends Error {}

/** Returns the argument that names the time zone, if a node converts a time to a time zone. */
export function timeZoneOf(node: ASTNode): ASTNode | undefined {
  return node.op === "rcall" && partOfTime.test(node.args[0]) ? node.args[2][0] : undefined;
}

/**
 * Refuses arguments for which a function is slow or wrong: long texts to find, and texts of times
 * that a memory brings. The library reads 30 February as a day in March, and takes the cube of the
 * length of a text to refuse it as a duration.
 */
function checkArguments(node: ASTNode): void {
  if (node.op === "rcall" && searches.has(node.args[0])) {
    if (literalText(node.args[2][0], soughtTextMax) === undefined) {
      throw new BrokenRule(
        `${node.args[0]} takes a literal text of at most ${soughtTextMax} characters.`,
      );
    }
  }
  const zone = timeZoneOf(node);
  if (zone !== undefined && literalText(zone, timeTextMax) === undefined)
    throw new BrokenRule('a time zone must be a literal text, such as "Europe/Paris".');
  if (node.op !== "call") return;
  const [name, [argument]] = node.args;
  if (name === "duration") checkDuration(literalText(argument, timeTextMax));
  const isNumber = argument?.op === "value" && typeof argument.args === "bigint";
  if (name === "timestamp" && !isNumber) checkTime(literalText(argument, timeTextMax));
}

function checkDuration(text: string | undefined): void {
  if (text === undefined || !durationPattern.test(text))
    throw new BrokenRule('duration takes a literal text, such as "1h30m".');
}

function checkTime(text: string | undefined): void {
  if (text === undefined || !timePattern.test(text))
    throw new BrokenRule('timestamp takes a literal text, such as "2026-01-01T00:00:00Z".');
  if (!dayAndHourExist(text))
    throw new BrokenRule(`timestamp("${text}") is not a time that exists.`);
}

/** Returns the text that a node writes, or `undefined` for longer texts and other nodes. */
function literalText(node: ASTNode | undefined, lengthMax: number): string | undefined {
  return node?.op === "value" && typeof node.args === "string" && node.args.length <= lengthMax
    ? node.args
    : undefined;
}

/**
 * Refuses disabled functions, slow or wrong arguments, comprehensions inside comprehensions, and
 * large fields inside comprehensions.
 */
function checkCost(node: ASTNode, insideComprehension: boolean): void {
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  const advice = name === undefined ? undefined : disabledFunctions.get(name);
  if (advice !== undefined) throw new BrokenRule(`the function ${name} is disabled. ${advice}`);
  checkArguments(node);
  if (insideComprehension && node.op === "id" && largeFields.has(node.args)) {
    throw new BrokenRule(
      `${node.args} is not available inside a comprehension. Read the comprehension's variable, ` +
        "or move the condition outside.",
    );
  }
  if (node.op !== "rcall" || !comprehensions.has(node.args[0])) {
    for (const child of childNodes(node.args)) checkCost(child, insideComprehension);
    return;
  }
  if (insideComprehension) {
    throw new BrokenRule(
      `${name} is inside another comprehension. Comprehensions must not be nested.`,
    );
  }
  const [, range, body] = node.args;
  checkCost(range, false);
  for (const child of body) checkCost(child, true);
}
