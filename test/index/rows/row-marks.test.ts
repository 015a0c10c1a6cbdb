import { expect, test } from "vitest";
import type { MemoryFields } from "../../../src/core/model/memory.js";
import { type Row, rowMarks } from "../../../src/core/ports/search-index.js";
import { dayOf } from "../../../src/core/text/day-span.js";
import { mentionedDays } from "../../../src/core/text/times/day-ranges.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { sampleMemory } from "../../contract/sample-records.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const saidAt = { seconds: Date.UTC(2025, 5, 10) / 1000, nanos: 0 };

function createIndex(): HotNamespaceIndex {
  return new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, undefined);
}

/** Returns the names of the marks of a memory. */
function marksOf(index: HotNamespaceIndex, id: string): string[] {
  const marks = index.traits.marks[index.rowOf(id) ?? -1] ?? 0;
  return Object.entries(rowMarks).flatMap(([name, mark]) => ((marks & mark) === 0 ? [] : [name]));
}

test.each<[string, string, Partial<MemoryFields>, string[]]>([
  ["a turn of a thread", "We met.", { threadId: "t" }, ["turn"]],
  ["a turn by its type", "We met.", { memoryType: "CONVERSATION" }, ["turn"]],
  ["a fact", "Did we meet two days ago?", { eventTime: saidAt }, ["dated"]],
  ["a fact of another language", "Wir trafen uns am Montag.", {}, []],
  ["a restricted turn", "Did we meet today?", { threadId: "t", restricted: true }, []],
  [
    "a turn with all marks",
    "Did we meet two days ago?",
    { threadId: "t", eventTime: saidAt },
    ["dated", "turn", "question", "days"],
  ],
])("a row has the right marks for %s", (_name, content, fields, marks) => {
  const index = createIndex();
  index.put(sampleMemory("a", content, fields), undefined);
  expect(marksOf(index, "a")).toEqual(marks);
  expect(index.traits.hasTurns).toBe(marks.includes("turn"));
  index.remove("a");
  expect(index.traits.hasTurns).toBe(false);
});

test("marks, days and authors stay with their memories when rows are renumbered", () => {
  const index = createIndex();
  for (let n = 0; n < 40; n++) {
    const content = n % 4 === 3 ? `We met yesterday, number ${n}` : "Nothing?";
    const fields = { threadId: "t", author: `author ${n % 4}`, eventTime: saidAt };
    index.put(sampleMemory(`m${n}`, content, fields), undefined);
  }
  const bytes = index.bytes;
  for (let n = 0; n < 40; n++) if (n % 4 !== 3) index.remove(`m${n}`);
  expect(index.rowLimit).toBeLessThan(40);
  expect(index.bytes).toBeLessThan(bytes);
  const yesterday = dayOf(saidAt.seconds * 1000) - 1;
  for (let n = 3; n < 40; n += 4) {
    const row = index.rowOf(`m${n}`) as Row;
    expect(marksOf(index, `m${n}`)).toEqual(["dated", "turn", "days"]);
    expect(mentionedDays(index.traits.times(row), yesterday + 1)).toEqual([
      { first: yesterday, last: yesterday },
    ]);
    expect(index.traits.authorNumbers[row]).toBe(index.authorNumber("author 3"));
  }
  expect(index.authorNumber("author 0")).toBeUndefined();
});

test("the size of an index includes the days that turns name", () => {
  const [without, named] = ["No word of it", "We met yesterday"].map((content) => {
    const index = createIndex();
    for (let n = 0; n < 50; n++)
      index.put(
        sampleMemory(`m${n}`, content.padEnd(20), { threadId: "t", eventTime: saidAt }),
        undefined,
      );
    return index.bytes;
  });
  expect((named ?? 0) - (without ?? 0)).toBeGreaterThan(50 * 100);
});

test("a memory whose author changes keeps its row, and gets the number of the new author", () => {
  const index = createIndex();
  index.put(sampleMemory("a", "We met", { author: "Mia" }), undefined);
  index.put(sampleMemory("b", "They met", { author: "Tom" }), undefined);
  const row = index.rowOf("a") as Row;
  index.put(sampleMemory("a", "We met", { author: "Tom" }), undefined);
  expect(index.rowOf("a")).toBe(row);
  expect(index.traits.authorNumbers[row]).toBe(index.authorNumber("Tom"));
  expect([...index.authors]).toEqual(["Tom"]);
  expect(index.authorNumber("Mia")).toBeUndefined();
  index.put(sampleMemory("a", "We met"), undefined);
  expect(index.traits.authorNumbers[row]).toBe(0);
});
