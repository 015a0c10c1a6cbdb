import { expect, it } from "vitest";
import { contentOf, tagsOf } from "../src/item-memory.js";

// The Python package has the same test with the same tags, so each package finds the items of the
// other.
it("makes the tags that the Python package makes", () => {
  expect(tagsOf({ namespace: ["users", "ada"], key: "ключ" })).toEqual([
    "item:0ecc3d3ef4544a09c5399f606914d62e2ebf40c887f8780a622f2bc6dc9176d1",
    "ns:users",
    "ns:users.ada",
  ]);
  const long = ["x".repeat(100), "ü".repeat(20)];
  expect(tagsOf({ namespace: long, key: "k" }).slice(1)).toEqual([
    `ns:${long[0]}`,
    "ns#dcc9b7ab72f88554ae6fc9793568f1e325cec7e2defca566100dc0a3229166de",
  ]);
});

it("cuts text that is too long for a memory between characters", () => {
  const content = contentOf({ namespace: ["x"], key: "k" }, `${"ü".repeat(40_000)}x`);
  expect(content).toBe("ü".repeat(32_768));
  expect(contentOf({ namespace: ["x"], key: "k" }, `a${"🍷".repeat(20_000)}`)).toBe(
    `a${"🍷".repeat(16_383)}`,
  );
  expect(contentOf({ namespace: ["x", "y"], key: "k" }, "")).toBe("x/y/k");
});
