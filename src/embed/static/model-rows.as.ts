// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: model-rows.ts.
//
// A row holds `dimension` numbers of int8; `dimension` is a multiple of 16.

/** Writes 1 / length of each row (float32); 0 for a row of zeros. */
export function measureRows(rows: usize, count: i32, dimension: usize, inverseLengths: usize): void {
  for (let row = 0; row < count; row++) {
    const start = rows + <usize>row * dimension;
    const squares = <f32>dot(start, start, dimension);
    store<f32>(inverseLengths + <usize>row * sizeof<f32>(), squares > 0 ? <f32>1 / sqrt(squares) : 0);
  }
}

/**
 * Finds the rows whose cosine with the row of index `row` is above `least`. Writes the indexes of
 * these rows to `numbers` (uint16) and their cosines to `cosines` (float32). Returns the number of
 * rows that it has found.
 */
export function findSimilar(
  rows: usize,
  count: i32,
  dimension: usize,
  inverseLengths: usize,
  row: i32,
  least: f32,
  numbers: usize,
  cosines: usize,
): i32 {
  const wanted = rows + <usize>row * dimension;
  const inverseLength = load<f32>(inverseLengths + <usize>row * sizeof<f32>());
  let found = 0;
  for (let other = 0; other < count; other++) {
    const product = <f32>dot(wanted, rows + <usize>other * dimension, dimension);
    const cosine = product * inverseLength * load<f32>(inverseLengths + <usize>other * sizeof<f32>());
    if (cosine <= least) continue;
    store<u16>(numbers + <usize>found * sizeof<u16>(), <u16>other);
    store<f32>(cosines + <usize>found * sizeof<f32>(), cosine);
    found++;
  }
  return found;
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

/** Dot product of two rows. */
@inline
function dot(a: usize, b: usize, dimension: usize): i32 {
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 16) {
    const numbersA = v128.load(a + i);
    const numbersB = v128.load(b + i);
    sums0 = i32x4.add(
      sums0,
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(numbersA), i16x8.extend_low_i8x16_s(numbersB)),
    );
    sums1 = i32x4.add(
      sums1,
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(numbersA), i16x8.extend_high_i8x16_s(numbersB)),
    );
  }
  const sums = i32x4.add(sums0, sums1);
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
