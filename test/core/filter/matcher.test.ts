import { expect, test } from "vitest";
import { createExpressionCompiler } from "../../../src/core/filter/expression.js";
import type { Filter } from "../../../src/core/filter/matcher.js";
import { createMatcher, isEmptyFilter } from "../../../src/core/filter/matcher.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import type { Memory } from "../../../src/core/model/memory.js";
import { memoryOf } from "../memory-fixture.js";

const compileExpression = createExpressionCompiler();

function passes(filter: Filter, memory: Partial<Memory>): boolean {
  return createMatcher(filter, compileExpression)(memoryOf(memory));
}

test("every memory passes an empty filter", () => {
  expect(passes({}, {})).toBe(true);
  expect(passes({ tagsAny: [], metadata: {} }, {})).toBe(true);
});

test.each([
  ["a number is not its text", 1, "1"],
  ["a number is not true", 1, true],
  ["zero is not false", 0, false],
  ["null is not false", null, false],
  ["a list is not its only element", [1], 1],
  ["an object is not an object with more keys", { a: 1 }, { a: 1, b: 2 }],
  ["the order of a list counts", [1, 2], [2, 1]],
])("metadata conditions compare types: %s", (_name, stored, wanted) => {
  expect(passes({ metadata: { key: wanted } }, { metadata: { key: stored } })).toBe(false);
  expect(passes({ metadata: { key: stored } }, { metadata: { key: stored } })).toBe(true);
});

test("metadata conditions compare nested values and ignore the order of keys", () => {
  const stored = { place: { city: "Beaune", years: [1999, 2005] }, other: true };
  expect(
    passes({ metadata: { place: { years: [1999, 2005], city: "Beaune" } } }, { metadata: stored }),
  ).toBe(true);
  expect(
    passes({ metadata: { place: { years: [1999, 2006], city: "Beaune" } } }, { metadata: stored }),
  ).toBe(false);
});

test("a metadata condition of null matches only a key with the value null", () => {
  expect(passes({ metadata: { key: null } }, { metadata: { key: null } })).toBe(true);
  expect(passes({ metadata: { key: null } }, { metadata: {} })).toBe(false);
  expect(passes({ metadata: { key: null } }, {})).toBe(false);
});

test("properties that every JavaScript object inherits, such as toString, are not metadata", () => {
  expect(passes({ metadata: { toString: "x" } }, { metadata: {} })).toBe(false);
});

test("a memory has to meet the condition of every metadata key", () => {
  expect(
    passes({ metadata: { type: "trace", run: 1 } }, { metadata: { type: "trace", run: 2 } }),
  ).toBe(false);
});

test("tagsAny needs one of the tags, tagsAll needs all of them", () => {
  expect(passes({ tagsAny: ["wine", "beer"] }, { tags: ["wine"] })).toBe(true);
  expect(passes({ tagsAny: ["beer"] }, { tags: ["wine"] })).toBe(false);
  expect(passes({ tagsAll: ["wine", "beer"] }, { tags: ["wine"] })).toBe(false);
  expect(passes({ tagsAll: ["wine", "beer"] }, { tags: ["beer", "red", "wine"] })).toBe(true);
});

test("a time range includes its start but not its end, and applies to the event time if there is one", () => {
  const range = { start: instantOfMillis(10), end: instantOfMillis(20) };
  const at = (ms: number) =>
    passes(
      { timeRange: range },
      { eventTime: instantOfMillis(ms), createTime: instantOfMillis(15) },
    );
  expect([at(9), at(10), at(19), at(20)]).toEqual([false, true, true, false]);
  expect(passes({ timeRange: range }, { createTime: instantOfMillis(15) })).toBe(true);
  expect(
    passes(
      { timeRange: { start: { seconds: 0, nanos: 15_000_001 } } },
      { createTime: instantOfMillis(15) },
    ),
  ).toBe(false);
});

test.each<[keyof Filter, Filter, Partial<Memory>, Partial<Memory>]>([
  [
    "memoryTypes",
    { memoryTypes: ["TRACE", "WORKING"] },
    { memoryType: "TRACE" },
    { memoryType: "SEMANTIC" },
  ],
  ["kinds", { kinds: ["fact"] }, { kind: "fact" }, {}],
  ["importanceMin", { importanceMin: 0.7 }, { importance: 0.7 }, { importance: 0.69 }],
  ["source", { source: "crm" }, { source: "crm" }, {}],
  ["status", { status: "RESOLVED" }, { status: "RESOLVED" }, {}],
  ["author", { author: "Ann" }, { author: "Ann" }, { author: "ann" }],
  [
    "contentContains",
    { contentContains: "GRAND" },
    { content: "A Grand Cru" },
    { content: "Gran Cru" },
  ],
  ["threadId", { threadId: "t" }, { threadId: "t" }, {}],
])(
  "the condition %s passes a memory that meets it, and refuses a memory that does not",
  (_name, filter, inside, outside) => {
    expect(passes(filter, inside)).toBe(true);
    expect(passes(filter, outside)).toBe(false);
  },
);

test("the content contains a text in any case, as a part of a word, or across words", () => {
  const content = "Wohnt in der Hauptstraße 5, mag Rote\u0301";
  for (const contentContains of ["STRASSE", "straße 5", "der haupt", "rot\u00e9"])
    expect(passes({ contentContains }, { content }), contentContains).toBe(true);
  for (const contentContains of ["strase", "der  haupt", "rote"])
    expect(passes({ contentContains }, { content }), contentContains).toBe(false);
});

test("a filter is empty if it has no conditions", () => {
  expect(isEmptyFilter({ tagsAny: [], metadata: {}, timeRange: {} })).toBe(true);
  expect(isEmptyFilter({ importanceMin: 0 })).toBe(false);
  expect(isEmptyFilter({ expression: "true" })).toBe(false);
});
