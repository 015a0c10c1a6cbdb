import { describe, expect, test } from "vitest";
import { nearestQueryOf } from "../../../src/core/search/nearest.js";
import { defaultWeights, type SearchQuery } from "../../../src/core/search/search.js";
import { queryOf } from "./searching.js";

const vector = Float32Array.of(1, 0);
const accepts = (): boolean => true;

function countOf(changes: Partial<SearchQuery>): number | undefined {
  return nearestQueryOf(queryOf("oslo", changes), vector, accepts)?.count;
}

describe("the number of nearest memories that a search reads", () => {
  test("is at least 256, and twice the limit", () => {
    expect(nearestQueryOf(queryOf("oslo"), vector, accepts)).toEqual({
      vector,
      count: 256,
      accepts,
    });
    expect(countOf({ limit: 1 })).toBe(256);
    expect(countOf({ limit: 1_000 })).toBe(2_000);
    expect(countOf({ limit: 10, budgetTokens: 1_000_000 })).toBe(256);
  });

  test("follows the budget if there is no limit", () => {
    expect(countOf({ budgetTokens: 500 })).toBe(256);
    expect(countOf({ budgetTokens: 10_000 })).toBe(2_500);
  });

  test("is unlimited if any match can come first", () => {
    expect(countOf({ order: "NEWEST_FIRST" })).toBeUndefined();
    expect(countOf({ query: "" })).toBeUndefined();
    expect(countOf({ weights: { ...defaultWeights, recency: 0.5 } })).toBeUndefined();
    expect(countOf({ weights: { ...defaultWeights, importance: 1 } })).toBeUndefined();
    expect(countOf({ weights: { ...defaultWeights, novelty: 1 } })).toBe(256);
  });

  test("is undefined without a vector", () => {
    expect(nearestQueryOf(queryOf("oslo"), undefined, accepts)).toBeUndefined();
  });
});
