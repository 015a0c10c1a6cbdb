import fc from "fast-check";
import { expect, test } from "vitest";
import { bringBestFirst } from "../../../src/index/keyword/best-first.js";

test("the best rows come first, along with rows of nearly equal scores, and no row is lost", () => {
  const score = fc.oneof(fc.float({ min: 0, max: 1, noNaN: true }), fc.constantFrom(1, 0.5, 0.001));
  const scores = fc.array(score, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.nat(220), fc.nat(200), (numbers, most, skipped) => {
      const scoreByRow = Float32Array.from(numbers);
      const scoreByPlace = scoreByRow.slice();
      const count = Math.max(0, numbers.length - skipped);
      const rows = Int32Array.from(numbers.keys());
      const best = bringBestFirst(rows, scoreByPlace, count, most);
      const scoreAt = (place: number): number => scoreByRow[rows[place] ?? -1] ?? Number.NaN;
      expect(best).toBeGreaterThanOrEqual(Math.min(most, count));
      expect(scoreByPlace).toEqual(Float32Array.from(rows, (row) => scoreByRow[row] ?? Number.NaN));
      expect([...rows.subarray(0, count)].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
      expect([...rows.subarray(count)]).toEqual([...rows.keys()].slice(count));
      const first = Array.from({ length: best }, (_, place) => scoreAt(place)).sort(
        (a, b) => b - a,
      );
      const others = Array.from({ length: count - best }, (_, i) => scoreAt(best + i));
      if (others.length > 0 && most > 0)
        expect(Math.max(...others)).toBeLessThan(Math.min(...first));
      // Rows beyond the requested number score nearly as high as the last requested row: at most a
      // sixteenth lower. Subnormal float32 numbers are too coarse for this bound.
      const last = first[most - 1] ?? 0;
      const least = last < 2 ** -126 ? 0 : last * (15 / 16);
      if (most > 0)
        for (const extra of first.slice(most)) expect(extra).toBeGreaterThanOrEqual(least);
    }),
    { examples: [[[0, 2 ** -149, 1], 2, 0]] },
  );
});
