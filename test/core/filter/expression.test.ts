import { expect, test } from "vitest";
import { MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import { createExpressionCompiler } from "../../../src/core/filter/expression.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { memoryOf } from "../memory-fixture.js";

const compile = createExpressionCompiler();

const memory = memoryOf({
  tags: ["wine", "red"],
  importance: 0.8,
  memoryType: "SEMANTIC",
  metadata: { stars: 4, note: "red wine", nested: { list: [1, 2] }, nothing: null },
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
  'metadata.note.contains("red wine") && metadata.note.indexOf("wine") == 4',
  'create_time - timestamp("2026-05-01T00:00:00+02:00") > duration("1h30.5m")',
  "create_time > timestamp(1700000000)",
  'create_time.getHours("Europe/Paris") == 2',
  'tags.exists(tag, tag.startsWith("w"))',
  "metadata.nested.list.all(number, number > 0 && importance > 0.5)",
  "version == 1 && token_count < 10",
  `${"1+".repeat(1000)}1 == 1001 // a long chain`,
  `${"!".repeat(1000)}true`,
  '[[[["a"]]], []] == [[[["a"]]], []]',
  '{"a": {"b": [{"c": 1.0}]}} == {"a": {"b": [{"c": metadata.nested.list[0]}]}}',
])("a memory satisfies the expression %s", (source) => {
  expect(compile(source).matches(memory)).toBe(true);
});

test.each([
  "metadata.missing == 1",
  "event_time > create_time",
  'metadata.stars > "a"',
  "metadata.constructor == null",
])("an expression does not match a memory for which its evaluation fails: %s", (source) => {
  expect(compile(source).matches(memory)).toBe(false);
});

test.each([
  ["a syntax error", "importance >"],
  ["an unknown name", "owner == 1"],
  ["a type error", "kind == 3"],
  ["a type other than bool", "importance"],
  ["regular expressions", 'source.matches("(a+)+$")'],
  ["nested comprehensions", "tags.all(a, tags.all(b, a == b))"],
  ["splitting a text", 'source.split("").size() > 0'],
  ["joining texts", 'tags.join("") == ""'],
  ["the content", 'content.contains("wine")'],
  ["a search for a text of the memory", "metadata.text.contains(source)"],
  ["a search for a text that is joined", 'source.indexOf("a" + "b") > 0'],
  ["a search for a text of 251 characters", `source.lastIndexOf("${"a".repeat(251)}") > 0`],
  ["a search for each element", "tags.exists(tag, tag.contains(tag))"],
  ["a time of the memory", 'timestamp(source) > timestamp("2026-01-01T00:00:00Z")'],
  ["a time without an offset", 'create_time > timestamp("2026-01-01T00:00:00.000")'],
  ["a time that is too long", 'create_time > timestamp("2026-01-01T00:00:00.123456789+02:00")'],
  ["a duration of the memory", 'duration(source) > duration("1h")'],
  ["a duration without a unit", 'duration("90") > duration("1h")'],
  ["a duration of 41 characters", `duration("${"1".repeat(40)}s") > duration("1h")`],
  ["a time zone of the memory", "create_time.getHours(source) == 1"],
  ["the metadata inside a comprehension", "metadata.l.all(x, !(5 in metadata.l))"],
  ["reading JSON from a text", "bytes(source).json().x == 1"],
  ["a variable for a part of the expression", "cel.bind(a, source + source, a == a)"],
  ["the macro that counts steps", "counted(true)"],
  ["a closing parenthesis before an opening one", "true) || (true"],
  ["deep nesting", `${"(".repeat(40)}true${")".repeat(40)}`],
])("the compiler rejects %s", (_name, source) => {
  const failure = failureOf(() => compile(source));
  expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_EXPRESSION" });
  expect(failure.fields[0]?.field).toBe("filter.expression");
});

test.each(["2023-02-30T00:00:00Z", "2023-02-28T24:00:00Z", "2023-04-31T12:00:00+02:00"])(
  "an expression with the time %s, which does not exist, is refused",
  (time) => {
    const failure = failureOf(() => compile(`create_time > timestamp("${time}")`));
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_EXPRESSION" });
    expect(failure.message).toContain("not a time that exists");
  },
);

test("an expression whose type doubles in size with each nesting level compiles quickly", () => {
  for (const element of ["{a: a}", '{"k": a, "l": [a]}', "[a, [a]]"]) {
    const source = `[1]${`.map(a, ${element})`.repeat(24)}.size() == 1`;
    expect(() => compile(source), source).not.toThrow();
  }
});

test("an expression fails when all its evaluations together take more than a second", () => {
  let nowMs = 0;
  const compileWithClock = createExpressionCompiler(() => (nowMs += 1));
  const expression = compileWithClock("importance > 0.7");
  for (let i = 0; i <= 1_000; i++) expect(expression.matches(memory)).toBe(true);
  expect(failureOf(() => expression.matches(memory))).toMatchObject({
    code: "INVALID_ARGUMENT",
    reason: "FILTER_TOO_EXPENSIVE",
    fields: [{ field: "filter.expression" }],
  });
});

test("an evaluation with too many steps fails, and the error names the limit", () => {
  const large = memoryOf({ metadata: { list: Array.from({ length: 8_000 }, () => 1) } });
  const expression = compile("metadata.list.all(x, x.missing == 1)");
  expect(failureOf(() => expression.matches(large))).toMatchObject({
    code: "INVALID_ARGUMENT",
    reason: "FILTER_TOO_EXPENSIVE",
    fields: [{ field: "filter.expression" }],
    message: expect.stringContaining("25,000 steps") as string,
  });
});

test("an expression can use every field of a memory as a variable, except namespace, content, last_used_time and embedding", () => {
  const fields = MemorySchema.fields.map(({ name }) => name);
  const compiles = (field: string) => {
    try {
      compile(`${field} == ${field}`);
      return true;
    } catch {
      return false;
    }
  };
  expect(fields.filter((field) => !compiles(field))).toEqual([
    ...["namespace", "content", "last_used_time", "embedding"],
  ]);
  expect(failureOf(() => compile('namespace.user_id == "ann"')).message).toContain(
    "Reserved identifier: namespace",
  );
});

test("the error for an unknown name lists the known names", () => {
  expect(failureOf(() => compile("owner == 1")).message).toMatch(
    /Unknown variable: owner[\s\S]*importance[\s\S]*content_contains/,
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
