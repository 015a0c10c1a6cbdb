import fc from "fast-check";
import { expect, test } from "vitest";
import { createExpressionCompiler } from "../../../src/core/filter/expression.js";
import { createMatcher, type Filter } from "../../../src/core/filter/matcher.js";
import type { Memory } from "../../../src/core/model/memory.js";
import type { NamespaceIndex, Row } from "../../../src/core/ports/search-index.js";
import { rowFilterOf } from "../../../src/core/search/query/row-filter.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { memoryOf } from "../memory-fixture.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const compile = createExpressionCompiler();

const texts = fc.constantFrom("a", "b", "c", "[]", "\0");
const option = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
/** Instants, some of which differ by less than a millisecond has digits for. */
const instants = fc.record({
  seconds: fc.constantFrom(1_800_000_000, 1_800_000_001),
  nanos: fc.constantFrom(0, 1, 2, 1_000_000),
});
const types = fc.constantFrom("EPISODIC", "SEMANTIC", "CONVERSATION");
const statuses = fc.constantFrom("ACTIVE", "RESOLVED");
const tags = fc.uniqueArray(texts, { maxLength: 3 });
const metadata = fc.constantFrom({ at: 1 }, { at: 2 });

const memories = fc
  .record({
    id: fc.nat(9).map((n) => `m${n}`),
    content: fc.constantFrom("red wine", "white wine", "tea"),
    ...{ memoryType: types, status: statuses, tags, createTime: instants },
    importance: fc.constantFrom(0, 0.1, 0.5),
    restricted: fc.boolean(),
    ...{ kind: option(texts), source: option(texts), author: option(texts) },
    ...{ threadId: option(texts), externalId: option(texts), metadata: option(metadata) },
    eventTime: option(instants),
  })
  .map((fields) =>
    memoryOf(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))),
  );

const filters = fc
  .record({
    ...{ kinds: option(fc.array(texts, { maxLength: 2 })), source: option(texts) },
    ...{ tagsAny: option(tags), tagsAll: option(tags), author: option(texts) },
    ...{ threadId: option(texts), externalId: option(texts), status: option(statuses) },
    memoryTypes: option(fc.array(types, { maxLength: 2 })),
    importanceMin: option(fc.constantFrom(0, 0.1, 0.3)),
    timeRange: option(fc.record({ start: option(instants), end: option(instants) })),
    metadata: option(metadata),
    contentContains: option(fc.constantFrom("WINE", "tea")),
    expression: option(fc.constantFrom('"a" in tags', "importance > 0.2")),
  })
  .map((all) => {
    // Most filters have few conditions.
    const set = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(set.slice(0, 3)) as Filter;
  });

/** Returns the ids of the rows that pass, sorted, and the number of records read for that. */
function passing(index: NamespaceIndex, filter: Filter) {
  const matches = createMatcher(filter, compile);
  let reads = 0;
  const passes = rowFilterOf([filter], (from, row) => {
    reads += 1;
    return matches(from.at(row).memory);
  });
  const ids: string[] = [];
  for (let row = 0 as Row; row < index.rowLimit; row++)
    if (index.traits.isOfType(row, ~0 & 0x3f) && passes(index, row))
      ids.push(index.at(row).memory.id);
  return { ids: ids.sort(), reads };
}

test("rows pass a filter exactly if their records do, after any additions, updates and deletions", () => {
  const steps = fc.array(
    fc.oneof(
      memories,
      fc.nat(9).map((n) => `m${n}`),
    ),
    { maxLength: 60 },
  );
  const property = fc.property(steps, fc.array(filters, { minLength: 5 }), (all, given) => {
    const index = new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, undefined);
    const model = new Map<string, Memory>();
    for (const step of all) {
      if (typeof step === "string") {
        index.remove(step);
        model.delete(step);
      } else {
        index.put(step, undefined);
        model.set(step.id, step);
      }
    }
    for (const filter of given) {
      const matches = createMatcher(filter, compile);
      const expected = [...model.values()].filter(matches).map(({ id }) => id);
      expect(passing(index, filter).ids).toEqual(expected.sort());
    }
  });
  fc.assert(property);
});

test("kinds, tags, authors, threads, sources, statuses, importance and times are decided without records", () => {
  const index = new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, undefined);
  for (let at = 0; at < 40; at++)
    index.put(
      memoryOf({
        id: `m${at}`,
        ...{ kind: `kind ${at % 2}`, tags: [`tag ${at % 4}`, "all"], author: `author ${at % 2}` },
        ...{ source: `source ${at % 2}`, threadId: `thread ${at % 8}`, externalId: `own ${at}` },
        ...{ importance: (at % 2) / 2, status: at % 2 === 0 ? "ACTIVE" : "RESOLVED" },
        createTime: { seconds: at, nanos: 0 },
      }),
      undefined,
    );
  const decided: Readonly<Record<string, readonly [filter: Filter, passing: number]>> = {
    kinds: [{ kinds: ["kind 1", "kind 7"] }, 20],
    tagsAny: [{ tagsAny: ["tag 1", "tag 2"] }, 20],
    tagsAll: [{ tagsAll: ["tag 1", "all"] }, 10],
    author: [{ author: "author 1" }, 20],
    source: [{ source: "source 0" }, 20],
    threadId: [{ threadId: "thread 3" }, 5],
    status: [{ status: "ACTIVE" }, 20],
    importanceMin: [{ importanceMin: 0.5 }, 20],
    timeRange: [
      { timeRange: { start: { seconds: 9, nanos: 5 }, end: { seconds: 20, nanos: 5 } } },
      11,
    ],
  };
  for (const [name, [filter, count]] of Object.entries(decided)) {
    const { ids, reads } = passing(index, filter);
    expect([name, ids.length, reads]).toEqual([name, count, 0]);
  }
  expect(passing(index, { externalId: "own 7" })).toEqual({ ids: ["m7"], reads: 1 });
});

test("texts that rows no longer have do not add up", () => {
  const index = new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, undefined);
  index.put(memoryOf({ id: "kept", source: "kept" }), undefined);
  const change = (at: number) =>
    index.put(memoryOf({ id: "changed", source: `${"long ".repeat(100)}${at}` }), undefined);
  for (let at = 0; at < 100; at++) change(at);
  const { bytes } = index;
  for (let at = 0; at < 1_000; at++) change(at);
  expect(index.bytes).toBeLessThan(2 * bytes);
  expect(passing(index, { source: "kept" }).ids).toEqual(["kept"]);
});
