import { expect, test } from "vitest";
import { PieceRows } from "../../../src/index/words/piece-rows.js";

function of({ pieces, starts, counts }: PieceRows, row: number): number[] {
  const start = starts[row] ?? 0;
  return [...pieces.subarray(start, start + (counts[row] ?? 0))];
}

function piecesOf(rows: PieceRows, count: number): number[][] {
  return Array.from({ length: count }, (_, row) => of(rows, row));
}

test("each row has the word pieces that it was given, and other rows have none", () => {
  const rows = new PieceRows();
  rows.set(1, new Set([7, 5]));
  rows.set(3, new Set());
  rows.set(4, new Set([65_535]));
  expect(piecesOf(rows, 6)).toEqual([[], [7, 5], [], [], [65_535], []]);
});

test("a row keeps only its first 512 word pieces", () => {
  const rows = new PieceRows();
  rows.set(0, new Set(Array.from({ length: 600 }, (_, n) => n)));
  rows.set(1, new Set([1]));
  expect(of(rows, 0)).toHaveLength(512);
  expect(of(rows, 0).at(-1)).toBe(511);
  expect(of(rows, 1)).toEqual([1]);
});

test("cleared rows have no word pieces, and free their space when rows are renumbered", () => {
  const rows = new PieceRows();
  for (let row = 0; row < 1_000; row++) rows.set(row, new Set([row, row + 1]));
  for (let row = 0; row < 1_000; row++) if (row % 10 !== 0) rows.clear(row);
  expect(piecesOf(rows, 2)).toEqual([[0, 1], []]);
  const before = rows.bytes;
  rows.compact(Int32Array.from({ length: 100 }, (_, n) => n * 10));
  expect(rows.bytes).toBeLessThan(before / 5);
  expect(piecesOf(rows, 100)).toEqual(Array.from({ length: 100 }, (_, n) => [n * 10, n * 10 + 1]));
  rows.set(100, new Set([3]));
  expect(of(rows, 100)).toEqual([3]);
  expect(of(rows, 99)).toEqual([990, 991]);
});
