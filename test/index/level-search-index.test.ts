import { afterEach, describe, expect, test } from "vitest";
import { type Namespace, scopeOf } from "../../src/core/model/namespace.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { hitsOf } from "../contract/index-hits.js";
import { sampleMemory } from "../contract/sample-records.js";
import { putMemory } from "../contract/search-index/context.js";
import { describeSearchIndex } from "../contract/search-index.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describeSearchIndex(
  "the index over the LevelDB store",
  async () => openTestStore(await createTestFolder((end) => ends.push(end))),
  (store) => createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 30 }),
);

describe("after a restart", () => {
  test("after a restart, the index finds the memories that were stored before", async () => {
    const folder = await createTestFolder((end) => ends.push(end));
    const notes: Namespace = { userId: "kim", agentId: "notes" };
    const before = await openTestStore(folder);
    await before.update(scopeOf(notes), async (tx) => {
      for (let i = 0; i < 500; i++)
        putMemory(tx, notes, sampleMemory(`m${i}`, `entry number${i}`), Float32Array.of(1, i));
    });
    await before.close();

    const store = await openTestStore(folder);
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 30 });
    const hits = await index.read(notes, new AbortController().signal, (opened) =>
      hitsOf(opened, { text: "number123", vector: Float32Array.of(0, 1) }),
    );
    expect(hits.size).toBe(499);
    expect(hits.get("m123")?.keyword).toBeGreaterThan(0.4);
    expect(hits.get("m123")?.vector).toBeCloseTo(123 / Math.hypot(1, 123), 4);
    await store.close();
  });
});
