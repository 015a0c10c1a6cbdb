import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { VademecumError } from "../../src/core/model/errors.js";
import { type Namespace, scopeOf } from "../../src/core/model/namespace.js";
import type { Meter } from "../../src/core/ports/meter.js";
import type { SearchIndex } from "../../src/core/ports/search-index.js";
import type { Store } from "../../src/core/ports/store.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { hitsOf } from "../contract/index-hits.js";
import { sampleMemory } from "../contract/sample-records.js";
import { putMemory } from "../contract/search-index/context.js";
import { describeSearchIndex } from "../contract/search-index.js";
import { createWatchedStore, type WatchedStore } from "./watched-store.js";

const roomy = 2 ** 30;

describeSearchIndex(
  "the index over the in-process store",
  async () => createInMemoryStore(),
  (store) => createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy }),
);
describeSearchIndex(
  "the index that keeps only one namespace in RAM",
  async () => createInMemoryStore(),
  (store) => createSearchIndex({ codec: memoryRecords, store, maxBytes: 1 }),
);

const notes: Namespace = { userId: "kim", agentId: "notes" };
const signal = new AbortController().signal;

async function add(store: Store, namespace: Namespace, ...contents: string[]): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (const content of contents)
      putMemory(tx, namespace, sampleMemory(content, content), Float32Array.of(1, 2));
  });
}

async function found(index: SearchIndex, namespace: Namespace, text: string): Promise<string[]> {
  return index.read(namespace, signal, (opened) => [...hitsOf(opened, { text }).keys()].sort());
}

/** Returns a store whose heads have a timeline. */
function onTimeline(timeline: string, store: Store): Store {
  return {
    ...store,
    head: async (scope) => ({ ...(await store.head(scope)), timeline }),
    snapshot: async (scope) => {
      const snapshot = await store.snapshot(scope);
      return Object.assign(snapshot, { head: { ...snapshot.head, timeline } });
    },
  };
}

describe("the search index", () => {
  test("the search index loads a namespace once, and then reads only changes from the change log", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    expect(store.scans).toEqual(["memories", "vectors"]);
    for (let i = 0; i < 20; i++) await add(store, notes, `red ${i}`);
    await add(store, { ...notes, agentId: "other" }, "red");
    expect((await found(index, notes, "red")).length).toBe(21);
    expect(store.scans).toEqual(["memories", "vectors"]);
    expect(store.openSnapshots).toBe(0);
  });

  test("reads in successive turns of the event loop share one read of the head of a remote store", async () => {
    const inner = createInMemoryStore();
    let heads = 0;
    const store: Store = {
      ...inner,
      isRemote: true,
      async head(scope) {
        heads++;
        return inner.head(scope);
      },
    };
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    expect(heads).toBe(0);
    const reads: Promise<string[]>[] = [];
    for (let i = 0; i < 3; i++) {
      const turn = setImmediate();
      reads.push(found(index, notes, "red"));
      await turn;
    }
    expect(await Promise.all(reads)).toEqual([["red apple"], ["red apple"], ["red apple"]]);
    expect(heads).toBe(1);
  });

  test("the search index takes no snapshot while the namespace does not change", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    const { snapshots } = store;
    expect(await found(index, notes, "red")).toEqual(["red apple"]);
    expect(store.snapshots).toBe(snapshots);
    await add(store, notes, "red brick");
    expect(await found(index, notes, "red")).toEqual(["red apple", "red brick"]);
    expect(store.snapshots).toBe(snapshots + 1);
  });

  test("the search index loads a namespace once for all waiting callers", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    const answers = await Promise.all(Array.from({ length: 20 }, () => found(index, notes, "red")));
    expect(answers).toEqual(Array.from({ length: 20 }, () => ["red apple"]));
    expect(store.scans).toEqual(["memories", "vectors"]);
  });

  test("the search index evicts the least recently used namespaces beyond its byte limit", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const namespaces = ["a", "b", "c"].map((userId) => ({ userId, agentId: "notes" }));
    for (const namespace of namespaces) await add(store, namespace, `red of ${namespace.userId}`);
    const unlimited = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 30 });
    for (const namespace of namespaces) await found(unlimited, namespace, "red");
    // Two of the three fit, although searches add a few bytes to each.
    const maxBytes = Math.floor(unlimited.usage().bytes * 0.85);
    const figures: string[] = [];
    const meter: Meter = (figure, _, kind = "") => void figures.push(`${figure} ${kind}`.trim());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes, meter });
    for (const namespace of namespaces)
      expect(await found(index, namespace, "red")).toEqual([`red of ${namespace.userId}`]);
    store.scans = [];
    const [a, b, c] = namespaces as [Namespace, Namespace, Namespace];
    expect(await found(index, c, "red")).toEqual(["red of c"]);
    expect(await found(index, b, "red")).toEqual(["red of b"]);
    expect(store.scans).toEqual([]);
    expect(await found(index, a, "red")).toEqual(["red of a"]);
    expect(store.scans).toEqual(["memories", "vectors"]);
    expect(await found(index, b, "red")).toEqual(["red of b"]);
    expect(store.scans).toEqual(["memories", "vectors"]);
    await index.settled();
    const count = (wanted: string) => figures.filter((figure) => figure === wanted).length;
    expect([count("indexLoads records"), count("indexEvictions"), count("indexHits")]).toEqual([
      4, 2, 3,
    ]);
    expect(index.usage().bytes).toBeGreaterThan(maxBytes / 2);
    expect(index.usage().bytes).toBeLessThanOrEqual(maxBytes);
  });

  test("the search index keeps one namespace that alone exceeds the byte limit, beside small namespaces", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const [a, b, small] = ["a", "b", "c"].map((userId) => ({ userId, agentId: "notes" })) as [
      Namespace,
      Namespace,
      Namespace,
    ];
    const many = Array.from({ length: 500 }, (_, i) => `red ${i}`);
    for (const namespace of [a, b]) await add(store, namespace, ...many);
    await add(store, small, "red");
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 100_000 });
    const scansOf = async (namespace: Namespace, count: number): Promise<number> => {
      store.scans = [];
      expect((await found(index, namespace, "red")).length).toBe(count);
      return store.scans.length;
    };
    expect([await scansOf(a, 500), await scansOf(a, 500)]).toEqual([2, 0]);
    expect([await scansOf(small, 1), await scansOf(small, 1), await scansOf(a, 500)]).toEqual([
      2, 0, 0,
    ]);
    await add(store, a, "red at last");
    expect(await scansOf(a, 501)).toBe(0);
    expect([
      await scansOf(b, 500),
      await scansOf(b, 500),
      await scansOf(small, 1),
      await scansOf(a, 501),
    ]).toEqual([2, 0, 0, 2]);
  });

  test("the search index frees a released namespace, and loads it again at the next read", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    await index.release(notes);
    store.scans = [];
    expect(await found(index, notes, "red")).toEqual(["red apple"]);
    expect(store.scans).toEqual(["memories", "vectors"]);
  });

  test("the search index does not keep a namespace that is released during a read", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    const reading = found(index, notes, "red");
    const released = index.release(notes);
    expect(await reading).toEqual(["red apple"]);
    await released;
    await index.settled();
    store.scans = [];
    expect(await found(index, notes, "red")).toEqual(["red apple"]);
    expect(store.scans).toEqual(["memories", "vectors"]);
    store.scans = [];
    expect(await found(index, notes, "red")).toEqual(["red apple"]);
    expect(store.scans).toEqual([]);
  });

  test("the search index reloads a namespace in a new epoch of the data", async () => {
    const store = createWatchedStore(createInMemoryStore("before"));
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    expect(await found(index, notes, "red")).toEqual(["red apple"]);
    store.inner = createInMemoryStore("after");
    await add(store, notes, "red brick");
    expect(await found(index, notes, "red")).toEqual(["red brick"]);
  });

  test.each([
    ["the same", ["red brick"]],
    ["a greater", ["red brick", "red car"]],
  ])(
    "the search index reloads a namespace on a new timeline with %s sequence number",
    async (_, contents) => {
      const store = createWatchedStore(onTimeline("1", createInMemoryStore("epoch")));
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      await add(store, notes, "red apple");
      expect(await found(index, notes, "red")).toEqual(["red apple"]);
      store.inner = onTimeline("2", createInMemoryStore("epoch"));
      for (const content of contents) await add(store, notes, content);
      expect(await found(index, notes, "red")).toEqual(contents);
    },
  );

  test("the search index reloads a namespace when the change log has a gap", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    const { inner } = store;
    store.inner = {
      ...inner,
      changes: async (snapshot, afterSeq) => (await inner.changes(snapshot, afterSeq))?.slice(1),
    };
    await add(store, notes, "red brick");
    await add(store, notes, "red car");
    expect(await found(index, notes, "red")).toEqual(["red apple", "red brick", "red car"]);
    expect(store.scans.length).toBe(4);
  });

  test("the search index reloads a namespace when the catch-up fails, and rethrows errors of the load", async () => {
    const store = createWatchedStore(createInMemoryStore());
    const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
    await add(store, notes, "red apple");
    await found(index, notes, "red");
    await add(store, notes, "red brick");
    let reads = 0;
    store.beforeRead = () => {
      reads += 1;
      if (reads === 2) throw new Error("once");
    };
    expect(await found(index, notes, "red")).toEqual(["red apple", "red brick"]);

    const damage = new VademecumError("DATA_LOSS", "DAMAGED_RECORD", "a record fails its checksum");
    await add(store, notes, "red car");
    store.beforeRead = () => {
      throw damage;
    };
    await expect(found(index, notes, "red")).rejects.toBe(damage);
    store.beforeRead = undefined;
    expect((await found(index, notes, "red")).length).toBe(3);
    expect(store.openSnapshots).toBe(0);
  });

  describe("while it loads a large namespace", () => {
    async function largeNamespace(): Promise<WatchedStore> {
      const store = createWatchedStore(createInMemoryStore());
      await add(
        store,
        notes,
        ...Array.from(
          { length: 3_000 },
          (_, i) => `red ${i} ${"many different words make this take a while ".repeat(10)}`,
        ),
      );
      return store;
    }

    test("other work gets its turn while a large namespace is loaded", async () => {
      const store = await largeNamespace();
      let loaded = false;
      const loading = found(
        createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy }),
        notes,
        "red",
      ).finally(() => {
        loaded = true;
      });
      let turns = 0;
      while (!loaded) {
        await setImmediate();
        turns += 1;
      }
      expect((await loading).length).toBe(3_000);
      expect(turns).toBeGreaterThan(5);
    });

    test("a load continues after its callers leave, and serves the next caller", async () => {
      const store = await largeNamespace();
      const controller = new AbortController();
      let reads = 0;
      store.beforeRead = () => {
        reads += 1;
        if (reads === 100) controller.abort(new Error("gone"));
      };
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      await expect(index.read(notes, controller.signal, () => undefined)).rejects.toThrow("gone");
      await index.settled();
      expect(store.openSnapshots).toBe(0);
      expect((await found(index, notes, "red")).length).toBe(3_000);
      expect(store.scans).toEqual(["memories", "vectors"]);
    });

    test("a later caller shares a load that all earlier callers have left", async () => {
      const store = await largeNamespace();
      const controller = new AbortController();
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      let reads = 0;
      let later: Promise<string[]> | undefined;
      store.beforeRead = () => {
        reads += 1;
        if (reads === 100) controller.abort(new Error("gone"));
        if (reads === 200) later = found(index, notes, "red");
      };
      await expect(index.read(notes, controller.signal, () => undefined)).rejects.toThrow("gone");
      expect((await later)?.length).toBe(3_000);
      expect(store.scans).toEqual(["memories", "vectors"]);
    });

    test("closing the search index stops a load that no caller waits for", async () => {
      const store = await largeNamespace();
      const controller = new AbortController();
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      let reads = 0;
      let closed: Promise<void> | undefined;
      store.beforeRead = () => {
        reads += 1;
        if (reads !== 100) return;
        controller.abort(new Error("gone"));
        closed = index.close();
      };
      await expect(index.read(notes, controller.signal, () => undefined)).rejects.toThrow("gone");
      await closed;
      expect(reads).toBeLessThan(3_000);
      expect(store.openSnapshots).toBe(0);
    });

    test("a load does not start if all callers have left", async () => {
      const store = await largeNamespace();
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      await expect(
        index.read(notes, AbortSignal.abort(new Error("gone")), () => undefined),
      ).rejects.toThrow("gone");
      await index.settled();
      expect(store.scans).toEqual([]);
    });

    test("a load continues when one of several callers leaves", async () => {
      const store = await largeNamespace();
      const controller = new AbortController();
      let reads = 0;
      store.beforeRead = () => {
        reads += 1;
        if (reads === 100) controller.abort(new Error("gone"));
      };
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      const [left, stayed] = await Promise.allSettled([
        index.read(notes, controller.signal, () => undefined),
        found(index, notes, "red"),
      ]);
      expect(left.status).toBe("rejected");
      expect(stayed.status === "fulfilled" && stayed.value.length).toBe(3_000);
      expect(store.scans).toEqual(["memories", "vectors"]);
    });

    test("another namespace is served while a large namespace is loaded", async () => {
      const store = await largeNamespace();
      const other: Namespace = { userId: "lee", agentId: "notes" };
      await add(store, other, "red");
      const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: roomy });
      const ends: string[] = [];
      const large = found(index, notes, "red").then(() => ends.push("large"));
      await found(index, other, "red");
      ends.push("small");
      await large;
      expect(ends).toEqual(["small", "large"]);
    });
  });
});
