import { type ASTNode, Environment, type ParseResult } from "@marcbachmann/cel-js";
import { errorText, invalidField } from "../model/errors.js";
import { type Instant, millisOfInstant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";

/**
 * CEL types of the variables of an expression, which are the fields of `Memory` in memory.proto. A
 * field that a memory can lack has the type `dyn`, and is null if absent.
 */
const variables = {
  id: "string",
  content: "string",
  memory_type: "string",
  kind: "string",
  tags: "list<string>",
  importance: "double",
  source: "string",
  status: "string",
  restricted: "bool",
  author: "dyn",
  thread_id: "dyn",
  metadata: "map<string, dyn>",
  create_time: "google.protobuf.Timestamp",
  update_time: "google.protobuf.Timestamp",
  event_time: "dyn",
  expire_time: "dyn",
  last_used_time: "dyn",
  supersedes: "dyn",
  superseded_by: "dyn",
  version: "int",
  token_count: "int",
} as const;

type Variables = { readonly [name in keyof typeof variables]: unknown };

/** Macros that evaluate their body once for each element. */
const comprehensions = new Set(["all", "exists", "exists_one", "map", "filter"]);

/**
 * Functions that could block the process or use up its RAM. A regular expression with backtracking
 * took 17 s. A text of 64 KiB splits into 65,536 pieces.
 */
const disabledFunctions = new Set(["matches", "split", "join"]);

/**
 * Fields that can be large. A body that reads one of them for each element would take time in
 * proportion to the product of both sizes.
 */
const largeFields = new Set(["content", "metadata", "tags"]);

/**
 * Maximum time of an expression for all memories of one call, in milliseconds. A filter needs far
 * less, and other calls do not wait for long.
 */
const maxEvaluationMs = 1_000;

/** Maximum nesting of parentheses and calls. A filter needs far less. */
const maxDepth = 32;

/**
 * Returns whether a memory satisfies an expression.
 *
 * @throws INVALID_ARGUMENT (EXPRESSION_TOO_COSTLY) when the evaluations of this expression together have
 *   taken more than a second.
 */
export type Expression = (memory: Memory) => boolean;

/**
 * Creates a compiler of CEL expressions. Creating one is slow, so all calls share it.
 *
 * @returns The compiler. It throws INVALID_ARGUMENT (INVALID_EXPRESSION), with the position of the
 *   error, when an expression has a syntax or type error or is not allowed.
 */
export function createExpressionCompiler(): (source: string) => Expression {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: { maxDepth },
  });
  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
  return (source) => compile(environment, source);
}

function compile(environment: Environment, source: string): Expression {
  const expression = parse(environment, source);
  const checked = expression.check();
  if (!checked.valid) throw invalid(checked.error);
  if (checked.type !== "bool" && checked.type !== "dyn")
    throw invalid(`the expression is of type ${checked.type}; it must be of type bool`);
  rejectCostly(expression.ast, false);
  let spentMs = 0;
  return (memory) => {
    if (spentMs > maxEvaluationMs) throw tooCostly();
    const startMs = performance.now();
    const matches = evaluate(expression, memory);
    spentMs += performance.now() - startMs;
    return matches;
  };
}

/** Evaluates an expression for one memory. An error, such as a missing key, means no match. */
function evaluate(expression: ParseResult, memory: Memory): boolean {
  try {
    return expression(variablesOf(memory)) === true;
  } catch {
    return false;
  }
}

function tooCostly() {
  const description =
    `the expression took more than ${maxEvaluationMs} ms, which is the limit. ` +
    "Simplify it, or select fewer memories by the other conditions of the filter.";
  return invalidField("filter.expression", description, "EXPRESSION_TOO_COSTLY");
}

function parse(environment: Environment, source: string): ParseResult {
  try {
    return environment.parse(source);
  } catch (error) {
    throw invalid(error);
  }
}

function invalid(problem: unknown) {
  const names = Object.keys(variables).join(", ");
  return invalidField(
    "filter.expression",
    `${errorText(problem)}\nAn expression is CEL over the fields ${names}.`,
    "INVALID_EXPRESSION",
  );
}

/**
 * Rejects expressions that could take more than linear time in the size of a memory.
 *
 * @throws INVALID_ARGUMENT (INVALID_EXPRESSION) when the expression uses a disabled function, nests
 *   comprehensions, or reads a large field inside one.
 */
function rejectCostly(node: ASTNode, insideComprehension: boolean): void {
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  if (name !== undefined && disabledFunctions.has(name))
    throw invalid(`the function ${name} is disabled. Use contains, startsWith or endsWith.`);
  if (insideComprehension && node.op === "id" && largeFields.has(node.args)) {
    throw invalid(
      `${node.args} must not be read inside a comprehension. Use the comprehension's variable.`,
    );
  }
  if (node.op !== "rcall" || !comprehensions.has(node.args[0])) {
    for (const child of childNodes(node.args)) rejectCostly(child, insideComprehension);
    return;
  }
  if (insideComprehension)
    throw invalid(`${name} is inside another comprehension. Comprehensions must not be nested.`);
  const [, range, body] = node.args;
  rejectCostly(range, false);
  for (const child of body) rejectCostly(child, true);
}

function childNodes(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childNodes);
  return typeof args === "object" && args !== null && "op" in args ? [args as ASTNode] : [];
}

function variablesOf(memory: Memory): Variables {
  return {
    id: memory.id,
    content: memory.content,
    memory_type: `MEMORY_TYPE_${memory.memoryType}`,
    kind: memory.kind ?? "",
    tags: memory.tags,
    importance: memory.importance,
    source: memory.source ?? "",
    status: `MEMORY_STATUS_${memory.status}`,
    restricted: memory.restricted,
    author: memory.author ?? null,
    thread_id: memory.threadId ?? null,
    metadata: memory.metadata ?? {},
    create_time: dateOf(memory.createTime),
    update_time: dateOf(memory.updateTime),
    event_time: dateOf(memory.eventTime),
    expire_time: dateOf(memory.expireTime),
    last_used_time: dateOf(memory.lastUsedTime),
    supersedes: memory.supersedes ?? null,
    superseded_by: memory.supersededBy ?? null,
    version: BigInt(memory.version),
    token_count: BigInt(memory.tokenCount),
  };
}

function dateOf(instant: Instant | undefined): Date | null {
  return instant === undefined ? null : new Date(millisOfInstant(instant));
}
