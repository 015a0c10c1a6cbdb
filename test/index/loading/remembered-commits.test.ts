import { expect, test } from "vitest";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import type { SearchIndex } from "../../../src/core/ports/search-index.js";
import type { RecentCommits, RecentRecord, Store, Table } from "../../../src/core/ports/store.js";

import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { hitsOf } from "../../contract/index-hits.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { putMemory } from "../../contract/search-index/context.js";
import { createWatchedStore } from "../watched-store.js";

const notes: Namespace = { userId: "kim", agentId: "notes" };

async function add(store: Store, content: string): Promise<void> {
  await store.update(scopeOf(notes), async (tx) =>
    putMemory(tx, notes, sampleMemory(content, content), Float32Array.of(1, 2)),
  );
}

async function found(index: SearchIndex, text: string): Promise<string[]> {
  return index.read(notes, new AbortController().signal, (opened) =>
    [...hitsOf(opened, { text }).keys()].sort(),
  );
}

/**
 * Loads an index with one memory, and adds a second memory. Of the second commit, the store
 * remembers only `recent`. `taken` returns the number of snapshots taken since.
 */
async function follow(recent: RecentCommits, timeline?: string) {
  const store = createWatchedStore(createInMemoryStore());
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 30 });
  await add(store, "red apple");
  await found(index, "red");
  const { snapshots } = store;
  await add(store, "red brick");
  const { inner } = store;
  store.inner = {
    ...inner,
    recent: () => recent,
    head: async (scope) => ({ ...(await inner.head(scope)), timeline }),
  };
  return { taken: () => store.snapshots - snapshots, find: () => found(index, "red") };
}

const id = "red brick";
const touched = [{ table: "memories", agentId: notes.agentId, key: id }] as const;
const changes = [{ seq: 2, touched, cleared: [] }];
const values: Partial<Record<Table, unknown>> = {
  memories: sampleMemory(id, id),
  vectors: Float32Array.of(1, 2),
};
const recordIn = (known: Partial<Record<Table, unknown>>): RecentCommits["get"] => {
  return (table) => (table in known ? ({ value: known[table] } as RecentRecord<never>) : "unknown");
};

test("the search index applies commits that the store remembers, and takes no snapshot", async () => {
  const { find, taken } = await follow({ changes, get: recordIn(values) });
  expect(await find()).toEqual(["red apple", "red brick"]);
  expect(taken()).toBe(0);
});

test("the search index gives a memory no vector if the remembered commits wrote no vector for it", async () => {
  const { find, taken } = await follow({
    changes,
    get: recordIn({ memories: values.memories }),
  });
  expect(await find()).toEqual(["red apple", "red brick"]);
  expect(taken()).toBe(0);
});

test("the search index keeps the vector of a memory if the remembered commits changed other fields", async () => {
  const old = sampleMemory("red apple", "red apple");
  const { find, taken } = await follow({
    changes: [{ seq: 2, touched: [{ ...touched[0], key: old.id }], cleared: [] }],
    get: recordIn({ memories: { ...old, importance: 1 } }),
  });
  expect(await find()).toEqual(["red apple"]);
  expect(taken()).toBe(0);
});

test("the search index reads a snapshot if the remembered commits changed a text without its vector", async () => {
  const changed = { ...sampleMemory("red apple", "red apple"), content: "red pear" };
  const { find, taken } = await follow({
    changes: [{ seq: 2, touched: [{ ...touched[0], key: changed.id }], cleared: [] }],
    get: recordIn({ memories: changed }),
  });
  expect(await find()).toEqual(["red apple", "red brick"]);
  expect(taken()).toBe(1);
});

test("the search index removes the memories that the remembered commits deleted", async () => {
  const { find, taken } = await follow({
    changes: [{ seq: 2, touched: [{ ...touched[0], key: "red apple" }], cleared: [] }],
    get: () => "deleted",
  });
  expect(await find()).toEqual([]);
  expect(taken()).toBe(0);
});

test("the search index reads a snapshot if the remembered commits are on another timeline", async () => {
  const recent = { changes, get: recordIn(values) };
  const { find, taken } = await follow(recent, "2");
  expect(await find()).toEqual(["red apple", "red brick"]);
  expect(taken()).toBe(1);
});

test.each([
  ["lack a memory", { changes, get: recordIn({ vectors: values.vectors }) }],
  ["have a gap", { changes: [], get: recordIn(values) }],
  [
    "cleared the namespace",
    {
      changes: [{ seq: 2, touched, cleared: [notes.agentId] }],
      get: recordIn(values),
    },
  ],
  [
    "cannot be read",
    {
      changes,
      get: () => {
        throw new Error("broken");
      },
    },
  ],
] satisfies [string, RecentCommits][])(
  "the search index reads a snapshot if the remembered commits %s",
  async (_, recent) => {
    const { find, taken } = await follow(recent);
    expect(await find()).toEqual(["red apple", "red brick"]);
    expect(taken()).toBe(1);
  },
);
