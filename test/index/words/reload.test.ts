import { expect, test } from "vitest";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import type { SearchIndex } from "../../../src/core/ports/search-index.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { putMemory } from "../../contract/search-index/context.js";
import { sampleWordPieces } from "./sample-word-pieces.js";

const notes: Namespace = { userId: "kim", agentId: "notes" };

test("similar words score the same in an updated index and in a newly loaded index", async () => {
  const store = createInMemoryStore();
  const open = () =>
    createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes: 2 ** 30,
      wordPieces: () => sampleWordPieces,
    });
  const scoresIn = (index: SearchIndex) =>
    index.read(notes, new AbortController().signal, (opened) => {
      const rows = Int32Array.from(["a", "b", "c"], (id) => opened.rowOf(id) ?? -1);
      const scores = new Float64Array(rows.length);
      return opened.scoreSimilarWords("dog lake", rows, rows.length, scores) && [...scores];
    });
  const put = (id: string, content: string) =>
    store.update(scopeOf(notes), async (tx) => {
      const turn = sampleMemory(id, content, { threadId: "t" });
      putMemory(tx, notes, turn, Float32Array.of(1, 2));
    });
  const index = open();
  for (const id of ["a", "b", "c"]) await put(id, "a puppy");
  const before = await scoresIn(index);
  expect(before).toEqual(await scoresIn(open()));
  await put("a", "by the sea");
  await put("b", "nothing of it");
  const after = await scoresIn(index);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await scoresIn(open()));
});

test("after a change of the namespace's model, an index uses the word pieces of the new model", async () => {
  const store = createInMemoryStore();
  const index = createSearchIndex({
    codec: memoryRecords,
    store,
    maxBytes: 2 ** 30,
    wordPieces: (modelId) => (modelId === "test@1" ? sampleWordPieces : undefined),
  });
  const write = (modelId: string) =>
    store.update(scopeOf(notes), async (tx) => {
      const turn = sampleMemory("a", "a puppy", { threadId: "t" });
      putMemory(tx, notes, turn, Float32Array.of(1, 2));
      tx.put("profiles", notes, "vectors", { modelId, dimension: 2 });
    });
  const isScored = () =>
    index.read(notes, new AbortController().signal, (opened) => {
      const scores = new Float64Array(1);
      const rows = Int32Array.of(opened.rowOf("a") ?? -1);
      return opened.scoreSimilarWords("dog", rows, 1, scores) && (scores[0] ?? 0) > 0;
    });
  for (const [modelId, expected] of [
    ["test@1", true],
    ["other@1", false],
    ["test@1", true],
  ] as const) {
    await write(modelId);
    expect(await isScored(), modelId).toBe(expected);
  }
});
