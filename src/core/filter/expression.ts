import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { errorText, invalidField } from "../model/errors.js";
import { type Instant, millisOfInstant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type CountedExpression, CountingEvaluator, TooManySteps } from "./counting-evaluator.js";
import { ruleBrokenBy } from "./expression-rules.js";

/**
 * CEL types of the variables of an expression. The variables are the fields of `Memory` in
 * memory.proto, except `namespace`, `content` and `embedding`. An absent `kind` or `source` is an
 * empty text, and absent `metadata` is an empty map. Any other field that a memory can lack has the
 * type `dyn`, and is null if absent.
 */
const variables = {
  id: "string",
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
  supersedes: "dyn",
  superseded_by: "dyn",
  version: "int",
  token_count: "int",
  external_id: "dyn",
} as const;

type Variables = { readonly [name in keyof typeof variables]: unknown };

/**
 * Maximum number of steps of one evaluation. With the slowest inputs of `npm run bench:filters`, a
 * step takes less than 200 ns. So one evaluation takes less than 5 ms.
 */
export const maxStepsPerEvaluation = 25_000;

/**
 * Maximum time of an expression for all memories of one call, in milliseconds. A filter needs far
 * less.
 */
const maxEvaluationMs = 1_000;

/** Maximum nesting of parentheses and calls. A filter needs far less. */
const maxDepth = 32;

/** A compiled expression. */
export interface Expression {
  /**
   * Returns whether a memory satisfies the expression. Returns false when the evaluation fails, for
   * example because the metadata lacks a key.
   *
   * @throws INVALID_ARGUMENT (FILTER_TOO_EXPENSIVE) when this evaluation needs more than 25,000
   *   steps, or all evaluations of this expression together have taken more than a second.
   */
  matches(memory: Memory): boolean;
  /** Number of steps of the last evaluation. */
  readonly steps: number;
}

/**
 * Creates a compiler of CEL expressions. Creating a compiler is slow, so create one for all calls.
 * `nowMs` is a clock that never goes back.
 *
 * @returns The compiler. It throws INVALID_ARGUMENT (INVALID_EXPRESSION), with the position of the
 *   error, when an expression has a syntax or type error or is not allowed.
 */
export function createExpressionCompiler(
  nowMs: () => number = () => performance.now(),
): (source: string) => Expression {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: { maxDepth },
  });
  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
  const evaluator = new CountingEvaluator(environment, maxStepsPerEvaluation);
  return (source) => {
    check(environment, source);
    return limitTime(prepare(evaluator, source), nowMs);
  };
}

/** Throws INVALID_ARGUMENT (INVALID_EXPRESSION) when an expression has an error. */
function check(environment: Environment, source: string): void {
  const expression = parse(environment, source);
  const brokenRule = ruleBrokenBy(expression.ast);
  if (brokenRule !== undefined) throw invalid(brokenRule);
  const checked = expression.check();
  if (!checked.valid) throw invalid(checked.error);
  if (checked.type !== "bool" && checked.type !== "dyn")
    throw invalid(`the expression is of type ${checked.type}; it must be of type bool`);
}

function prepare(evaluator: CountingEvaluator, source: string): CountedExpression {
  try {
    return evaluator.prepare(source);
  } catch (error) {
    throw invalid(error);
  }
}

function limitTime(expression: CountedExpression, nowMs: () => number): Expression {
  let spentMs = 0;
  return {
    matches(memory) {
      if (spentMs > maxEvaluationMs) throw tooSlow();
      const startMs = nowMs();
      const matches = evaluate(expression, memory);
      spentMs += nowMs() - startMs;
      return matches;
    },
    get steps() {
      return expression.steps;
    },
  };
}

/** Evaluates an expression for one memory. An error, such as a missing key, means no match. */
function evaluate(expression: CountedExpression, memory: Memory): boolean {
  try {
    return expression.evaluate(variablesOf(memory)) === true;
  } catch (error) {
    if (error instanceof TooManySteps) throw tooManySteps();
    return false;
  }
}

function tooManySteps() {
  const description =
    `the expression takes more than ${maxStepsPerEvaluation.toLocaleString("en")} steps for one ` +
    "memory, which is the limit. Simplify it, or exclude large memories by the other conditions " +
    "of the filter.";
  return invalidField("filter.expression", description, "FILTER_TOO_EXPENSIVE");
}

function tooSlow() {
  const description =
    `the expression took more than ${maxEvaluationMs} ms for all memories, which is the limit. ` +
    "Simplify it, or select fewer memories by the other conditions of the filter.";
  return invalidField("filter.expression", description, "FILTER_TOO_EXPENSIVE");
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
    `${errorText(problem)}\nAn expression is CEL over the fields ${names}. ` +
      "To search the content, use the condition content_contains.",
    "INVALID_EXPRESSION",
  );
}

function variablesOf(memory: Memory): Variables {
  return {
    id: memory.id,
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
    supersedes: memory.supersedes ?? null,
    superseded_by: memory.supersededBy ?? null,
    version: BigInt(memory.version),
    token_count: BigInt(memory.tokenCount),
    external_id: memory.externalId ?? null,
  };
}

function dateOf(instant: Instant | undefined): Date | null {
  return instant === undefined ? null : new Date(millisOfInstant(instant));
}
