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
 * regular expression with backtracking took 17 s. A text of 64 KiB splits into 65,536 pieces.
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
const largeFields = new Set(["content", "metadata", "tags"]);

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

/** Refuses a time that does not exist. The library would read 30 February as a day in March. */
function checkTime(node: ASTNode): void {
  if (node.op !== "call" || node.args[0] !== "timestamp") return;
  const [time] = node.args[1];
  if (time?.op !== "value" || typeof time.args !== "string") return;
  if (!dayAndHourExist(time.args))
    throw new BrokenRule(`timestamp("${time.args}") is not a time that exists.`);
}

/**
 * Refuses disabled functions, times that do not exist, comprehensions inside comprehensions, and
 * large fields inside comprehensions.
 */
function checkCost(node: ASTNode, insideComprehension: boolean): void {
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  const advice = name === undefined ? undefined : disabledFunctions.get(name);
  if (advice !== undefined) throw new BrokenRule(`the function ${name} is disabled. ${advice}`);
  checkTime(node);
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
