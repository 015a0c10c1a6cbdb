import { describe, expect, test } from "vitest";
import { nearestQueryOf } from "../../../../src/core/search/query/nearest.js";
import { defaultWeights, type SearchQuery } from "../../../../src/core/search/query/search.js";
import { queryOf } from "../search-service.js";

const vector = Float32Array.of(1, 0);
const accepts = (): boolean => true;

function countOf(changes: Partial<SearchQuery>): number | undefined {
  return nearestQueryOf(queryOf("oslo", changes), vector, accepts)?.count;
}

describe("the number of nearest memories that a search reads", () => {
  test("a search reads the 256 nearest memories, or twice its limit if that is more", () => {
    expect(nearestQueryOf(queryOf("oslo"), vector, accepts)).toEqual({
      vector,
      count: 256,
      accepts,
    });
    expect(countOf({ limit: 1 })).toBe(256);
    expect(countOf({ limit: 1_000 })).toBe(2_000);
    expect(countOf({ limit: 10, budgetTokens: 1_000_000 })).toBe(256);
  });

  test("a search without a limit reads nearest memories in proportion to its budget", () => {
    expect(countOf({ budgetTokens: 500 })).toBe(256);
    expect(countOf({ budgetTokens: 10_000 })).toBe(2_500);
  });

  test("a search scores all memories if any of them could come first, as with the order newest first", () => {
    expect(countOf({ order: "NEWEST_FIRST" })).toBeUndefined();
    expect(countOf({ query: "" })).toBeUndefined();
    expect(countOf({ query: "", queryEmbedding: vector })).toBe(256);
    expect(countOf({ weights: { ...defaultWeights, recency: 0.5 } })).toBeUndefined();
    expect(countOf({ weights: { ...defaultWeights, importance: 1 } })).toBeUndefined();
    expect(countOf({ weights: { ...defaultWeights, novelty: 1 } })).toBe(256);
  });

  test("a search without a vector asks for no nearest memories", () => {
    expect(nearestQueryOf(queryOf("oslo"), undefined, accepts)).toBeUndefined();
  });
});
