import { expect, test } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import {
  firstOfMessage,
  type Listing,
  listPage,
  pageOf,
} from "../../../src/core/requests/list-page.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";

const scope: Scope = { kind: "run", runId: "r" };
type KeyListing = Listing<"keyPositions", string>;
const listing: KeyListing = {
  scope,
  binding: ["ListKeys", "r"],
  table: "keyPositions",
  owner: scope,
  limit: 2,
  pageToken: "",
  toItem: (_, value) => value,
};

/** Creates a store with the keys a1, a2, a3, b1 and é1. Each value is the key in upper case. */
async function createStore(): Promise<Store> {
  const store = createInMemoryStore("epoch");
  await store.update(scope, async (tx) => {
    for (const key of ["a1", "a2", "a3", "b1", "é1"])
      tx.put("keyPositions", scope, key, key.toUpperCase());
  });
  return store;
}

async function readAll(store: Store, changes: Partial<KeyListing> = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let pageToken = ""; pages.length === 0 || pageToken !== ""; ) {
    const page = await listPage(store, { ...listing, ...changes, pageToken });
    pages.push([...page.items]);
    pageToken = page.nextPageToken;
  }
  return pages;
}

test("the pages of a listing together have each record once, in key order", async () => {
  expect(await readAll(await createStore())).toEqual([["A1", "A2"], ["A3", "B1"], ["É1"]]);
});

test("a reverse listing begins with the greatest key", async () => {
  const pages = await readAll(await createStore(), { reverse: true });
  expect(pages).toEqual([["É1", "B1"], ["A3", "A2"], ["A1"]]);
});

test.each([
  [false, [["A1", "A2"], ["A3"]]],
  [true, [["A3", "A2"], ["A1"]]],
])(
  "a listing with a prefix has only the records whose keys begin with the prefix (reverse: %s)",
  async (reverse, pages) => {
    expect(await readAll(await createStore(), { prefix: "a", reverse })).toEqual(pages);
  },
);

test("a reverse listing with a non-ASCII prefix finds the keys that begin with the prefix", async () => {
  expect(await readAll(await createStore(), { prefix: "é", reverse: true })).toEqual([["É1"]]);
});

test("a listing skips each record for which `toItem` returns undefined, and fills its pages with others", async () => {
  const toItem = (key: string, value: string) => (key === "a2" ? undefined : value);
  expect(await readAll(await createStore(), { toItem })).toEqual([
    ["A1", "A3"],
    ["B1", "É1"],
  ]);
});

test("a record written after the end of a page appears on a later page", async () => {
  const store = await createStore();
  const first = await listPage(store, listing);
  await store.update(scope, async (tx) => tx.put("keyPositions", scope, "a25", "NEW"));
  const second = await listPage(store, { ...listing, pageToken: first.nextPageToken });
  expect(second.items).toEqual(["NEW", "A3"]);
});

test("a page token of another listing is refused", async () => {
  const store = await createStore();
  const { nextPageToken: pageToken } = await listPage(store, listing);
  const other = listPage(store, { ...listing, binding: ["ListKeys", "s"], pageToken });
  await expect(other).rejects.toMatchObject({ reason: "INVALID_PAGE_TOKEN" });
});

test("a page ends before it exceeds 3 MiB, but has at least one item", async () => {
  const store = await createStore();
  const item = "x".repeat(2 * 1024 * 1024);
  const { items, nextPageToken } = await listPage(store, { ...listing, toItem: () => item });
  expect([items.length, nextPageToken === ""]).toEqual([1, false]);
  expect(await firstOfMessage([item, item])).toEqual([item]);
  expect(await firstOfMessage([item.repeat(2)])).toHaveLength(1);
});

test("a page ends earlier if each item repeats long names of its owner in the reply", async () => {
  const item = "x".repeat(1024 * 1024 - 2);
  const userId = "u".repeat(2 * 1024 * 1024);
  const binding = { pageKey: "k", epoch: "epoch", tenant: undefined, listing: listing.binding };
  const pageFor = async (owner: unknown) =>
    (await pageOf([item, item, item], { keyOf: () => "k", limit: 3, owner }, binding)).items.length;
  expect(await pageFor({ userId: "u" })).toBe(2);
  expect(await pageFor({ userId })).toBe(1);
});

test("a page of items in memory ends where a page of the store would end", async () => {
  const store = await createStore();
  const { pageKey } = store;
  const { nextPageToken } = await listPage(store, { ...listing, limit: 1 });
  const binding = { pageKey, epoch: "epoch", tenant: undefined, listing: listing.binding };
  const page = (items: readonly string[], limit: number) =>
    pageOf(items, { keyOf: (item) => item.slice(0, 2).toLowerCase(), limit, owner: "o" }, binding);
  expect(await page(["A1", "A2"], 1)).toEqual({ items: ["A1"], nextPageToken });
  expect(await page(["A1", "A2"], 2)).toEqual({ items: ["A1", "A2"], nextPageToken: "" });
  expect(await page([], 2)).toEqual({ items: [], nextPageToken: "" });
  const megabyte = "x".repeat(1024 * 1024);
  const small = [`A1${megabyte}`, "A2", `A3${megabyte}`];
  expect(await page(small, 3)).toEqual({ items: small, nextPageToken: "" });
  const large = [`A1${megabyte.repeat(2)}`, `A2${megabyte}`];
  expect(await page(large, 3)).toEqual({ items: large.slice(0, 1), nextPageToken });
  const larger = [`A1${megabyte.repeat(4)}`, "A2"];
  expect(await page(larger, 3)).toEqual({ items: larger.slice(0, 1), nextPageToken });
});

test("a listing stops when its call has ended", async () => {
  const call = {
    ...endlessCall,
    throwIfEnded: () => {
      throw new Error("the client left");
    },
  };
  await expect(listPage(await createStore(), { ...listing, call })).rejects.toThrow(
    "the client left",
  );
});

test("if the `require` function of a listing throws, the listing fails and reads no record", async () => {
  const require = () => Promise.reject(new Error("nothing to list"));
  const read: string[] = [];
  const toItem = (key: string) => {
    read.push(key);
    return key;
  };
  await expect(listPage(await createStore(), { ...listing, require, toItem })).rejects.toThrow(
    "nothing to list",
  );
  expect(read).toEqual([]);
});
