// AssemblyScript, a part of scan.as.ts: how a row holds a vector.
//
// A row holds a vector as 16-bit numbers, split into two planes of int8: value = 254 * high + low.
// `dimension`, the number of these numbers, is always a multiple of 16.

/** A number of a row is `highUnit * high + low`. Both parts are from -127 to 127. */
export const highUnit: i32 = 254;
const greatestValue: i32 = highUnit * 127 + 126;

/**
 * Stores a vector of `dimension` numbers (float32) as a row, scaled to unit length. Overwrites the
 * vector, which zeros must fill up to `width` numbers. Writes the row's scale and error, unless the
 * vector is all zeros.
 */
export function storeRow(
  vector: usize,
  dimension: i32,
  width: usize,
  high: usize,
  low: usize,
  scaleAt: usize,
  errorAt: usize,
): void {
  const length = lengthOf(vector, dimension);
  if (length === 0) return;
  const scale = greatestOf(vector, dimension) / (length * <f64>greatestValue);
  for (let i = 0; i < dimension; i++) {
    const at = vector + (<usize>i << 2);
    store<f32>(at, <f32>(<f64>load<f32>(at) / length));
  }
  const lowSquares = quantize(vector, <f32>(1 / scale), high, low, width);
  store<f32>(scaleAt, <f32>scale);
  // The second term is the loss from rounding to 16 bits.
  store<f32>(errorAt, <f32>(scale * (sqrt(<f64>lowSquares) + sqrt(<f64>width) / 2)));
}

/**
 * Writes a vector (float32) as a row: each number times `factor`, rounded. Requires: the products
 * are from -32,384 to 32,384. Returns the sum of the squares of the low plane's numbers.
 */
function quantize(vector: usize, factor: f32, high: usize, low: usize, dimension: usize): f32 {
  let squares = f32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const at = vector + i * sizeof<f32>();
    const values0 = f32x4.nearest(f32x4.mul(v128.load(at), f32x4.splat(factor)));
    const values1 = f32x4.nearest(f32x4.mul(v128.load(at, 16), f32x4.splat(factor)));
    const highs0 = f32x4.nearest(f32x4.div(values0, f32x4.splat(254)));
    const highs1 = f32x4.nearest(f32x4.div(values1, f32x4.splat(254)));
    const lows0 = f32x4.sub(values0, f32x4.mul(highs0, f32x4.splat(254)));
    const lows1 = f32x4.sub(values1, f32x4.mul(highs1, f32x4.splat(254)));
    storeBytes(high + i, highs0, highs1);
    storeBytes(low + i, lows0, lows1);
    squares = f32x4.add(squares, f32x4.add(f32x4.mul(lows0, lows0), f32x4.mul(lows1, lows1)));
  }
  return total(squares);
}

/** Dot product of a query (float32) and a row in full precision, without the row's scale. */
export function dotQuery(high: usize, low: usize, dimension: usize, query: usize): f32 {
  let sums0 = f32x4.splat(0);
  let sums1 = f32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const values = rowValues(high + i, low + i);
    const at = query + i * sizeof<f32>();
    sums0 = f32x4.add(sums0, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(values)), v128.load(at)));
    sums1 = f32x4.add(sums1, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(values)), v128.load(at, 16)));
  }
  return total(f32x4.add(sums0, sums1));
}

/** Dot product of two rows in full precision, without their scales. */
export function dotRows(highA: usize, lowA: usize, highB: usize, lowB: usize, dimension: usize): f32 {
  let sums0 = f32x4.splat(0);
  let sums1 = f32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const a = rowValues(highA + i, lowA + i);
    const b = rowValues(highB + i, lowB + i);
    sums0 = f32x4.add(sums0, f32x4.convert_i32x4_s(i32x4.extmul_low_i16x8_s(a, b)));
    sums1 = f32x4.add(sums1, f32x4.convert_i32x4_s(i32x4.extmul_high_i16x8_s(a, b)));
  }
  return total(f32x4.add(sums0, sums1));
}

/** Writes eight whole numbers from -128 to 127 as bytes. */
@inline
function storeBytes(at: usize, numbers0: v128, numbers1: v128): void {
  const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(numbers0), i32x4.trunc_sat_f32x4_s(numbers1));
  v128.store64_lane(at, i8x16.narrow_i16x8_s(words, words), 0);
}

/** Eight numbers of a row, as int16. */
@inline
function rowValues(high: usize, low: usize): v128 {
  return i16x8.add(i16x8.mul(v128.load8x8_s(high), i16x8.splat(254)), v128.load8x8_s(low));
}

@inline
function total(sums: v128): f32 {
  return (
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    f32x4.extract_lane(sums, 2) +
    f32x4.extract_lane(sums, 3)
  );
}

/** Returns the length of a vector of float32 numbers. */
export function lengthOf(vector: usize, dimension: i32): f64 {
  let squares: f64 = 0;
  for (let i = 0; i < dimension; i++) {
    const value = <f64>load<f32>(vector + (<usize>i << 2));
    squares += value * value;
  }
  return sqrt(squares);
}

/** Returns the greatest absolute value of the numbers of a vector. */
export function greatestOf(vector: usize, dimension: i32): f64 {
  let greatest: f64 = 0;
  for (let i = 0; i < dimension; i++) greatest = max(greatest, <f64>abs(load<f32>(vector + (<usize>i << 2))));
  return greatest;
}
