import { expect, it } from "vitest";
import { indexedText } from "../src/indexed-text.js";
import { contentOf, externalIdOf, tagsOf } from "../src/item-memory.js";

// The Python package has a test with the same values. So each package finds the items of the other.
it("an item has the same external id and tags as in the Python package", () => {
  expect(externalIdOf({ namespace: ["users", "ada"], key: "ключ" })).toBe(
    "langgraph/0ecc3d3ef4544a09c5399f606914d62e2ebf40c887f8780a622f2bc6dc9176d1",
  );
  expect(tagsOf(["users", "ada"])).toEqual(["ns:users", "ns:users.ada"]);
  const long = ["x".repeat(100), "ü".repeat(20)];
  expect(tagsOf(long)).toEqual([
    `ns:${long[0]}`,
    "ns#dcc9b7ab72f88554ae6fc9793568f1e325cec7e2defca566100dc0a3229166de",
  ]);
});

// The Python package has a test with the same texts. So each package indexes an item as the other
// does.
it("an item has the same indexed text as in the Python package", () => {
  const value = {
    text: "Dry red wine",
    stars: 5.0,
    share: 0.5,
    sold: true,
    note: null,
    origin: { year: 2019, fresh: false },
    sizes: [1.0, 1e21, 1e-7, 1e16],
  };
  expect(indexedText(value, ["$"]).split("\n")).toEqual([
    "text: Dry red wine",
    "stars: 5",
    "share: 0.5",
    "sold: true",
    "year: 2019",
    "fresh: false",
    "sizes: 1",
    "sizes: 1e+21",
    "sizes: 1e-7",
    "sizes: 10000000000000000",
  ]);
  const paths = ["stars", "sold", "note", "origin.year", "sizes[*]"];
  expect(indexedText(value, paths)).toBe("5\ntrue\n2019\n1\n1e+21\n1e-7\n10000000000000000");
});

it("a text that is too long for a memory is cut between characters", () => {
  const content = contentOf({ namespace: ["x"], key: "k" }, `${"ü".repeat(40_000)}x`);
  expect(content).toBe("ü".repeat(32_768));
  expect(contentOf({ namespace: ["x"], key: "k" }, `a${"🍷".repeat(20_000)}`)).toBe(
    `a${"🍷".repeat(16_383)}`,
  );
  expect(contentOf({ namespace: ["x", "y"], key: "k" }, "")).toBe("x/y/k");
});
