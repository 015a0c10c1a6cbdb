import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryTypes, typeSetOf } from "../../src/core/model/memory.js";
import type { IndexQuery, Row } from "../../src/core/ports/search-index.js";
import { createAnalyzer } from "../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../src/index/namespace-index.js";
import { contextWeights } from "../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { sampleMemory } from "../contract/sample-records.js";

const parts = {
  analyzer: createAnalyzer(),
  context: contextWeights,
  codec: memoryRecords,
  kernel: new KernelMemory(),
};
const head = { epoch: "e", seq: 1 };

function filled(count: number): HotNamespaceIndex {
  const index = new HotNamespaceIndex(parts, head, { modelId: "test@1", dimension: 2 });
  for (let i = 0; i < count; i++)
    index.put(sampleMemory(`m${i}`, `red ${i}`), Float32Array.of(1, i));
  return index;
}

function rounded(score = 0): number {
  return Math.round(score * 1e4) / 1e4 + 0;
}

describe("the index of a namespace", () => {
  test("in the index of a namespace, at most a fifth of the rows are empty", () => {
    const index = filled(100);
    for (let i = 0; i < 90; i++) index.remove(`m${i}`);
    const { count, rows } = index.candidates({ text: "" });
    expect(count).toBe(10);
    expect(Math.max(...rows.subarray(0, count))).toBeLessThan(13);
  });

  test("ids are compared as texts without records, also after rows were renumbered", () => {
    const property = fc.property(
      fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 30 }),
      fc.array(fc.constantFrom("m1", "zz", "0"), { maxLength: 1 }),
      (uuids, others) => {
        const index = filled(0);
        const ids = [...uuids, ...others];
        for (const id of ids) index.put(sampleMemory(id, "red"), undefined);
        const kept = ids.slice(Math.floor(ids.length / 2));
        for (const id of ids) if (!kept.includes(id)) index.remove(id);
        for (const a of kept)
          for (const b of kept) {
            const order = index.compareIds(index.rowOf(a) as Row, index.rowOf(b) as Row);
            expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
          }
      },
    );
    fc.assert(property);
  });

  test("the index of a namespace lets other work run while a long text is added, replaced or removed", async () => {
    const text = "many different words about wine from the valley ".repeat(1_300);
    const expected = filled(3);
    expected.put(sampleMemory("m1", text), Float32Array.of(1, 1));
    const index = filled(3);
    let pauses = 0;
    const apply = (content: string | undefined) => {
      const memory = content === undefined ? undefined : sampleMemory("m1", content);
      return index.apply("m1", memory, Float32Array.of(1, 1), async () => void pauses++);
    };
    await apply(text);
    expect(pauses).toBeGreaterThan(10);
    const query = { text: "wine red", vector: Float32Array.of(0, 1) };
    const scoresOf = (of: HotNamespaceIndex) => {
      const { count, rows, keyword } = of.candidates(query);
      return Array.from({ length: count }, (_, i) => [rows[i], rounded(keyword[i])]);
    };
    expect(scoresOf(index)).toEqual(scoresOf(expected));
    pauses = 0;
    await apply("red 1");
    expect(pauses).toBeGreaterThan(10);
    await apply(text);
    pauses = 0;
    await apply(undefined);
    expect(pauses).toBeGreaterThan(10);
    expect(index.size).toBe(2);
  });

  test("the index of a namespace finds memories and vectors after its rows are renumbered", () => {
    const index = filled(100);
    for (let i = 0; i < 100; i += 2) index.remove(`m${i}`);
    const { count, rows, vector } = index.candidates({
      text: "red",
      vector: Float32Array.of(0, 1),
    });
    expect(count).toBe(50);
    for (let i = 0; i < count; i++) {
      const number = Number(index.at((rows[i] ?? -1) as Row).memory.id.slice(1));
      expect(number % 2).toBe(1);
      expect(vector[i]).toBeCloseTo(number / Math.hypot(1, number), 3);
    }
  });

  test("the index of a namespace finds memories by their current tags and kind", () => {
    const index = filled(20);
    const found = (text: string) => {
      const { count, rows } = index.candidates({ text });
      const ids = Array.from(rows.subarray(0, count), (row) => index.at(row as Row).memory.id);
      return ids.sort();
    };
    for (const n of [7, 3, 11])
      index.put(sampleMemory(`m${n}`, `red ${n}`, { tags: ["wine", "red"] }), undefined);
    expect(found("wine")).toEqual(["m11", "m3", "m7"]);
    index.put(sampleMemory("m7", "red 7", { kind: "wine_list" }), undefined);
    index.put(sampleMemory("m3", "red 3"), undefined);
    expect(found("wine")).toEqual(["m11", "m7"]);
    expect(found("red")).toHaveLength(20);
    index.remove("m7");
    index.remove("m11");
    expect(found("wine")).toEqual([]);
  });

  test("the index of a namespace keeps the traits of each row through changes, removals and renumbering", () => {
    const typeOf = (n: number) => memoryTypes[n % memoryTypes.length] ?? "TRACE";
    const index = filled(0);
    for (let n = 0; n < 300; n++)
      index.put(sampleMemory(`m${n}`, `red ${n}`, { memoryType: typeOf(n) }), undefined);
    for (let n = 0; n < 300; n += 3) {
      const hidden =
        n % 2 === 0 ? { supersededBy: "m1" } : { expireTime: { seconds: 9, nanos: 0 } };
      index.put(sampleMemory(`m${n}`, `red ${n}`, { memoryType: typeOf(n), ...hidden }), undefined);
    }
    for (let n = 0; n < 300; n += 2) index.remove(`m${n}`);
    const { count, rows } = index.candidates({ text: "" });
    expect(count).toBe(150);
    for (const row of rows.subarray(0, count)) {
      const { memory } = index.at(row as Row);
      expect(index.traits.canBeHidden(row as Row)).toBe(
        memory.supersededBy !== undefined || memory.expireTime !== undefined,
      );
      expect(
        memoryTypes.filter((type) => index.traits.isOfType(row as Row, typeSetOf([type]))),
      ).toEqual([memory.memoryType]);
    }
  });

  test("a search of one memory type gives rows the same scores as a search of all rows", () => {
    const index = filled(0);
    const words = ["red", "wine", "nuts", "table"];
    for (let n = 0; n < 240; n++) {
      const memoryType = n % 7 === 0 ? "WORKING" : "EPISODIC";
      const content = `${words[n % 4]} ${words[(n >> 2) % 4]} ${n}`;
      const threaded =
        n % 3 === 0 ? {} : { threadId: `t${n % 5}`, eventTime: { seconds: n, nanos: 0 } };
      index.put(
        sampleMemory(`m${n}`, content, { memoryType, ...threaded }),
        Float32Array.of(Math.sin(n), Math.cos(n)),
      );
    }
    const types = typeSetOf(["WORKING"]);
    const scoresOf = (query: IndexQuery) => {
      const { tier, count, rows, keyword, vector } = index.candidates(query);
      expect(tier).toBe("exact");
      const scores = new Map<number, readonly number[]>();
      for (let i = 0; i < count; i++)
        scores.set(rows[i] ?? -1, [keyword[i] ?? 0, rounded(vector[i])]);
      return scores;
    };
    for (const [at, text] of ["red wine", "nuts", "", "a table of 14"].entries()) {
      const query = { text, vector: Float32Array.of(Math.cos(at), Math.sin(at)) };
      const all = scoresOf(query);
      const some = scoresOf({ ...query, types });
      expect(some.size).toBeLessThan(all.size);
      for (const [row, scores] of all) {
        if (!index.traits.isOfType(row as Row, types)) continue;
        expect(some.get(row)).toEqual(scores);
        // The next row of the thread can raise this row, so its scores must be equal too.
        const next = index.nextRows[row] as Row;
        if (next >= 0) expect(some.get(next)).toEqual(all.get(next));
      }
      expect(scoresOf(query)).toEqual(all);
    }
  });

  test("the index of a namespace looks up the spelling of a query word once, and again after a text has changed", () => {
    let lookUps = 0;
    const isKnownWord = () => {
      lookUps += 1;
      return false;
    };
    const index = new HotNamespaceIndex({ ...parts, isKnownWord }, head, undefined);
    index.put(sampleMemory("m1", "the umbrella"), undefined);
    const respellings = () => {
      index.candidates({ text: "umbrela", respells: true });
      index.passageScorer("umbrela");
      return index.respellingsOf("umbrela").map(({ terms }) => terms);
    };
    expect(respellings()).toEqual([["umbrella"]]);
    expect(lookUps).toBe(1);
    index.put(sampleMemory("m2", "the umbreta"), undefined);
    index.put(sampleMemory("m3", "an umbreta"), undefined);
    expect(respellings()).toEqual([["umbreta", "umbrella"]]);
    index.remove("m1");
    expect(respellings()).toEqual([["umbreta"]]);
    expect(lookUps).toBe(3);
  });

  test("the index of a namespace throws a RangeError for an empty row", () => {
    expect(() => filled(3).at(3 as Row)).toThrow(RangeError);
  });

  test("the index of a namespace counts its resident bytes", () => {
    const index = filled(10);
    const before = index.bytes;
    index.put(
      sampleMemory("long", "word ".repeat(10_000), {
        metadata: { list: Array.from({ length: 100 }, (_, i) => i) },
      }),
      undefined,
    );
    expect(index.bytes - before).toBeGreaterThan(50_000);
    index.put(sampleMemory("long", "short"), undefined);
    expect(index.bytes - before).toBeLessThan(1_000);
    index.remove("long");
    // The empty row keeps its place in the columns.
    expect(index.bytes - before).toBeLessThan(400);
  });
});
