import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { hostileMemories } from "../../../bench/filters/hostile-memories.js";
import {
  expressionMaxBytes,
  mutateExpression,
  randomExpression,
  slowExpressions,
} from "../../../bench/filters/random-expression.js";
import {
  createExpressionCompiler,
  type Expression,
  maxStepsPerEvaluation,
} from "../../../src/core/filter/expression.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Memory } from "../../../src/core/model/memory.js";
import { memoryOf } from "../memory-fixture.js";

const compile = createExpressionCompiler();

const large = memoryOf({
  tags: ["wine"],
  metadata: {
    numbers: Array.from({ length: 4_000 }, () => 1),
    maps: Array.from({ length: 1_000 }, () => ({ a: 1 })),
    keys: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
    text: `${"a".repeat(12_000)}b`,
  },
});

/** Evaluates an expression. Returns the result or the reason of the error, and the steps. */
function evaluate(expression: Expression, memory: Memory) {
  const result = resultOf(() => expression.matches(memory));
  return { result, steps: expression.steps };
}

function resultOf<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof VademecumError) return error.reason;
    throw error;
  }
}

function repeated(piece: string, times: number, operator: string): string {
  return Array.from({ length: times }, () => piece).join(operator);
}

describe("an evaluation that needs too many steps fails the call", () => {
  test.each([
    ["the size of many texts together", `size(${repeated("metadata.text", 100, "+")}) == 1`],
    ["many sizes of a text", repeated("metadata.text.size() == 1", 70, " || ")],
    [
      "a search from the end",
      repeated(`metadata.text.lastIndexOf("b${"a".repeat(240)}") > 0`, 6, "||"),
    ],
    ["a text that doubles", `${"bytes(".repeat(6)}metadata.text${").hex()".repeat(6)} == ""`],
    [
      "many conversions to a time zone",
      repeated('create_time.getHours("Asia/Tokyo") > 24', 40, "||"),
    ],
    ["an error for each element", "metadata.numbers.all(x, x.missing == 1)"],
    ["many errors for each element", `metadata.maps.all(x, ${repeated("x.b", 100, "||")})`],
    ["a long body for each element", `metadata.numbers.all(x, ${repeated("x", 20, "+")} > 0.0)`],
    ["a map compared with each element", "metadata.keys in metadata.maps"],
    ["a list that doubles for each map", `[1]${".map(a, [a, a])".repeat(16)}.all(x, x == [x])`],
    ["lists that are joined", `size(${repeated("metadata.numbers", 100, "+")}) == 1`],
    ["many operations on a large map", repeated("size(metadata) == 1", 80, " || ")],
    ["a large map as a condition", repeated("(metadata.keys ? true : true)", 60, " || ")],
  ])("an evaluation with too many steps fails: %s", (_name, source) => {
    expect(source.length).toBeLessThanOrEqual(expressionMaxBytes);
    const { result, steps } = evaluate(compile(source), large);
    expect(result).toBe("FILTER_TOO_EXPENSIVE");
    expect(steps).toBeGreaterThan(maxStepsPerEvaluation);
  });
});

test("no part of an expression can hide that another part was too expensive", () => {
  const expensive = "metadata.numbers.all(x, x.missing == 1)";
  for (const source of [
    `${expensive} || true`,
    `true && (${expensive} || true)`,
    `[${expensive}, true].exists(x, x)`,
    `(${expensive} ? true : true) || true`,
    `has(metadata.text) && [1].exists(x, x == 1) && ${expensive}`,
  ])
    expect(evaluate(compile(source), large).result, source).toBe("FILTER_TOO_EXPENSIVE");
});

describe("the steps of an evaluation", () => {
  test.each([
    ["an ordinary expression", 'importance > 0.7 && "wine" in tags', 10],
    ["a key of the metadata", "metadata.numbers[0] == 1.0", 10],
    ["ten keys of the metadata", repeated("metadata.maps[0].a == 2.0", 10, " || "), 80],
    ["a key that is there", "has(metadata.keys.k1)", 10],
    ["a word in a text of 12 KiB", 'metadata.text.contains("Burgundy")', 800],
    ["a comprehension over 4,000 elements", "metadata.numbers.all(x, x == 1.0)", 24_100],
    [
      "a missing key in each of 500 elements",
      "metadata.keys.map(k, k).all(x, x.y == 1) || true",
      20_000,
    ],
  ])("an evaluation needs no more steps than expected: %s", (_name, source, stepsMax) => {
    const { result, steps } = evaluate(compile(source), large);
    expect(result).not.toBe("FILTER_TOO_EXPENSIVE");
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThanOrEqual(stepsMax);
  });

  it("the steps of an evaluation do not include the steps of earlier evaluations", () => {
    const expression = compile("metadata.numbers.all(x, x == 1.0)");
    const { steps } = evaluate(expression, large);
    expect(evaluate(expression, memoryOf()).steps).toBeLessThan(10);
    expect(evaluate(expression, large).steps).toBe(steps);
  });
});

test("a slow or random expression either stays within the limit of steps or is refused", () => {
  const randomNumbers = fc.infiniteStream(
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  );
  const check = (source: string) => {
    const expression = resultOf(() => compile(source));
    if (typeof expression === "string") {
      expect(expression).toBe("INVALID_EXPRESSION");
      return;
    }
    for (const memory of hostileMemories) {
      const { result, steps } = evaluate(expression, memory);
      const isWithin = steps > 0 && steps <= maxStepsPerEvaluation;
      expect(isWithin ? typeof result : result).toBe(isWithin ? "boolean" : "FILTER_TOO_EXPENSIVE");
    }
  };
  for (const source of slowExpressions) check(source);
  fc.assert(
    fc.property(randomNumbers, (numbers) => {
      const random = () => numbers.next().value as number;
      const fresh = randomExpression(random);
      check(mutateExpression(random, fresh, randomExpression(random)));
    }),
    { numRuns: 200, seed: 1 },
  );
});
