// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: vector-rows.ts.
//
// A row is 16-bit numbers in two planes of int8: value = 254 * high + low. `dimension` is a multiple of 16 everywhere.

/** Rows of a chunk. */
const chunkRows: i32 = 64;

/**
 * Writes the dot products of a query (int16) and the high plane of each row, times the row's scale and `factor`, to the scores of its chunk.
 * Four rows are done at a time, so that each part of the query is loaded once for them; rows behind the last one are harmless.
 * int32 holds the sums: 127 * 4,095 * 4,096 dimensions < 2^31.
 */
export function scan(chunk: usize, chunkBytes: usize, rows: i32, dimension: usize, query: usize, factor: f32): void {
  const scaleFactor = f32x4.splat(factor);
  while (rows > 0) {
    const scales = chunk + 2 * chunkRows * dimension;
    const scores = scales + 2 * chunkRows * sizeof<f32>();
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const sums = dotFour(chunk + <usize>row * dimension, dimension, query);
      const at = <usize>row * sizeof<f32>();
      v128.store(scores + at, f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(v128.load(scales + at), scaleFactor)));
    }
    chunk += chunkBytes;
    rows -= chunkRows;
  }
}

/** Writes a vector (float32) as a row: each number times `factor`, which must bring it into -32,384 to 32,384. Returns the sum of the squares of what the low plane holds. */
export function quantize(vector: usize, factor: f32, high: usize, low: usize, dimension: usize): f32 {
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

/** Dot products of a query and four rows that follow each other. */
@inline
function dotFour(row: usize, dimension: usize, query: usize): v128 {
  const row1 = row + dimension;
  const row2 = row1 + dimension;
  const row3 = row2 + dimension;
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  let sums2 = i32x4.splat(0);
  let sums3 = i32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const part = v128.load(query + i * sizeof<i16>());
    sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(v128.load8x8_s(row + i), part));
    sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(v128.load8x8_s(row1 + i), part));
    sums2 = i32x4.add(sums2, i32x4.dot_i16x8_s(v128.load8x8_s(row2 + i), part));
    sums3 = i32x4.add(sums3, i32x4.dot_i16x8_s(v128.load8x8_s(row3 + i), part));
  }
  const sums01 = i32x4.add(v128.shuffle<i32>(sums0, sums1, 0, 4, 1, 5), v128.shuffle<i32>(sums0, sums1, 2, 6, 3, 7));
  const sums23 = i32x4.add(v128.shuffle<i32>(sums2, sums3, 0, 4, 1, 5), v128.shuffle<i32>(sums2, sums3, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(sums01, sums23, 0, 1, 4, 5), v128.shuffle<i32>(sums01, sums23, 2, 3, 6, 7));
}

@inline
function total(sums: v128): f32 {
  return f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3);
}
