import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { hostileMemories } from "../../../bench/filters/hostile-memories.js";
import {
  expressionMaxBytes,
  mutateExpression,
  randomExpression,
} from "../../../bench/filters/random-expression.js";
import {
  createExpressionCompiler,
  type Expression,
  maxStepsPerEvaluation,
} from "../../../src/core/filter/expression.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { contentMaxBytes } from "../../../src/core/model/limits.js";
import type { Memory } from "../../../src/core/model/memory.js";
import { memoryOf } from "../memory-fixture.js";

const compile = createExpressionCompiler();

const large = memoryOf({
  content: "a".repeat(contentMaxBytes),
  tags: ["wine"],
  metadata: {
    numbers: Array.from({ length: 5_000 }, () => 1),
    maps: Array.from({ length: 1_000 }, () => ({ a: 1 })),
    keys: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
    text: `${"a".repeat(4_000)}b`,
    digits: "1".repeat(2_000),
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

const sixContents = repeated("content", 6, "+");

describe("an evaluation that needs too many steps fails the call", () => {
  test.each([
    ["a long text searched in a long text", `(${sixContents}).contains(content+"b"+content)`],
    ["the position of a long text", `(${sixContents}).indexOf(content+"b"+content) > 0`],
    ["a repetitive text searched in a repetitive text", "content.contains(metadata.text)"],
    ["a search from the end", `content.lastIndexOf("${"a".repeat(500)}b") > 0`],
    ["the size of many texts together", `size(${repeated("content", 150, "+")}) == 1`],
    ["a text that doubles", `bytes(bytes(bytes(bytes(content).hex()).hex()).hex()).hex() == ""`],
    ["many conversions of a text", repeated('content.lowerAscii() == ""', 40, " || ")],
    ["a duration of many digits", 'duration(metadata.digits) == duration("1s")'],
    ["a literal duration of many digits", `duration("${"1".repeat(1900)}") == duration("1s")`],
    ["an error for each element", "metadata.numbers.all(x, x.missing == 1)"],
    ["a map compared with each element", "metadata.keys in metadata.maps"],
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
    ["a word in a text of 64 KiB", 'content.contains("Burgundy")', 3_300],
    ["ten words in 64 KiB", repeated('content.contains("Burgundy")', 10, " || "), 33_000],
    ["a short word in a text of 64 KiB", 'content.contains("wine")', 6_600],
    ["the size of a text of 64 KiB", "size(content) > 100", 16_400],
    ["a comprehension over 5,000 elements", "metadata.numbers.all(x, x == 1.0)", 31_000],
    [
      "a missing key in each of 500 elements",
      "metadata.keys.map(k, k).all(x, x.y == 1) || true",
      28_000,
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

/** Of all expressions that `npm run bench:filters` has tried, these took the most time. */
test.each([
  [
    "the sizes of texts, each joined from a short and a long text",
    repeated(`("${"1".repeat(400)}b" + content).size() == 1`, 4, " || "),
  ],
  [
    "the sizes of texts, each joined from two long texts",
    repeated("(content + content).size() == 1", 20, " || "),
  ],
])(
  "an expression among the slowest known needs more than half of the allowed steps: %s",
  (_name, source) => {
    const most = Math.max(
      ...hostileMemories.map((memory) => evaluate(compile(source), memory).steps),
    );
    expect(most).toBeGreaterThan(maxStepsPerEvaluation / 2);
  },
);

test("a random expression either stays within the limit of steps or is refused", () => {
  const randomNumbers = fc.infiniteStream(
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  );
  fc.assert(
    fc.property(randomNumbers, (numbers) => {
      const random = () => numbers.next().value as number;
      const fresh = randomExpression(random);
      const source = mutateExpression(random, fresh, randomExpression(random));
      const expression = resultOf(() => compile(source));
      if (typeof expression === "string") {
        expect(expression).toBe("INVALID_EXPRESSION");
        return;
      }
      for (const memory of hostileMemories) {
        const { result, steps } = evaluate(expression, memory);
        const isWithin = steps > 0 && steps <= maxStepsPerEvaluation;
        expect(isWithin ? typeof result : result).toBe(
          isWithin ? "boolean" : "FILTER_TOO_EXPENSIVE",
        );
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});
