import { describe, expect, test } from "vitest";
import { acceptedShare, reachFor } from "../../../src/index/graph/reach.js";

function rowsOf(count: number, isEmpty: (row: number) => boolean = () => false) {
  return { rowLimit: count, holds: (row: number): boolean => row < count && !isEmpty(row) };
}

describe("the accepted share", () => {
  test("the accepted share is 1 if all memories pass, even with empty rows", () => {
    expect(acceptedShare(rowsOf(100_000), () => true)).toBe(1);
    expect(
      acceptedShare(
        rowsOf(100_000, (row) => row % 7 < 3),
        () => true,
      ),
    ).toBe(1);
  });

  test("the accepted share is 0 if no memory passes, or if there is none", () => {
    expect(acceptedShare(rowsOf(100_000), () => false)).toBe(0);
    expect(acceptedShare(rowsOf(0), () => true)).toBe(0);
  });

  test.each([2, 3, 5, 8, 10, 64, 1_000])(
    "the accepted share is not overestimated when every %i-th memory passes",
    (step) => {
      const share = acceptedShare(rowsOf(100_000), (row) => row % step === 0);
      expect(share).toBeLessThanOrEqual(1 / step);
      expect(share).toBeGreaterThan(1 / step - 0.15);
    },
  );

  test("the accepted share is not overestimated when only the first or the last part passes", () => {
    expect(acceptedShare(rowsOf(50_000), (row) => row < 10_000)).toBeLessThanOrEqual(0.2);
    expect(acceptedShare(rowsOf(50_000), (row) => row >= 40_000)).toBeLessThanOrEqual(0.2);
  });
});

describe("the reach of a graph search", () => {
  test("the reach of a graph search is slightly larger than the accepted share requires", () => {
    expect(reachFor(100, 1, 100_000)).toBe(111);
    expect(reachFor(100, 0.5, 100_000)).toBe(221);
  });

  test("the reach of a graph search is at most the number of vectors", () => {
    expect(reachFor(256, 0.5, 60)).toBe(60);
    expect(reachFor(256, 1, 0)).toBe(0);
  });

  test("the reach of a graph search is undefined when comparing all vectors costs less", () => {
    expect(reachFor(256, 0.1, 60_000)).toBeUndefined();
    expect(reachFor(256, 0, 60_000)).toBeUndefined();
    expect(reachFor(256, 0.1, 1_000_000)).toBeGreaterThan(2_560);
  });
});
