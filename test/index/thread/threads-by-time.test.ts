import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Instant } from "../../../src/core/model/instant.js";
import { happenedAt, type Memory } from "../../../src/core/model/memory.js";
import type { IndexQuery } from "../../../src/core/ports/search-index.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../../src/index/namespace-index.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { hitsOf } from "../../contract/index-hits.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { propertyRuns } from "../../suite.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};

function emptyIndex(): HotNamespaceIndex {
  return new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, { modelId: "test@1", dimension: 2 });
}

function indexOf(...memories: readonly Memory[]): HotNamespaceIndex {
  const index = emptyIndex();
  for (const memory of memories) index.put(memory, undefined);
  return index;
}

function atMinute(minute: number, nanos = 0): Instant {
  return { seconds: 1_700_000_000 + minute * 60, nanos };
}

/** Returns a turn without a `thread_id` and with an event time. */
function turn(id: string, eventTime: Instant, more: Partial<Memory> = {}): Memory {
  return sampleMemory(id, `turn ${id}`, { memoryType: "CONVERSATION", eventTime, ...more });
}

/** Returns a turn without a `thread_id` and without an event time. */
function writtenTurn(id: string, createTime: Instant): Memory {
  return sampleMemory(id, `turn ${id}`, { memoryType: "CONVERSATION", createTime });
}

/** Maps the id of each memory to the id of the memory that follows it in its thread. */
function linksOf(index: HotNamespaceIndex): Record<string, string> {
  return Object.fromEntries(
    [...hitsOf(index, { text: "" })].flatMap(([id, { next }]) =>
      next === undefined ? [] : [[id, next]],
    ),
  );
}

describe("turns without a thread_id", () => {
  test("turns without a thread_id follow each other in the order of event time", () => {
    expect(
      linksOf(indexOf(turn("a", atMinute(2)), turn("b", atMinute(0)), turn("c", atMinute(1)))),
    ).toEqual({ b: "c", c: "a" });
  });

  test("turns without a thread_id follow each other after a pause of up to 30 minutes", () => {
    expect(
      linksOf(
        indexOf(turn("a", atMinute(0, 5)), turn("b", atMinute(30, 5)), turn("c", atMinute(60, 6))),
      ),
    ).toEqual({ a: "b" });
  });

  test("turns without a thread_id borrow the words of the turns before them", () => {
    const index = indexOf(
      turn("a", atMinute(0), { content: "Have you been to Oslo?" }),
      turn("b", atMinute(1), { content: "Yes, in May." }),
      turn("c", atMinute(40), { content: "Good morning." }),
    );
    const hits = hitsOf(index, { text: "Oslo" });
    expect(hits.get("b")?.keyword).toBeGreaterThan(0);
    expect(hits.get("b")?.keyword).toBeLessThan(hits.get("a")?.keyword ?? 0);
    expect(hits.get("c")?.keyword ?? 0).toBe(0);
  });

  test("turns are relinked when a turn is inserted, moved or removed", () => {
    const index = indexOf(turn("a", atMinute(0)), turn("c", atMinute(50)));
    expect(linksOf(index)).toEqual({});
    index.put(turn("b", atMinute(25)), undefined);
    expect(linksOf(index)).toEqual({ a: "b", b: "c" });
    index.put(turn("b", atMinute(15)), undefined);
    expect(linksOf(index)).toEqual({ a: "b" });
    index.put(turn("d", atMinute(20)), undefined);
    expect(linksOf(index)).toEqual({ a: "b", b: "d", d: "c" });
    index.remove("d");
    expect(linksOf(index)).toEqual({ a: "b" });
    index.put(turn("c", atMinute(30)), undefined);
    index.remove("b");
    expect(linksOf(index)).toEqual({ a: "c" });
  });

  test("turns are no neighbours while the turn between them is missing", () => {
    const between = turn("b", atMinute(20));
    const index = indexOf(turn("a", atMinute(0)), between, turn("c", atMinute(40)));
    // With ten more rows, one empty row does not cause a renumbering.
    for (let i = 0; i < 10; i++) index.put(sampleMemory(`note ${i}`, "a note"), undefined);
    expect(linksOf(index)).toEqual({ a: "b", b: "c" });
    index.remove("b");
    expect(linksOf(index)).toEqual({});
    index.put(between, undefined);
    expect(linksOf(index)).toEqual({ a: "b", b: "c" });
  });

  test("turns are unlinked from and linked to their neighbours when their type or thread_id changes", () => {
    const index = indexOf(turn("a", atMinute(0)), turn("b", atMinute(1)), turn("c", atMinute(2)));
    index.put(turn("b", atMinute(1), { memoryType: "EPISODIC" }), undefined);
    expect(linksOf(index)).toEqual({ a: "c" });
    index.put(turn("b", atMinute(1)), undefined);
    index.put(turn("c", atMinute(2), { threadId: "x" }), undefined);
    expect(linksOf(index)).toEqual({ a: "b" });
  });

  test("turns without an event time follow each other if written at least a second apart", () => {
    const { seconds } = atMinute(0);
    const index = indexOf(
      writtenTurn("a", { seconds, nanos: 0 }),
      writtenTurn("b", { seconds: seconds + 1, nanos: 0 }),
      writtenTurn("c", { seconds: seconds + 1, nanos: 999_000_000 }),
    );
    expect(linksOf(index)).toEqual({ a: "b" });
    index.put(
      { ...writtenTurn("c", { seconds: seconds + 1, nanos: 999_000_000 }), eventTime: atMinute(2) },
      undefined,
    );
    expect(linksOf(index)).toEqual({ a: "b", b: "c" });
  });

  test("once a turn gets an event time, it follows the turn of a millisecond before", () => {
    const [first, second] = [atMinute(0, 1_000_000), atMinute(0, 2_000_000)];
    const index = indexOf(turn("a", first), writtenTurn("b", second));
    expect(linksOf(index)).toEqual({});
    index.put({ ...writtenTurn("b", second), eventTime: second }, undefined);
    expect(linksOf(index)).toEqual({ a: "b" });
  });
});

test("memories of types other than CONVERSATION are not linked, however close in time", () => {
  const types = ["EPISODIC", "SEMANTIC", "WORKING", "SCRATCH_PAGE", "TRACE"] as const;
  const index = indexOf(
    ...types.flatMap((memoryType) =>
      [1, 2].map((at) => turn(`${memoryType} ${at}`, atMinute(at), { memoryType })),
    ),
  );
  expect(linksOf(index)).toEqual({});
  expect(index.hasThreads).toBe(false);
});

/** The expected links, computed from all memories together. */
function linksByRule(memories: readonly Memory[]): Record<string, string> {
  const millis = (memory: Memory) =>
    happenedAt(memory).seconds * 1000 + happenedAt(memory).nanos / 1e6;
  const links: Record<string, string> = {};
  for (const threadId of ["x", "y", undefined]) {
    const group = memories.filter(
      (memory) =>
        memory.threadId === threadId &&
        (threadId !== undefined || memory.memoryType === "CONVERSATION"),
    );
    const inOrder = group.toSorted((a, b) => millis(a) - millis(b) || (a.id < b.id ? -1 : 1));
    for (const [at, later] of inOrder.entries()) {
      const earlier = inOrder[at - 1];
      if (earlier === undefined) continue;
      const pause = millis(later) - millis(earlier);
      const isSaid = earlier.eventTime !== undefined && later.eventTime !== undefined;
      if (threadId !== undefined || (pause <= 30 * 60_000 && (isSaid || pause >= 1_000)))
        links[earlier.id] = later.id;
    }
  }
  return links;
}

test("an index updated turn by turn equals a new index, and links turns by their pauses and thread ids", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  const time = fc
    .tuple(fc.nat({ max: 4 }), fc.constantFrom(-1_001, -1_000, -1, 0, 1, 999, 1_000))
    .map(([halfHours, millis]) => ({
      seconds: 1_700_000_000 + halfHours * 1_800 + Math.floor(millis / 1000),
      nanos: ((millis + 2_000) % 1000) * 1_000_000,
    }));
  const put = fc.record({
    kind: fc.constant("put" as const),
    id,
    words: fc.array(fc.constantFrom("red", "green", "oslo"), { maxLength: 4 }),
    vector: fc.option(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), {
      nil: undefined,
    }),
    memoryType: fc.constantFrom(
      "CONVERSATION" as const,
      "CONVERSATION" as const,
      "CONVERSATION" as const,
      "EPISODIC" as const,
    ),
    threadId: fc.option(fc.constantFrom("x", "y"), { nil: undefined, freq: 2 }),
    time,
    isSaid: fc.boolean(),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: put },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), id }) },
  );
  const queries: IndexQuery[] = [
    { text: "red oslo" },
    { text: "green", vector: Float32Array.of(1, 2) },
  ];

  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = emptyIndex();
      const stored = new Map<string, { memory: Memory; vector: Float32Array | undefined }>();
      for (const action of steps) {
        if (action.kind === "remove") {
          index.remove(action.id);
          stored.delete(action.id);
        } else {
          const { words, memoryType, threadId, time, isSaid } = action;
          const times = isSaid ? { eventTime: time } : { createTime: time };
          const memory = sampleMemory(action.id, words.join(" "), {
            memoryType,
            ...times,
            ...(threadId && { threadId }),
          });
          const vector = action.vector && Float32Array.from(action.vector);
          index.put(memory, vector);
          stored.set(action.id, { memory, vector });
        }
      }
      const fresh = emptyIndex();
      for (const { memory, vector } of stored.values()) fresh.put(memory, vector);
      expect(linksOf(index)).toEqual(linksByRule([...stored.values()].map(({ memory }) => memory)));
      for (const query of queries) {
        const actual = hitsOf(index, query);
        const expected = hitsOf(fresh, query);
        expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [hit, { keyword, vector, next }] of expected) {
          expect(actual.get(hit)?.keyword).toBeCloseTo(keyword, 5);
          expect(actual.get(hit)?.vector).toBeCloseTo(vector, 5);
          expect(actual.get(hit)?.next).toBe(next);
        }
      }
    }),
    { numRuns: propertyRuns(150) },
  );
});
