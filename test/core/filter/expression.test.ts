import { expect, test } from "vitest";
import { createExpressionCompiler } from "../../../src/core/filter/expression.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { memoryOf } from "../memory-fixture.js";

const compile = createExpressionCompiler();

const memory = memoryOf({
  tags: ["wine", "red"],
  importance: 0.8,
  memoryType: "SEMANTIC",
  metadata: { stars: 4, nested: { list: [1, 2] }, nothing: null },
  createTime: instantOfMillis(Date.UTC(2026, 4, 8)),
  author: "Ann",
});

test.each([
  'importance > 0.7 && "wine" in tags',
  "metadata.stars >= 4",
  "metadata.stars == 4",
  "metadata.nested.list[1] == 2",
  "metadata.nothing == null",
  "has(metadata.stars) && !has(metadata.price)",
  'memory_type == "MEMORY_TYPE_SEMANTIC" && status == "MEMORY_STATUS_ACTIVE"',
  'create_time > timestamp("2026-05-01T00:00:00Z")',
  "event_time == null",
  'author == "Ann" && thread_id == null',
  'content.contains("red wine")',
  'tags.exists(tag, tag.startsWith("w"))',
  "metadata.nested.list.all(number, number > 0 && importance > 0.5)",
  "version == 1 && token_count < 10",
])("a memory satisfies the expression %s", (source) => {
  expect(compile(source)(memory)).toBe(true);
});

test.each([
  "metadata.missing == 1",
  "event_time > create_time",
  'metadata.stars > "a"',
  "metadata.constructor == null",
])("an expression that fails for a memory does not match it: %s", (source) => {
  expect(compile(source)(memory)).toBe(false);
});

test.each([
  ["a syntax error", "importance >"],
  ["an unknown name", "owner == 1"],
  ["a type error", "content == 3"],
  ["a type other than bool", "importance"],
  ["regular expressions", 'content.matches("(a+)+$")'],
  ["nested comprehensions", "tags.all(a, tags.all(b, a == b))"],
  ["splitting a text", 'content.split("").size() > 0'],
  ["joining texts", 'tags.join("") == ""'],
  ["the content inside a comprehension", "metadata.l.all(x, size(content) > 0)"],
  ["searching the content for each element", 'metadata.l.all(x, !content.contains("aaaab"))'],
  ["the metadata inside a comprehension", "metadata.l.all(x, !(5 in metadata.l))"],
  ["a copy of the content for each element", "metadata.l.map(x, content).size() > 0"],
  ["deep nesting", `${"(".repeat(40)}true${")".repeat(40)}`],
])("the compiler rejects %s", (_name, source) => {
  const failure = failureOf(() => compile(source));
  expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_EXPRESSION" });
  expect(failure.fields[0]?.field).toBe("filter.expression");
});

test("an expression fails if all its evaluations together take too long", () => {
  const costly = compile(
    `size(${Array(150).fill("content").join("+")}) == 1 || content.contains("${"a".repeat(500)}b")`,
  );
  const large = memoryOf({ content: "a".repeat(65_536) });
  const failure = failureOf(() => {
    for (let i = 0; i < 10_000; i++) costly(large);
  });
  expect(failure).toMatchObject({
    code: "INVALID_ARGUMENT",
    reason: "EXPRESSION_TOO_COSTLY",
    fields: [{ field: "filter.expression" }],
  });
});

test("the error for an unknown name lists the known names", () => {
  expect(failureOf(() => compile("owner == 1")).message).toMatch(
    /Unknown variable: owner[\s\S]*importance/,
  );
});

function failureOf(run: () => unknown): VademecumError {
  try {
    run();
  } catch (error) {
    if (error instanceof VademecumError) return error;
    throw error;
  }
  throw new Error("run did not throw");
}
