import { type ASTNode, Environment, type ParseResult } from "@marcbachmann/cel-js";
import { errorText, invalidField } from "../model/errors.js";
import { type Instant, millisOfInstant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";

/** Types of the variables of an expression: the fields of `Memory` in memory.proto, by name. What a memory may lack is `dyn` and null where absent. */
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

/** Operations that run their body once for each element. */
const comprehensions = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Functions that could block the process or fill its memory: a backtracking regular expression took 17 s, and a text of 64 KiB splits into 65,536 pieces. */
const unavailable = new Set(["matches", "split", "join"]);

/** Fields that may be large: a body that looks at one for each element takes the product of two sizes. */
const largeFields = new Set(["content", "metadata", "tags"]);

/** Time that an expression may take for all memories of one call: far above what a filter needs, and short enough for everybody else. */
const maxEvaluationMs = 1_000;

/** Parentheses and calls inside one another; far above what a filter needs. */
const maxDepth = 32;

/** Tells whether a memory satisfies an expression. */
export type Expression = (memory: Memory) => boolean;

/** Makes the compiler of CEL expressions; its set-up takes a while, so one serves all calls. */
export function createExpressionCompiler(): (source: string) => Expression {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: { maxDepth },
  });
  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
  return (source) => compile(environment, source);
}

/** @throws INVALID_ARGUMENT (INVALID_EXPRESSION) with the place of the error, for syntax, types, unknown names and what is not available. */
function compile(environment: Environment, source: string): Expression {
  const expression = parse(environment, source);
  const checked = expression.check();
  if (!checked.valid) throw invalid(checked.error);
  if (checked.type !== "bool" && checked.type !== "dyn")
    throw invalid(`must be true or false, not a value of type ${checked.type}`);
  refuseCostly(expression.ast, false);
  let spentMs = 0;
  return (memory) => {
    if (spentMs > maxEvaluationMs) throw tooCostly();
    const startMs = performance.now();
    const matches = evaluate(expression, memory);
    spentMs += performance.now() - startMs;
    return matches;
  };
}

/** An error while looking at one memory, such as a key that it does not have, means no match. */
function evaluate(expression: ParseResult, memory: Memory): boolean {
  try {
    return expression(variablesOf(memory)) === true;
  } catch {
    return false;
  }
}

function tooCostly() {
  const description = `takes more than ${maxEvaluationMs} ms; narrow what it has to look at by the other conditions of the filter, or make it simpler`;
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

/** Refuses what takes more than time in proportion to the memory: see the constants above. */
function refuseCostly(node: ASTNode, insideComprehension: boolean): void {
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  if (name !== undefined && unavailable.has(name))
    throw invalid(`${name} is not available; use contains, startsWith or endsWith`);
  if (insideComprehension && node.op === "id" && largeFields.has(node.args)) {
    throw invalid(`${node.args} inside a comprehension is not available; there, use its variable`);
  }
  if (node.op !== "rcall" || !comprehensions.has(node.args[0])) {
    for (const child of childNodes(node.args)) refuseCostly(child, insideComprehension);
    return;
  }
  if (insideComprehension) throw invalid(`${name} inside another comprehension is not available`);
  const [, range, body] = node.args;
  refuseCostly(range, false);
  for (const child of body) refuseCostly(child, true);
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
