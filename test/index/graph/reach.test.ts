import { describe, expect, test } from "vitest";
import { acceptedShare, reachFor } from "../../../src/index/graph/reach.js";

function rowsOf(count: number, isEmpty: (row: number) => boolean = () => false) {
  return { rowLimit: count, holds: (row: number): boolean => row < count && !isEmpty(row) };
}

describe("the accepted share", () => {
  test("is 1 if all memories are accepted, even if some rows are empty", () => {
    expect(acceptedShare(rowsOf(100_000), () => true)).toBe(1);
    expect(
      acceptedShare(
        rowsOf(100_000, (row) => row % 7 < 3),
        () => true,
      ),
    ).toBe(1);
  });

  test("is 0 if no memory is accepted, or if there are no memories", () => {
    expect(acceptedShare(rowsOf(100_000), () => false)).toBe(0);
    expect(acceptedShare(rowsOf(0), () => true)).toBe(0);
  });

  test.each([2, 3, 5, 8, 10, 64, 1_000])(
    "is not overestimated when every %i-th memory is accepted",
    (step) => {
      const share = acceptedShare(rowsOf(100_000), (row) => row % step === 0);
      expect(share).toBeLessThanOrEqual(1 / step);
      expect(share).toBeGreaterThan(1 / step - 0.15);
    },
  );

  test("is not overestimated when only the first or the last part is accepted", () => {
    expect(acceptedShare(rowsOf(50_000), (row) => row < 10_000)).toBeLessThanOrEqual(0.2);
    expect(acceptedShare(rowsOf(50_000), (row) => row >= 40_000)).toBeLessThanOrEqual(0.2);
  });
});

describe("the reach of a graph search", () => {
  test("is slightly larger than the accepted share requires", () => {
    expect(reachFor(100, 1, 100_000)).toBe(111);
    expect(reachFor(100, 0.5, 100_000)).toBe(221);
  });

  test("is at most the number of vectors", () => {
    expect(reachFor(256, 0.5, 60)).toBe(60);
    expect(reachFor(256, 1, 0)).toBe(0);
  });

  test("is undefined when comparing all vectors costs less", () => {
    expect(reachFor(256, 0.1, 60_000)).toBeUndefined();
    expect(reachFor(256, 0, 60_000)).toBeUndefined();
    expect(reachFor(256, 0.1, 1_000_000)).toBeGreaterThan(2_560);
  });
});
