import { expect, it } from "vitest";
import { filterOf, isFiltered } from "../../console/src/browse/memory-filter.js";

it("an address without a valid condition is no filter, so that no page offers to delete by it", () => {
  for (const query of [{}, { type: "bogus" }, { importance: "abc" }, { tag: "" }, { q: "wine" }]) {
    expect(filterOf(query)).toEqual({});
    expect(isFiltered(query)).toBe(false);
  }
});

it("each field of an address is a condition", () => {
  const query = { type: "semantic", tag: "a, b", contains: "wine", importance: "0.7", cel: "true" };
  expect(isFiltered({ cel: "true" })).toBe(true);
  expect(filterOf(query)).toEqual({
    memoryTypes: [2],
    tagsAll: ["a", "b"],
    contentContains: "wine",
    importanceMin: 0.7,
    expression: "true",
  });
});
