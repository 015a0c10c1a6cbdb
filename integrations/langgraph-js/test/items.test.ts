import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import { connect } from "vademecum-client";
import { describe, expect, it } from "vitest";
import { TestServer } from "../../contract/typescript/index.js";
import { VademecumStore } from "../src/index.js";
import { newMemories, newStore } from "./new-store.js";

const docs = ["documents", "ada"];

describe("put and get", () => {
  it("get returns the value that was put", async () => {
    const store = newStore();
    const value = {
      text: "Tea",
      n: 5,
      x: 0.5,
      ok: true,
      none: null,
      list: [1, { deep: ["ü", "\n"] }],
      empty: {},
    };
    await store.put(docs, "one", value);
    const item = await store.get(docs, "one");
    expect(item).toMatchObject({ namespace: docs, key: "one", value });
    expect(item?.value).toEqual(value);
    expect(item?.createdAt).toBeInstanceOf(Date);
    expect(item?.updatedAt).toEqual(item?.createdAt);
  });

  it("get returns nothing for an unknown key", async () => {
    const store = newStore();
    await store.put(docs, "one", { a: 1 });
    expect(await store.get(docs, "two")).toBeNull();
    expect(await store.get(["documents"], "one")).toBeNull();
    expect(await store.get([...docs, "deeper"], "one")).toBeNull();
  });

  it("a second put replaces the whole value and keeps the time of creation", async () => {
    const store = newStore();
    await store.put(docs, "one", { a: 1, b: 2 });
    const first = await store.get(docs, "one");
    await store.put(docs, "one", { a: 3 });
    const second = await store.get(docs, "one");
    expect(second?.value).toEqual({ a: 3 });
    expect(second?.createdAt).toEqual(first?.createdAt);
    expect(await store.search([])).toHaveLength(1);
  });

  it.each([{ x: Number.NaN }, { x: 5n }, { x: () => 1 }, { x: { y: new Map() } }])(
    "put refuses a value that the server cannot return unchanged",
    async (value) => {
      const store = newStore();
      const puts = [
        { namespace: docs, key: "good", value: { a: 1 } },
        { namespace: docs, key: "bad", value },
      ];
      await expect(store.batch(puts)).rejects.toThrow(RangeError);
      expect(await store.search([])).toEqual([]);
    },
  );

  it("put leaves out undefined entries and stores dates as text, like JSON", async () => {
    const store = newStore();
    await store.put(docs, "k", { a: undefined, when: new Date(0) });
    expect((await store.get(docs, "k"))?.value).toEqual({ when: "1970-01-01T00:00:00.000Z" });
  });
});

describe("paths of items", () => {
  it.each(["", " ", "a/b", "a.b", "ключ", "🍷", "x".repeat(2000), "a\nb"])(
    "any text can be a key: %j",
    async (key) => {
      const store = newStore();
      await store.put(docs, key, { k: key });
      expect(await store.get(docs, key)).toMatchObject({ key, value: { k: key } });
    },
  );

  it("two items differ even if their joined namespace and key are the same text", async () => {
    const store = newStore();
    const paths = [
      [["a", "b"], "c"],
      [["a"], "b/c"],
      [["a", "b", "c"], ""],
      [["a/b"], "c"],
      [["ab"], "c"],
      [["A", "b"], "c"],
    ] as const;
    for (const [number, [namespace, key]] of paths.entries())
      await store.put([...namespace], key, { number });
    for (const [number, [namespace, key]] of paths.entries()) {
      expect((await store.get([...namespace], key))?.value).toEqual({ number });
    }
    const found = (await store.search(["a"])).map(({ namespace }) => namespace.join("|")).sort();
    expect(found).toEqual(["a", "a|b", "a|b|c"]);
  });

  it("a namespace may have long labels and many levels", async () => {
    const store = newStore();
    await store.put(["x".repeat(300), "y".repeat(300)], "k", { a: 1 });
    expect(await store.search(["x".repeat(300)])).toHaveLength(1);
    expect(await store.search(["x".repeat(299)])).toEqual([]);
    const deep = Array.from({ length: 32 }, (_, level) => `level ${level}`);
    await store.put(deep, "k", { a: 1 });
    expect(await store.search(deep)).toMatchObject([{ namespace: deep }]);
    await expect(store.put([...deep, "one more"], "k", { a: 1 })).rejects.toThrow("at most 32");
  });

  it.each([[[]], [[""]], [["a", ""]], [["a.b"]], [["langgraph", "x"]], [["a\0b"]]])(
    "put refuses the namespace %j, as LangGraph does",
    async (namespace) => {
      await expect(newStore().put(namespace, "k", { a: 1 })).rejects.toThrow(InvalidNamespaceError);
    },
  );
});

describe("delete", () => {
  it("delete removes only the given item", async () => {
    const store = newStore();
    await store.put(docs, "one", { a: 1 });
    await store.put(docs, "two", { a: 1 });
    await store.delete(docs, "one");
    await store.delete(docs, "never there");
    expect(await store.get(docs, "one")).toBeNull();
    expect(await store.get(docs, "two")).not.toBeNull();
    await store.put(docs, "one", { a: 2 });
    expect((await store.get(docs, "one"))?.value).toEqual({ a: 2 });
  });
});

describe("batch", () => {
  it("batch returns results in order, and reads before it writes", async () => {
    const store = newStore();
    await store.put(docs, "old", { a: 1 });
    const results = await store.batch([
      { namespace: docs, key: "old" },
      { namespace: docs, key: "new", value: { a: 2 } },
      { namespace: docs, key: "new" },
      { namespacePrefix: docs },
      { namespace: docs, key: "old", value: null },
      { limit: 10, offset: 0 },
    ]);
    expect(results).toMatchObject([
      { value: { a: 1 } },
      undefined,
      null,
      [{ key: "old" }],
      undefined,
      [docs],
    ]);
    expect(await store.get(docs, "old")).toBeNull();
    expect(await store.get(docs, "new")).not.toBeNull();
  });

  it("batch keeps the last put of each item, even if two items have equal values", async () => {
    const store = newStore();
    const puts = Array.from({ length: 100 }, (_, number) => ({
      namespace: docs,
      key: `key ${number}`,
      value: { same: "text" },
    }));
    await store.batch([{ namespace: docs, key: "key 1", value: { first: true } }, ...puts]);
    const items = await store.batch(puts.map(({ namespace, key }) => ({ namespace, key })));
    expect(items.map((item) => item?.value)).toEqual(puts.map(({ value }) => value));
    expect(await store.search([], { limit: 1000 })).toHaveLength(100);
    expect(await store.batch([])).toEqual([]);
  });
});

describe("several stores", () => {
  it("concurrent puts of a new item in several stores leave one item", async () => {
    const memories = newMemories();
    const stores = Array.from({ length: 8 }, () => new VademecumStore(memories));
    for (const key of ["a", "b", "c", "d", "e"]) {
      await Promise.all(stores.map((store, number) => store.put(docs, key, { number })));
    }
    const items = await (stores[0] as VademecumStore).search([], { limit: 100 });
    expect(items.map(({ key }) => key).sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("stores of different users share no items", async () => {
    const [one, other] = [newStore(), newStore()];
    await one.put(docs, "k", { text: "secret" });
    expect(await other.get(docs, "k")).toBeNull();
    expect(await other.search([], { query: "secret" })).toEqual([]);
    expect(await other.listNamespaces()).toEqual([]);
  });

  it("a store never touches other memories of the namespace", async () => {
    const memories = newMemories();
    await memories.add({ content: "A secret of another kind" });
    const store = new VademecumStore(memories);
    await store.put(docs, "k", { text: "A secret" });
    expect(await store.search([], { query: "secret" })).toHaveLength(1);
    await store.delete(docs, "k");
    expect((await memories.getAll()).memories.map(({ content }) => content)).toEqual([
      "A secret of another kind",
    ]);
  });
});

it("items survive a killed server", async () => {
  const server = new TestServer();
  await server.start();
  try {
    const first = connect(server.address);
    await new VademecumStore(first.memories("ada", "graph")).put(docs, "k", { text: "Burgundy" });
    first.close();
    await server.kill();
    await server.start();
    const second = connect(server.address);
    const store = new VademecumStore(second.memories("ada", "graph"));
    expect((await store.get(docs, "k"))?.value).toEqual({ text: "Burgundy" });
    expect(await store.search([], { query: "burgundy" })).toMatchObject([{ key: "k" }]);
    second.close();
  } finally {
    await server.remove();
  }
});
