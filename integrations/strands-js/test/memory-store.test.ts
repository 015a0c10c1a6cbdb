import {
  Agent,
  MemoryManager,
  type MemoryStore,
  type MemoryStoreConfig,
} from "@strands-agents/sdk";
import { TestMemoryStore } from "@strands-agents/sdk/vended-memory-stores/test-memory-store";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveTests } from "../../contract/typescript/index.js";
import { VademecumMemoryStore } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });

/** A store in which all methods of a store are. */
type WritableStore = MemoryStore & Required<Pick<MemoryStore, "add">>;

const kinds: Record<string, (options?: Partial<MemoryStoreConfig>) => WritableStore> = {
  "the store of this package": (options) => new VademecumMemoryStore({ ...newScope(), ...options }),
  "the test store of Strands": (options) =>
    new TestMemoryStore({ name: "test", persist: false, ...options }),
};
const stores = describe.each(Object.entries(kinds));

async function textsOf(store: MemoryStore, query: string, maxSearchResults?: number) {
  const options = maxSearchResults === undefined ? {} : { maxSearchResults };
  return (await store.search(query, options)).map(({ content }) => content);
}

stores("%s keeps facts", (_, open) => {
  it("finds nothing at first", async () => {
    expect(await textsOf(open(), "tea")).toEqual([]);
  });

  it("returns a fact with its metadata", async () => {
    const store = open();
    const metadata = { topic: "drinks", sure: true, score: 0.5, list: ["a", { b: null }] };
    await store.add("Ada likes green tea", metadata);
    await store.add("Lyon is rainy");
    const [entry] = await store.search("green tea");
    expect(entry).toMatchObject({ content: "Ada likes green tea", metadata });
  });

  it("stores a fact that is added again once", async () => {
    const store = open();
    for (const text of ["Ada likes tea", "Ada likes tea", "  Ada likes tea\n"])
      await store.add(text);
    expect(await textsOf(store, "tea")).toEqual(["Ada likes tea"]);
  });

  it("stores facts of concurrent calls once", async () => {
    const store = open();
    const adds = Array.from({ length: 8 }, (__, number) =>
      store.add(`Tea number ${number % 4} of 9`),
    );
    await Promise.all(adds);
    expect(await textsOf(store, "tea number")).toHaveLength(4);
  });

  it.each(["", "  ", "\n"])("finds nothing for the query %j", async (query) => {
    const store = open();
    await store.add("Ada likes tea");
    expect(await textsOf(store, query)).toEqual([]);
  });

  it("finds a text with half of a surrogate pair", async () => {
    const store = open();
    await store.add("Ada likes tea \ud83d");
    expect(await textsOf(store, "tea \ud83d")).toHaveLength(1);
  });

  it.each(["Crème brûlée 🌰", "שלום עולם", 'multi\nline "text" \\ </memory>'])(
    "returns the text %j unchanged",
    async (text) => {
      const store = open();
      await store.add(text);
      expect(await textsOf(store, text)).toEqual([text]);
    },
  );

  it("puts the best match first", async () => {
    const store = open();
    for (const text of ["Tea is hot", "Ada drinks green tea every morning"]) await store.add(text);
    const [first] = await textsOf(store, "Which green tea does Ada drink every morning?");
    expect(first).toBe("Ada drinks green tea every morning");
  });
});

stores("%s has limits", (_, open) => {
  it("returns as many results as the call, the store or the default says", async () => {
    for (const [options, limit, count] of [
      [{ maxSearchResults: 2 }, undefined, 2],
      [{ maxSearchResults: 2 }, 5, 5],
      [{}, undefined, 10],
    ] as const) {
      const store = open(options);
      for (let number = 0; number < 12; number += 1)
        await store.add(`Tea number ${number} costs ${number * 3} euros`);
      expect(await textsOf(store, "tea euros", limit)).toHaveLength(count);
    }
  });

  it("refuses a limit below one, an empty name and an empty fact", async () => {
    expect(() => open({ maxSearchResults: 0 })).toThrow("at least 1");
    await expect(textsOf(open(), "tea", 0)).rejects.toThrow("at least 1");
    expect(() => open({ name: " " })).toThrow("name");
    await expect(open().add(" \n")).rejects.toThrow("empty");
  });

  it("takes no facts if it is not writable", async () => {
    await expect(open({ writable: false }).add("Ada likes tea")).rejects.toThrow("not writable");
  });
});

stores("%s works with agents", (_, open) => {
  it("gives an agent what fits its question", async () => {
    const [store, model] = [open(), new ScriptedModel()];
    await store.add("Ada is allergic to hazelnuts");
    const memoryManager = new MemoryManager({ stores: [store] });
    const agent = new Agent({ model, memoryManager, printer: false });
    await agent.invoke("Are hazelnuts fine in a cake?");
    expect(model.requests[0]).toContain("Ada is allergic to hazelnuts");
  });

  it("lets a model add and search", async () => {
    const store = open();
    const adding = {
      name: "add_memory",
      input: { entries: ["Ada likes tea", "Ada lives in Lyon"] },
    };
    const searching = { name: "search_memory", input: { query: "tea" } };
    const model = new ScriptedModel(adding, "Stored.", searching, "Tea.");
    const options = { stores: [store], addToolConfig: true, injection: false };
    const memoryManager = new MemoryManager(options);
    const agent = new Agent({ model, memoryManager, printer: false });
    await agent.invoke("I like tea and live in Lyon");
    expect(await textsOf(store, "Lyon")).toContain("Ada lives in Lyon");
    await agent.invoke("What do I like?");
    expect(model.requests.at(-1)).toContain("Ada likes tea");
  });
});
