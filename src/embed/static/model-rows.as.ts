// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: model-rows.ts.
//
// A row holds `dimension` numbers of int8; `dimension` is a multiple of 16.
import { dotFour } from "../../simd/dot-four.as";

/** Writes 1 / length of each row (float32); 0 for a row of zeros. */
export function measureRows(rows: usize, count: i32, dimension: usize, inverseLengths: usize): void {
  for (let row = 0; row < count; row++) {
    const start = rows + <usize>row * dimension;
    let sums = i32x4.splat(0);
    for (let i: usize = 0; i < dimension; i += 8) {
      const part = v128.load8x8_s(start + i);
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(part, part));
    }
    const squares =
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3);
    const inverse = squares > 0 ? <f32>1 / sqrt(<f32>squares) : 0;
    store<f32>(inverseLengths + <usize>row * sizeof<f32>(), inverse);
  }
}

/**
 * Finds the rows whose cosine with the row of index `row` is above `least`. Writes the indexes of
 * these rows to `numbers` (uint16) and their cosines to `cosines` (float32, with room for three
 * more than rows). Returns the number of rows that it has found.
 *
 * `wanted` has room for one row of int16: the row is widened once for all comparisons. Compares four
 * rows at a time. After the last row, this reads up to three rows that do not count.
 */
export function findSimilar(
  rows: usize,
  count: i32,
  dimension: usize,
  inverseLengths: usize,
  row: i32,
  least: f32,
  wanted: usize,
  numbers: usize,
  cosines: usize,
): i32 {
  widen(rows + <usize>row * dimension, dimension, wanted);
  const factor = f32x4.splat(load<f32>(inverseLengths + <usize>row * sizeof<f32>()));
  const bound = f32x4.splat(least);
  let found: usize = 0;
  for (let other = 0; other < count; other += 4) {
    const first = rows + <usize>other * dimension;
    const products = dotFour(
      first,
      first + dimension,
      first + 2 * dimension,
      first + 3 * dimension,
      dimension,
      wanted,
    );
    const factors = f32x4.mul(factor, v128.load(inverseLengths + <usize>other * sizeof<f32>()));
    const four = f32x4.mul(f32x4.convert_i32x4_s(products), factors);
    const above = i32x4.bitmask(f32x4.gt(four, bound));
    if (above === 0) continue;
    // The cosines of this group, from which those above the bound move to the front.
    const group = cosines + found * sizeof<f32>();
    v128.store(group, four);
    for (let lane = 0; above >> lane && other + lane < count; lane++) {
      if (!((above >> lane) & 1)) continue;
      store<u16>(numbers + found * sizeof<u16>(), <u16>(other + lane));
      const cosine = load<f32>(group + <usize>lane * sizeof<f32>());
      store<f32>(cosines + found * sizeof<f32>(), cosine);
      found++;
    }
  }
  return <i32>found;
}

/**
 * Adds a row times `factor` to `sum` (float32). Computes in float64, and rounds each component of
 * the sum once.
 */
export function addRow(row: usize, dimension: usize, factor: f64, sum: usize): void {
  const factors = f64x2.splat(factor);
  for (let i: usize = 0; i < dimension; i += 4) {
    const at = sum + i * sizeof<f32>();
    const numbers = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(row + i)));
    const before = v128.load(at);
    const first = addTwo(before, numbers, factors);
    const second = addTwo(upperHalf(before), upperHalf(numbers), factors);
    v128.store(at, v128.shuffle<i32>(first, second, 0, 1, 4, 5));
  }
}

/**
 * Returns the first two of `sums` (float32), plus the first two of `numbers` (int32) times the
 * factors.
 */
@inline
function addTwo(sums: v128, numbers: v128, factors: v128): v128 {
  const products = f64x2.mul(factors, f64x2.convert_low_i32x4_s(numbers));
  return f32x4.demote_f64x2_zero(f64x2.add(f64x2.promote_low_f32x4(sums), products));
}

/** Moves the last two of four numbers to the first two places. */
@inline
function upperHalf(numbers: v128): v128 {
  return v128.shuffle<i32>(numbers, numbers, 2, 3, 2, 3);
}

/** Writes the numbers of a row as int16. */
function widen(row: usize, dimension: usize, wide: usize): void {
  for (let i: usize = 0; i < dimension; i += 8)
    v128.store(wide + i * sizeof<i16>(), v128.load8x8_s(row + i));
}
