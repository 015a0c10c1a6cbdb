import { beforeAll, describe, expect, it } from "vitest";
import type { VademecumStore } from "../src/index.js";
import { keysOf, matchingKeysOf, newStore } from "./new-store.js";

const wine = ["docs", "wine"];

/** Returns a store with the items a, b, c and d. */
async function newShelf(): Promise<VademecumStore> {
  const shelf = newStore();
  const origin = { land: "France", year: 2019 };
  await shelf.put(wine, "a", {
    text: "Dry red wine from Burgundy",
    stars: 5,
    status: "active",
    origin,
  });
  await shelf.put(wine, "b", {
    text: "Sweet white wine from the Mosel",
    stars: 3,
    status: "sold",
    tags: ["white", "sweet"],
  });
  await shelf.put(["docs", "trains"], "c", {
    text: "The night train to Lisbon leaves at ten",
    stars: 4,
    status: null,
  });
  await shelf.put(["notes"], "d", { text: "Buy red paint" });
  return shelf;
}

describe("a search", () => {
  let shelf: VademecumStore;
  beforeAll(async () => {
    shelf = await newShelf();
  });

  it("a search returns only items under its prefix", async () => {
    expect(keysOf(await shelf.search([]))).toEqual(["a", "b", "c", "d"]);
    expect(keysOf(await shelf.search(["docs"]))).toEqual(["a", "b", "c"]);
    expect(keysOf(await shelf.search(wine))).toEqual(["a", "b"]);
    expect(await shelf.search(["doc"])).toEqual([]);
    expect(await shelf.search(["wine"])).toEqual([]);
  });

  it.each([
    [{ status: "active" }, ["a"]],
    [{ stars: 5 }, ["a"]],
    [{ stars: "5" }, []],
    [{ stars: { $eq: 3 } }, ["b"]],
    [{ stars: { $ne: 3 } }, ["a", "c", "d"]],
    [{ stars: { $gt: 3 } }, ["a", "c"]],
    [{ stars: { $gte: 3, $lt: 5 } }, ["b", "c"]],
    [{ stars: { $lte: 3 } }, ["b"]],
    [{ stars: { $in: [3, 4] } }, ["b", "c"]],
    [{ stars: { $nin: [3, 4] } }, ["a", "d"]],
    [{ stars: { $gt: 3 }, status: "active" }, ["a"]],
    [{ status: null }, ["c", "d"]],
    [{ status: { $ne: null } }, ["a", "b"]],
    [{ origin: { land: "France" } }, ["a"]],
    [{ origin: { land: "France", year: { $gt: 2020 } } }, []],
    [{ tags: ["white", "sweet"] }, ["b"]],
    [{ tags: ["sweet", "white"] }, []],
    [{ nothing: "x" }, []],
    [{}, ["a", "b", "c", "d"]],
  ])("a search filters by values of the item: %j", async (filter, expected) => {
    expect(keysOf(await shelf.search([], { filter }))).toEqual(expected);
  });

  it.each([
    { a: { $regex: "x" } },
    { a: Number.NaN },
    { a: 5n },
    { a: "x".repeat(3000) },
    { a: { $in: 5 } },
  ])("a search refuses a filter that it cannot apply", async (filter) => {
    await expect(shelf.search([], { filter })).rejects.toThrow("filter: ");
  });
});

describe("a search with a query", () => {
  let shelf: VademecumStore;
  beforeAll(async () => {
    shelf = await newShelf();
  });

  it("a query finds items by words and meaning, best first, with scores", async () => {
    const items = await shelf.search([], { query: "a red wine of France" });
    expect(items[0]?.key).toBe("a");
    const scores = items.map(({ score }) => score ?? 0);
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect((await shelf.search([]))[0]).not.toHaveProperty("score");
  });

  it("a search with a query returns only items of its prefix and filter", async () => {
    expect(keysOf(await shelf.search([], { query: "red" }))).toContain("d");
    expect(keysOf(await shelf.search(["docs"], { query: "red" }))).not.toContain("d");
    expect(
      matchingKeysOf(
        await shelf.search(["docs"], { query: "wine", filter: { stars: { $lt: 5 } } }),
      ),
    ).toEqual(["b"]);
    expect(keysOf(await shelf.search(["docs"], { query: "wine", filter: { stars: 5 } }))).toEqual([
      "a",
    ]);
  });

  it("items that do not match the query come last, newest first, with score 0", async () => {
    const items = await shelf.search([], { query: "xylophone zeppelin qqq" });
    expect(items.map(({ key, score }) => [key, score])).toEqual(
      ["d", "c", "b", "a"].map((key) => [key, 0]),
    );
    expect(await shelf.search(["docs"], { query: "train" })).toMatchObject([{ key: "c" }, {}, {}]);
    expect(await shelf.search([], { query: "train", limit: 1 })).toMatchObject([{ key: "c" }]);
  });

  it("a search refuses a page beyond the first 1000 hits", async () => {
    await expect(shelf.search([], { query: "x", limit: 10, offset: 1000 })).rejects.toThrow(
      "at most 1000",
    );
  });
});

describe("pages", () => {
  it("pages neither skip nor repeat an item", async () => {
    const store = newStore();
    const all = Array.from({ length: 25 }, (_, number) => String(number).padStart(2, "0"));
    for (const key of all) await store.put(["x"], key, { text: `Bottle number ${key}` });
    for (const query of [undefined, "bottle number"]) {
      const pages = [];
      for (const offset of [0, 10, 20, 30])
        pages.push(
          await store.search(["x"], { limit: 10, offset, ...(query !== undefined && { query }) }),
        );
      expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0]);
      expect(keysOf(pages.flat())).toEqual(all);
    }
    expect((await store.search([], { limit: 2 })).map(({ key }) => key)).toEqual(["24", "23"]);
  });

  it("pages contain every item, even if all items have the same text", async () => {
    const store = newStore();
    const value = { text: "The same words" };
    const namespaces = Array.from({ length: 150 }, (_, number) => ["x", String(number)]);
    await store.batch(namespaces.map((namespace) => ({ namespace, key: "k", value })));
    const query = "the same words";
    const found = await store.search([], { query, limit: 200 });
    expect(new Set(found.map(({ namespace }) => namespace.join("/"))).size).toBe(150);
    expect(await store.search([], { query, limit: 5 })).toHaveLength(5);
    expect(await store.search([], { query, limit: 5, offset: 148 })).toHaveLength(2);
  });
});

describe("the indexed text of an item", () => {
  it("the indexed text comes from the fields of the store", async () => {
    const store = newStore({ fields: ["title", "chapters[*].text", "pair[-1]"] });
    await store.put(["x"], "k", {
      title: "Voyages",
      secret: "zebra",
      chapters: [{ text: "Harbours" }, { text: "Lighthouses" }],
      pair: ["first", "walrus"],
    });
    for (const query of ["lighthouses", "voyages", "walrus"])
      expect(matchingKeysOf(await store.search([], { query }))).toEqual(["k"]);
    expect(matchingKeysOf(await store.search([], { query: "zebra" }))).toEqual([]);
  });

  it("the indexed text comes from the fields that the put names, if any", async () => {
    const store = newStore();
    await store.put(["x"], "named", { a: "walrus", b: "zebra" }, ["a"]);
    await store.put(["x"], "zebra", { a: "zebra" }, false);
    expect(matchingKeysOf(await store.search([], { query: "walrus" }))).toEqual(["named"]);
    const scores = (await store.search([], { query: "zebra" })).map(({ key, score }) => [
      key,
      score,
    ]);
    expect(scores).toEqual([
      ["named", 0],
      ["zebra", undefined],
    ]);
    expect(keysOf(await store.search([], { query: "zebra", limit: 1 }))).toEqual(["named"]);
    expect(keysOf(await store.search([], { filter: { a: "zebra" } }))).toEqual(["zebra"]);
  });
});
