import type { ASTNode } from "@marcbachmann/cel-js";

/**
 * All costs are in steps. With the slowest inputs that `npm run bench:filters` has found, a step
 * takes 100 to 400 ns. Most inputs take much less.
 */

/** Characters, or bytes, that an operator compares or copies in one step. */
const charactersPerStep = 64;

/** Characters that a function reads in one step, for functions that are slower than most. */
const charactersPerStepOf: ReadonlyMap<string, number> = new Map([
  ["size", 4],
  ["string", 16],
  ["lowerAscii", 16],
  ["upperAscii", 16],
]);
const charactersPerStepOfFunctions = 32;

/** Steps of any function call: the library finds the overload for the types of the operands. */
const stepsPerCall = 4;

/** Steps for each key of a map. The type checks of an operator enumerate all keys. */
const stepsPerKey = 12;

/** Steps of an error. The library writes a message that quotes the faulty part of the source. */
const stepsPerError = 30;
/** An error costs one more step for each run of this many characters of the source. */
const sourceCharactersPerErrorStep = 12;

/**
 * Steps of a conversion to a time zone. The engine reads the whole name, even of an unknown zone.
 */
const stepsPerTimeZone = 700;
/** The conversion costs one more step for each run of this many characters of the name. */
const charactersPerTimeZoneStep = 8;

/** Functions that search a text for another text. */
const searches = new Set(["contains", "indexOf", "lastIndexOf"]);

/**
 * Longest text to find, in characters, for which the search takes linear time. For longer texts,
 * the engine can compare the whole text at each position of a repetitive input.
 */
const linearSearchMax = 250;

/** Characters that a search advances in one step, by the length of the text to find. */
const charactersPerSearchStep = [
  { lengthMax: 1, characters: 64 },
  { lengthMax: 6, characters: 10 },
  { lengthMax: Number.POSITIVE_INFINITY, characters: 20 },
];
/** Comparisons of characters in one step, for a search that is not linear. */
const comparisonsPerStep = 256;

/**
 * A duration costs the cube of the length of its text, divided by this number, because the
 * library's pattern backtracks over runs of digits.
 */
const cubesPerStep = 200;

/** The steps of each list and map, so that one evaluation walks each of them only once. */
export type Weights = Map<object, number>;

/** Returns the steps of an error that does not end the evaluation. */
export function stepsOfError(source: string): number {
  return stepsPerError + source.length / sourceCharactersPerErrorStep;
}

/**
 * Returns the steps of one operation with known operands. An operation is a function, an operator,
 * an index, or the start of a comprehension.
 */
export function stepsOf(node: ASTNode, operands: readonly unknown[], weights: Weights): number {
  if (node.op === "call" || node.op === "rcall")
    return stepsPerCall + stepsOfFunction(node.args[0], operands, weights);
  const [left, right] = operands;
  if (node.op === "in" && Array.isArray(right))
    return weightOf(right, weights) + (1 + right.length) * (1 + weightOf(left, weights));
  return sum(operands, (operand) => weightOf(operand, weights));
}

function stepsOfFunction(name: string, operands: readonly unknown[], weights: Weights): number {
  const [first, second] = operands;
  if (searches.has(name) && typeof first === "string" && typeof second === "string")
    return stepsOfSearch(name, first.length, second.length);
  if (name === "duration" && typeof first === "string") return first.length ** 3 / cubesPerStep;
  if (first instanceof Date && typeof second === "string")
    return stepsPerTimeZone + second.length / charactersPerTimeZoneStep;
  const characters = charactersPerStepOf.get(name) ?? charactersPerStepOfFunctions;
  return sum(operands, (operand) => weightOf(operand, weights, characters));
}

function stepsOfSearch(name: string, textLength: number, partLength: number): number {
  const speed = charactersPerSearchStep.find(({ lengthMax }) => partLength <= lengthMax);
  const steps = textLength / (speed?.characters ?? 1);
  if (name !== "lastIndexOf" && partLength <= linearSearchMax) return steps;
  const comparisons = Math.max(0, textLength - partLength + 1) * partLength;
  return steps + comparisons / comparisonsPerStep;
}

/** Returns the steps to read a value as a whole. */
export function weightOf(value: unknown, weights: Weights, characters = charactersPerStep): number {
  if (typeof value === "string") return value.length / characters;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / characters;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const weight = weightOfParts(value, weights);
  weights.set(value, weight);
  return weight;
}

function weightOfParts(value: object, weights: Weights): number {
  if (Array.isArray(value)) return sum(value, (item) => 1 + weightOf(item, weights));
  return sum(Object.values(value), (item) => stepsPerKey + weightOf(item, weights));
}

function sum(items: readonly unknown[], stepsOfItem: (item: unknown) => number): number {
  let steps = 0;
  for (const item of items) steps += stepsOfItem(item);
  return steps;
}
