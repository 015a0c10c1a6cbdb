import { describe, expect, test } from "vitest";
import type { Namespace } from "../../../src/core/model/namespace.js";
import type { IndexQuery, Row } from "../../../src/core/ports/search-index.js";
import { rounded } from "../index-hits.js";
import { sampleMemory } from "../sample-records.js";
import { type IndexContext, notes, putMemory, signal, tasks } from "./context.js";

export function describeRows(context: IndexContext): void {
  describe("an empty namespace", () => {
    test("an empty namespace has no candidates and no profile", async () => {
      const seen = await context.index.read(notes, signal, (opened) => ({
        count: opened.candidates({ text: "" }).count,
        found: opened.candidates({ text: "oslo", vector: Float32Array.of(1, 0) }).count,
        profile: opened.profile,
        seq: opened.head.seq,
      }));
      expect(seen).toEqual({ count: 0, found: 0, profile: undefined, seq: 0 });
    });
  });

  test("vectors of a new model replace the earlier vectors in every query", async () => {
    const inThread = (id: string, content: string) => sampleMemory(id, content, { threadId: "t" });
    await context.write(notes, (tx) => {
      putMemory(tx, notes, inThread("a", "Ann moved to Oslo"), Float32Array.of(3, 0, 4));
      putMemory(tx, notes, inThread("b", "Ben lives in Lisbon"), Float32Array.of(0, 2, 0));
      putMemory(tx, notes, inThread("c", "The harbour of Oslo"), Float32Array.of(0, 2, 1));
      putMemory(tx, notes, sampleMemory("d", "The blue bicycle"), Float32Array.of(1, 2, 1));
    });
    await context.hits(notes, { text: "", vector: Float32Array.of(1, 1, 1) });
    await context.write(notes, (tx) => {
      tx.put("alternateVectors", notes, "a", Float32Array.of(3, 4));
      tx.put("alternateVectors", notes, "c", Float32Array.of(4, 3));
      tx.put("alternateVectors", notes, "e", Float32Array.of(0, 1));
      tx.put("profiles", notes, "vectors", {
        modelId: "test@2",
        dimension: 2,
        table: "alternateVectors",
      });
      tx.put("memories", notes, "e", sampleMemory("e", "Eve came later"));
      tx.delete("memories", notes, "d");
    });
    const both = { text: "Oslo", vector: Float32Array.of(1, 1) };
    const queries: IndexQuery[] = [
      both,
      { text: "", vector: Float32Array.of(1, 1, 1) },
      { text: "Lisbon" },
    ];
    for (const query of queries)
      expect(rounded(await context.hits(notes, query))).toEqual(
        rounded(await context.hits(notes, query, context.createIndex())),
      );
    expect((await context.hits(notes, both)).get("e")?.vector).toBeCloseTo(Math.SQRT1_2, 4);
    const table = await context.index.read(notes, signal, ({ profile }) => profile?.table);
    expect([table, (await context.index.profileOf(notes))?.modelId]).toEqual([
      "alternateVectors",
      "test@2",
    ]);
    await context.write(notes, (tx) => {
      tx.delete("alternateVectors", notes, "c");
      tx.put("memories", notes, "c", inThread("c", "The harbour of Bergen"));
    });
    for (const query of queries)
      expect(rounded(await context.hits(notes, query))).toEqual(
        rounded(await context.hits(notes, query, context.createIndex())),
      );
  });

  test("a row has its memory, its vector, and a word signature that ignores case and punctuation", async () => {
    await context.add(notes, "a", "The blue bicycle", Float32Array.of(3, 4));
    await context.add(notes, "b", "the BLUE bicycle!", Float32Array.of(4, 3));
    await context.add(notes, "c", "…", Float32Array.of(0, 0));
    await context.index.read(notes, signal, (opened) => {
      expect(opened.profile).toEqual({ modelId: "test@1", dimension: 2 });
      const { count, rows } = opened.candidates({ text: "" });
      const byId = new Map(
        Array.from(rows.subarray(0, count), (row) => [opened.at(row as Row).memory.id, row as Row]),
      );
      const rowOf = (id: string) => byId.get(id) ?? (-1 as Row);
      const [a, b, c] = [rowOf("a"), rowOf("b"), rowOf("c")];
      expect(opened.at(a).memory).toEqual(sampleMemory("a", "The blue bicycle"));
      expect(opened.at(a).wordSignature).toBeTypeOf("number");
      expect(opened.at(b).wordSignature).toBe(opened.at(a).wordSignature);
      expect(opened.at(c).wordSignature).toBeUndefined();
      expect(opened.cosine(a, b)).toBeCloseTo(0.96, 4);
      expect(opened.cosine(a, c)).toBe(0);
    });
  });

  test("superseded and expired memories remain in the index", async () => {
    await context.write(notes, (tx) => {
      putMemory(tx, notes, sampleMemory("a", "old", { supersededBy: "b" }));
      putMemory(tx, notes, sampleMemory("b", "gone", { expireTime: { seconds: 0, nanos: 0 } }));
    });
    expect(await context.found(notes, { text: "" })).toEqual(["a", "b"]);
  });

  test("a namespace has no memory of other agents or users", async () => {
    const foreign: Namespace = { userId: "lee", agentId: "notes" };
    await context.add(notes, "a", "red apple", Float32Array.of(1, 0));
    await context.add(tasks, "b", "red brick", Float32Array.of(1, 0, 0));
    await context.add(foreign, "c", "red car", Float32Array.of(0, 1));
    expect(await context.found(notes, { text: "red" })).toEqual(["a"]);
    expect(await context.found(tasks, { text: "red" })).toEqual(["b"]);
    expect(await context.found(foreign, { text: "red" })).toEqual(["c"]);

    const alone = (await context.hits(notes, { text: "red" })).get("a")?.keyword;
    for (let i = 0; i < 20; i++) await context.add(tasks, `t${i}`, "red");
    expect((await context.hits(notes, { text: "red" })).get("a")?.keyword).toBe(alone);
    expect(await context.index.read(notes, signal, (opened) => opened.profile?.dimension)).toBe(2);
    expect(await context.found({ userId: "kim", agentId: "nobody" }, { text: "red" })).toEqual([]);
  });
}
