import { type ASTNode, Environment, type ParseResult } from "@marcbachmann/cel-js";
import { invalidField } from "../errors.js";
import { type Instant, millisOfInstant } from "../instant.js";
import type { Memory } from "../memory.js";

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

/** Operations that run their body once for each element: inside one another they would multiply. */
const comprehensions = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Parentheses and calls inside one another; far above what a filter needs. */
const maxDepth = 32;

/** Tells whether a memory satisfies an expression. */
export type Expression = (memory: Memory) => boolean;

/** Makes the compiler of CEL expressions; its set-up takes a while, so one serves all calls. */
export function createExpressionCompiler(): (source: string) => Expression {
  const environment = new Environment({ unlistedVariablesAreDyn: false, homogeneousAggregateLiterals: false, limits: { maxDepth } });
  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
  return (source) => compile(environment, source);
}

/** @throws INVALID_ARGUMENT (INVALID_EXPRESSION) with the place of the error, for syntax, types, unknown names and what is not available. */
function compile(environment: Environment, source: string): Expression {
  const expression = parse(environment, source);
  const checked = expression.check();
  if (!checked.valid) throw invalid(checked.error);
  if (checked.type !== "bool" && checked.type !== "dyn") throw invalid(`must be true or false, not a value of type ${checked.type}`);
  refuseCostly(expression.ast, false);
  return (memory) => {
    try {
      return expression(variablesOf(memory)) === true;
    } catch {
      // An error while looking at one memory, such as a key that it does not have, means no match.
      return false;
    }
  };
}

function parse(environment: Environment, source: string): ParseResult {
  try {
    return environment.parse(source);
  } catch (error) {
    throw invalid(error);
  }
}

function invalid(problem: unknown) {
  const text = problem instanceof Error ? problem.message : String(problem);
  const names = Object.keys(variables).join(", ");
  return invalidField("filter.expression", `${text}\nAn expression is CEL over the fields ${names}.`, "INVALID_EXPRESSION");
}

/** Refuses what could block the process: regular expressions (a backtracking one took 17 s) and comprehensions inside comprehensions (the product of their lengths). */
function refuseCostly(node: ASTNode, insideComprehension: boolean): void {
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  if (name === "matches") throw invalid("matches is not available; use contains, startsWith or endsWith");
  const comprehension = node.op === "rcall" && comprehensions.has(node.args[0]);
  if (comprehension && insideComprehension) throw invalid(`${name} inside another comprehension is not available`);
  for (const child of childNodes(node.args)) refuseCostly(child, insideComprehension || comprehension);
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
