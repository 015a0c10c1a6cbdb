import { describe, expect, test } from "vitest";
import { acceptedShare, reachFor } from "../../../src/index/candidates/reach.js";

function rowsOf(count: number, isEmpty: (row: number) => boolean = () => false) {
  return { rowLimit: count, holds: (row: number): boolean => row < count && !isEmpty(row) };
}

describe("the share of accepted memories", () => {
  test("the share of accepted memories is 1 if all memories pass the filter, even with empty rows", () => {
    expect(acceptedShare(rowsOf(100_000), () => true)).toBe(1);
    expect(
      acceptedShare(
        rowsOf(100_000, (row) => row % 7 < 3),
        () => true,
      ),
    ).toBe(1);
  });

  test("the share of accepted memories is 0 if no memory passes the filter, or if no memory exists", () => {
    expect(acceptedShare(rowsOf(100_000), () => false)).toBe(0);
    expect(acceptedShare(rowsOf(0), () => true)).toBe(0);
  });

  test.each([2, 3, 5, 8, 10, 64, 1_000])(
    "the share of accepted memories is not overestimated when every %i-th memory passes the filter",
    (step) => {
      const share = acceptedShare(rowsOf(100_000), (row) => row % step === 0);
      expect(share).toBeLessThanOrEqual(1 / step);
      expect(share).toBeGreaterThan(1 / step - 0.15);
    },
  );

  test("the share of accepted memories is not overestimated when only the first or last ones pass", () => {
    expect(acceptedShare(rowsOf(50_000), (row) => row < 10_000)).toBeLessThanOrEqual(0.2);
    expect(acceptedShare(rowsOf(50_000), (row) => row >= 40_000)).toBeLessThanOrEqual(0.2);
  });
});

describe("the number of vectors that a search wants from a graph", () => {
  test("a search wants slightly more vectors from a graph than the share of accepted memories requires", () => {
    expect(reachFor(100, 1, 100_000)).toBe(111);
    expect(reachFor(100, 0.5, 100_000)).toBe(221);
  });

  test("a search wants no more vectors from a graph than the graph has", () => {
    expect(reachFor(256, 0.5, 60)).toBe(60);
    expect(reachFor(256, 1, 0)).toBe(0);
  });

  test("a search wants no vectors from a graph when comparing all vectors costs less", () => {
    expect(reachFor(256, 0.1, 60_000)).toBeUndefined();
    expect(reachFor(256, 0, 60_000)).toBeUndefined();
    expect(reachFor(256, 0.1, 1_000_000)).toBeGreaterThan(2_560);
  });
});
