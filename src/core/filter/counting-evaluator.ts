import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import { childNodes, comprehensions, countingMacro } from "./expression-rules.js";
import { keepTypesFlat, type TypeRegistry } from "./flat-types.js";
import { stepsOf, stepsOfError, type Weights, weightOf } from "./step-costs.js";

/** An expression that counts the steps of its evaluations. */
export interface CountedExpression {
  /**
   * Evaluates the expression. Rethrows errors of the evaluation.
   *
   * @throws TooManySteps when the evaluation needs more than its limit of steps.
   */
  evaluate(variables: object): unknown;
  /** Steps of the last evaluation. */
  readonly steps: number;
}

/** The evaluation has used up its steps. No expression can catch this error. */
export class TooManySteps extends Error {}

/** The evaluator of the CEL library, as macros receive it. */
interface Evaluator {
  /** Evaluates a node. Calls itself for the nodes below. */
  run(node: ASTNode, context: unknown): unknown;
  /** Evaluates a node, and returns its error instead of throwing it. */
  tryEval(node: ASTNode, context: unknown): unknown;
}

/** The library's type checker, as macros receive it. */
interface Checker {
  readonly registry: TypeRegistry;
  check(node: ASTNode, context: unknown): unknown;
}

/** Binary operators that always evaluate both operands. */
const strictOperators: ReadonlySet<string> = new Set([
  ...["==", "!=", "<", "<=", ">", ">=", "in"],
  ...["+", "-", "*", "/", "%"],
]);

/** The nodes whose values decide the cost of an expression. */
interface Plan {
  /**
   * The operands that decide the cost of an operation. The operation evaluates each of them exactly
   * once.
   */
  readonly operands: ReadonlyMap<ASTNode, readonly ASTNode[]>;
  /**
   * Nodes that must be boolean. For any other value, the library walks the value to write its error
   * message, which costs steps.
   */
  readonly conditions: ReadonlySet<ASTNode>;
  readonly stepsPerError: number;
}

const noPlan: Plan = { operands: new Map(), conditions: new Set(), stepsPerError: 0 };

/**
 * Evaluates expressions and counts their steps.
 *
 * The library has no limit for an evaluation, and its operators cannot be replaced. But the library
 * passes its evaluator to macros, and the evaluator's method `run` does all work. So this class
 * wraps every expression in a macro, and replaces `run`.
 *
 * For an operation, `run` evaluates the operands first, and adds the steps that the operation will
 * take with these values. Then the library evaluates the operation. For its operands, `run` returns
 * the known values instead of evaluating them again.
 */
export class CountingEvaluator {
  readonly #environment: Environment;
  readonly #maxSteps: number;
  #evaluator: Evaluator | undefined;
  #plan = noPlan;
  #steps = 0;
  /** Values of operands that the library has not taken yet. */
  readonly #values = new Map<ASTNode, unknown>();
  readonly #weights: Weights = new Map();

  constructor(environment: Environment, maxSteps: number) {
    this.#environment = environment;
    this.#maxSteps = maxSteps;
    let isFirst = true;
    environment.registerFunction(
      `${countingMacro}(ast): dyn`,
      ({ args: [root] }: { readonly args: readonly [ASTNode] }) => ({
        typeCheck: (checker: Checker, _macro: unknown, context: unknown) => {
          if (isFirst) keepTypesFlat(checker.registry);
          isFirst = false;
          return checker.check(root, context);
        },
        evaluate: (evaluator: Evaluator, _macro: unknown, context: unknown) =>
          this.#attachTo(evaluator).run(root, context),
      }),
      { async: false },
    );
    this.prepare("true");
  }

  /**
   * Prepares an expression. Requires: the expression is free of syntax and type errors.
   *
   * @throws ParseError when the expression nests as deeply as the environment allows, because the
   *   macro adds one level.
   */
  prepare(source: string): CountedExpression {
    // The line break ends a comment at the end of the source.
    const expression = this.#environment.parse(`${countingMacro}(${source}\n)`);
    expression.check();
    const plan = planOf(expression.ast);
    let steps = 0;
    return {
      evaluate: (variables) => {
        try {
          return this.#evaluate(expression, plan, variables);
        } finally {
          steps = Math.ceil(this.#steps);
        }
      },
      get steps() {
        return steps;
      },
    };
  }

  #evaluate(expression: ParseResult, plan: Plan, variables: object): unknown {
    this.#plan = plan;
    this.#steps = 0;
    this.#values.clear();
    this.#weights.clear();
    // Nobody reads the stacks of these errors, and writing them takes longer than most evaluations.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return expression(variables);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Replaces the methods of the environment's only evaluator, on the first evaluation. */
  #attachTo(evaluator: Evaluator): Evaluator {
    if (evaluator === this.#evaluator) return evaluator;
    this.#evaluator = evaluator;
    const evaluate = evaluator.run.bind(evaluator);
    const run: Evaluator["run"] = (node, context) => this.#run(node, context, evaluate);
    const tryEval: Evaluator["tryEval"] = (node, context) => {
      try {
        return this.#run(node, context, evaluate);
      } catch (error) {
        if (error instanceof TooManySteps) throw error;
        this.#add(this.#plan.stepsPerError);
        return error;
      }
    };
    evaluator.run = run;
    evaluator.tryEval = tryEval;
    return evaluator;
  }

  #run(node: ASTNode, context: unknown, evaluate: Evaluator["run"]): unknown {
    if (this.#values.size > 0 && this.#values.has(node)) {
      const value = this.#values.get(node);
      this.#values.delete(node);
      return value;
    }
    this.#add(1);
    const operands = this.#plan.operands.get(node);
    if (operands !== undefined) this.#runOperands(node, operands, context, evaluate);
    const value = evaluate(node, context);
    if (typeof value === "object" && this.#plan.conditions.has(node))
      this.#add(weightOf(value, this.#weights));
    return value;
  }

  #runOperands(
    node: ASTNode,
    operands: readonly ASTNode[],
    context: unknown,
    evaluate: Evaluator["run"],
  ): void {
    const values: unknown[] = [];
    for (const operand of operands) values.push(this.#run(operand, context, evaluate));
    this.#add(stepsOf(node, values, this.#weights));
    for (const [i, operand] of operands.entries()) this.#values.set(operand, values[i]);
  }

  #add(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#maxSteps) throw new TooManySteps();
  }
}

function planOf(root: ASTNode): Plan {
  const operands = new Map<ASTNode, readonly ASTNode[]>();
  const conditions = new Set<ASTNode>();
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const costly = operandsOf(node);
    if (costly.length > 0) operands.set(node, costly);
    for (const condition of conditionsOf(node)) conditions.add(condition);
    pending.push(...childNodes(node.args));
  }
  return { operands, conditions, stepsPerError: stepsOfError(root.input) };
}

function operandsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op === "call")
    return node.args[0] === "has" || node.args[0] === countingMacro ? [] : node.args[1];
  if (node.op === "rcall") {
    const [name, receiver, args] = node.args;
    return comprehensions.has(name) ? [receiver] : [receiver, ...args];
  }
  if (node.op === "[]") return [node.args[1]];
  if (node.op === "!_" || node.op === "-_") return [node.args];
  return strictOperators.has(node.op) ? childNodes(node.args) : [];
}

function conditionsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op === "&&" || node.op === "||") return node.args;
  if (node.op === "?:") return [node.args[0]];
  return node.op === "rcall" && comprehensions.has(node.args[0]) ? node.args[2].slice(1) : [];
}
