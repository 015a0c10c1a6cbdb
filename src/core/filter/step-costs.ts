import type { ASTNode } from "@marcbachmann/cel-js";
import { childNodes, timeZoneOf } from "./expression-rules.js";

/**
 * All costs are in steps. With the slowest inputs that `npm run bench:filters` has found, a step
 * takes less than 200 ns. Most inputs take much less.
 */

/** Characters, or bytes, that an operation reads or copies in one step. */
const charactersPerStep = 16;

/** Steps of a call of a function: the library finds the overload for the types of the operands. */
const stepsPerCall = 4;

/** Steps of a conversion to a time zone. */
const stepsPerTimeZone = 700;

/** Steps for each key of a map. The type checks of an operator enumerate all keys. */
const stepsPerKey = 12;

/** Steps of an error. The library writes a message that quotes the faulty part of the source. */
const stepsPerError = 15;
/** An error costs one more step for each run of this many characters of the source. */
const sourceCharactersPerErrorStep = 12;

/** The steps of each list and map, so that one evaluation walks each of them only once. */
export type Weights = Map<object, number>;

/** The steps that the evaluation of a node costs, without the nodes below it. */
export interface NodeCost {
  readonly steps: number;
  /** How often the operation above reads the value of this node. */
  readonly reads: number;
  /** Whether an `in` looks for the value of this node. */
  readonly isSought?: boolean;
  /** For the list of an `in`: the node whose value the `in` compares with each element. */
  readonly sought?: ASTNode;
}

/** The costs of the nodes of an expression. */
export interface Plan {
  readonly costs: ReadonlyMap<ASTNode, NodeCost>;
  readonly stepsPerError: number;
}

/** Returns the costs of the nodes of an expression. */
export function planOf(root: ASTNode): Plan {
  const costs = new Map<ASTNode, NodeCost>();
  const costsOfChildren = new Map<ASTNode, Partial<NodeCost>>();
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    costs.set(node, { steps: 1 + stepsOfCall(node), reads: 1, ...costsOfChildren.get(node) });
    for (const [child, cost] of costsOfOperands(node)) costsOfChildren.set(child, cost);
    pending.push(...childNodes(node.args));
  }
  const stepsOfError = stepsPerError + root.input.length / sourceCharactersPerErrorStep;
  return { costs, stepsPerError: stepsOfError };
}

function stepsOfCall(node: ASTNode): number {
  if (node.op !== "call" && node.op !== "rcall") return 0;
  return timeZoneOf(node) === undefined ? stepsPerCall : stepsPerTimeZone;
}

/** Returns the operands that their operation does not read exactly once. */
function costsOfOperands(node: ASTNode): readonly (readonly [ASTNode, Partial<NodeCost>])[] {
  // An access takes one element, and does not read the others.
  if (node.op === "." || node.op === "[]") return [[node.args[0], { reads: 0 }]];
  if (node.op === "in") {
    const [sought, list] = node.args;
    return [
      [sought, { isSought: true }],
      [list, { sought }],
    ];
  }
  if (node.op !== "rcall" || node.args[0] !== "lastIndexOf") return [];
  const [, receiver, [part]] = node.args;
  if (part?.op !== "value" || typeof part.args !== "string") return [];
  // The engine compares the whole part at each position.
  return [[receiver, { reads: 1 + part.args.length / charactersPerStep }]];
}

/** Returns the steps to read a value as a whole. */
export function weightOf(value: unknown, weights: Weights): number {
  if (typeof value === "string") return value.length / charactersPerStep;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / charactersPerStep;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const weight = weightOfParts(value, weights);
  weights.set(value, weight);
  return weight;
}

function weightOfParts(value: object, weights: Weights): number {
  let weight = 0;
  if (Array.isArray(value)) for (const item of value) weight += 1 + weightOf(item, weights);
  else for (const item of Object.values(value)) weight += stepsPerKey + weightOf(item, weights);
  return weight;
}
