import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import { countingMacro } from "./expression-rules.js";
import { keepTypesFlat, type TypeRegistry } from "./flat-types.js";
import { type NodeCost, type Plan, planOf, type Weights, weightOf } from "./step-costs.js";

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

const noPlan: Plan = { costs: new Map(), stepsPerError: 0 };

/**
 * Evaluates expressions and counts their steps.
 *
 * The library has no limit for an evaluation, and its operators cannot be replaced. But the library
 * passes its evaluator to macros, and the evaluator's method `run` does all work. So this class
 * wraps every expression in a macro, and replaces `run`.
 *
 * `run` adds the steps of a node after the library has evaluated the node, and before an operation
 * reads its value. So the values of an operation are paid before the operation begins.
 */
export class CountingEvaluator {
  readonly #environment: Environment;
  readonly #maxSteps: number;
  #evaluator: Evaluator | undefined;
  #plan = noPlan;
  #steps = 0;
  /** Weights of the lists and maps that an `in` looks for. */
  readonly #sought = new Map<ASTNode, number>();
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
    this.#sought.clear();
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
    const cost = this.#plan.costs.get(node);
    this.#add(cost?.steps ?? 1);
    const value = evaluate(node, context);
    // Nodes that the library makes itself, as for `map`, pass on a value or a list that grows.
    const isLarge = (typeof value === "object" && value !== null) || typeof value === "string";
    if (cost !== undefined && isLarge) this.#addRead(node, value, cost);
    return value;
  }

  /** Adds the steps that the operation above a node takes to read the value of the node. */
  #addRead(node: ASTNode, value: object | string, { reads, isSought, sought }: NodeCost): void {
    if (reads === 0) return;
    const weight = weightOf(value, this.#weights);
    this.#add(reads * weight);
    if (isSought === true && typeof value === "object") this.#sought.set(node, weight);
    if (sought !== undefined && Array.isArray(value))
      this.#add(value.length * (this.#sought.get(sought) ?? 0));
  }

  #add(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#maxSteps) throw new TooManySteps();
  }
}
