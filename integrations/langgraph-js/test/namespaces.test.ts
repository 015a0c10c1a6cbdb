import { beforeAll, describe, expect, it } from "vitest";
import type { VademecumStore } from "../src/index.js";
import { newStore } from "./new-store.js";

const all = [
  "a/b/c",
  "a/b/d/e",
  "a/b/d/i",
  "a/b/f",
  "a/c/f",
  "b/a/f",
  "users/123",
  "users/456/settings",
];

describe("listNamespaces", () => {
  let store: VademecumStore;
  beforeAll(async () => {
    store = newStore();
    for (const path of all)
      for (const key of ["one", "two"]) await store.put(path.split("/"), key, { path });
  });

  it.each([
    [{}, all],
    [{ prefix: ["a", "b"] }, all.slice(0, 4)],
    [{ prefix: ["a", "*", "f"] }, ["a/b/f", "a/c/f"]],
    [{ prefix: ["users", "*"] }, all.slice(6)],
    [{ prefix: ["*", "a"] }, ["b/a/f"]],
    [{ prefix: ["x"] }, []],
    [{ suffix: ["f"] }, ["a/b/f", "a/c/f", "b/a/f"]],
    [{ suffix: ["b", "*"] }, ["a/b/c", "a/b/f"]],
    [{ prefix: ["a"], suffix: ["f"] }, ["a/b/f", "a/c/f"]],
    [{ prefix: ["a", "b"], maxDepth: 3 }, ["a/b/c", "a/b/d", "a/b/f"]],
    [{ maxDepth: 1 }, ["a", "b", "users"]],
    [{ maxDepth: 1, offset: 1, limit: 1 }, ["b"]],
    [{ limit: 3 }, all.slice(0, 3)],
    [{ limit: 3, offset: 6 }, all.slice(6)],
  ])("listNamespaces returns the matching namespaces for %j", async (options, expected) => {
    expect((await store.listNamespaces(options)).map((namespace) => namespace.join("/"))).toEqual(
      expected,
    );
  });

  it("listNamespaces leaves out a namespace whose last item was deleted", async () => {
    await store.put(["gone"], "k", { a: 1 });
    expect(await store.listNamespaces({ prefix: ["gone"] })).toEqual([["gone"]]);
    await store.delete(["gone"], "k");
    expect(await store.listNamespaces({ prefix: ["gone"] })).toEqual([]);
  });
});
