// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: vector-rows.ts.
//
// A row holds a vector as 16-bit numbers, split into two planes of int8: value = 254 * high + low.
// `dimension`, the number of these numbers, is always a multiple of 16.

/** Number of rows in a chunk. */
const chunkRows: i32 = 64;

/**
 * Number of equal buckets from 0 to 1 in the histogram of scores that `exactThreshold` makes. One
 * more bucket is for scores of exactly 1.
 */
const thresholdSteps: i32 = 512;

/**
 * Writes a score for each row to the scores of its chunk. The score is the dot product of a query
 * (int16) and the row's high plane, times the row's scale and `factor`. Scale and factor convert
 * the integers back to the numbers of the unit vectors.
 *
 * Computes four rows at a time, so that each part of the query is loaded once for them. May also
 * write scores after the last row, which nobody reads. The sums fit into int32: a number of the
 * high plane is at most 127, a number of the query at most 4,095, there are at most 4,096
 * dimensions, and 127 × 4,095 × 4,096 < 2^31.
 */
export function scan(chunk: usize, chunkBytes: usize, rows: i32, dimension: usize, query: usize, factor: f32): void {
  const scaleFactor = f32x4.splat(factor);
  while (rows > 0) {
    const scales = chunk + 2 * chunkRows * dimension;
    const scores = scales + 2 * chunkRows * sizeof<f32>();
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const first = chunk + <usize>row * dimension;
      const sums = dotFour(first, first + dimension, first + 2 * dimension, first + 3 * dimension, dimension, query);
      const at = <usize>row * sizeof<f32>();
      v128.store(scores + at, f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(v128.load(scales + at), scaleFactor)));
    }
    chunk += chunkBytes;
    rows -= chunkRows;
  }
}

/**
 * Copies the results of `scan` from the chunks to `scores`, in the order of the rows. `exact` says
 * how many of the best rows need exact cosines. Replaces the score of every row that may be one of
 * them by its exact cosine. Returns the greatest exact cosine if it is above 0, and otherwise a
 * number that is not above 0. May also write scores after the last row, up to the end of a chunk.
 *
 * `query` is the float32 unit vector. `counts` is the address of 513 int32 numbers, which the
 * histogram of `exactThreshold` overwrites.
 */
export function rescore(
  chunk: usize,
  chunkBytes: usize,
  rows: i32,
  dimension: usize,
  query: usize,
  queryError: f32,
  exact: i32,
  counts: usize,
  scores: usize,
): f32 {
  const threshold = f32x4.splat(
    rows > exact ? exactThreshold(chunk, chunkBytes, rows, dimension, queryError, exact, counts) : -Infinity,
  );
  const planeBytes = <usize>chunkRows * dimension;
  let greatest: f32 = -1;
  while (rows > 0) {
    const scales = chunk + 2 * planeBytes;
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const at = <usize>row * sizeof<f32>();
      const scanned = scannedScores(scales + at);
      v128.store(scores + at, f32x4.max(scanned, f32x4.splat(-1)));
      const possible = f32x4.add(scanned, scanErrors(scales + at, queryError));
      const reaching = i32x4.bitmask(f32x4.ge(possible, threshold));
      for (let lane = 0; reaching >> lane; lane++) {
        if (!((reaching >> lane) & 1)) continue;
        const high = chunk + <usize>(row + lane) * dimension;
        const place = at + <usize>lane * sizeof<f32>();
        const dot = dotQuery(high, high + planeBytes, dimension, query);
        const score = max<f32>(-1, min<f32>(1, dot * load<f32>(scales + place)));
        store<f32>(scores + place, score);
        greatest = max(greatest, score);
      }
    }
    chunk += chunkBytes;
    scores += <usize>chunkRows * sizeof<f32>();
    rows -= chunkRows;
  }
  return greatest;
}

/**
 * Returns a threshold: at least `exact` rows have an exact cosine of at least this much. So a row
 * that cannot reach the threshold is not one of the `exact` best rows. Returns minus infinity if
 * fewer than `exact` rows certainly have a cosine above 0.
 *
 * A row's cosine is certainly at least the score of the scan minus the maximum error of this score.
 * The histogram counts the rows by this lower bound.
 */
function exactThreshold(
  chunk: usize,
  chunkBytes: usize,
  rows: i32,
  dimension: usize,
  queryError: f32,
  exact: i32,
  counts: usize,
): f32 {
  memory.fill(counts, 0, <usize>(thresholdSteps + 1) * sizeof<i32>());
  while (rows > 0) {
    const scales = chunk + <usize>(2 * chunkRows) * dimension;
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const at = scales + <usize>row * sizeof<f32>();
      const greatest = f32x4.min(scannedScores(at), f32x4.splat(1));
      const certain = f32x4.sub(greatest, scanErrors(at, queryError));
      const positive = i32x4.bitmask(f32x4.gt(certain, f32x4.splat(0)));
      if (positive === 0) continue;
      const steps = i32x4.trunc_sat_f32x4_s(f32x4.mul(certain, f32x4.splat(<f32>thresholdSteps)));
      if (positive & 1) countStep(counts, i32x4.extract_lane(steps, 0));
      if (positive & 2 && row + 1 < end) countStep(counts, i32x4.extract_lane(steps, 1));
      if (positive & 4 && row + 2 < end) countStep(counts, i32x4.extract_lane(steps, 2));
      if (positive & 8 && row + 3 < end) countStep(counts, i32x4.extract_lane(steps, 3));
    }
    chunk += chunkBytes;
    rows -= chunkRows;
  }
  let reached = 0;
  for (let step = thresholdSteps; step >= 0; step--) {
    reached += load<i32>(counts + <usize>step * sizeof<i32>());
    if (reached >= exact) return <f32>step / <f32>thresholdSteps;
  }
  return -Infinity;
}

/**
 * Computes the scores of `scan` for some rows, which may lie in any chunks. `rows` is the address
 * of the `count` row numbers (int32); `count` is a multiple of four. Writes the score of each row
 * to `scores` and its error to `errors`, in the order of `rows`. Computes four rows at a time, so
 * that their loads from main memory overlap.
 */
export function scanSome(
  chunks: usize,
  chunkBytes: usize,
  rows: usize,
  count: i32,
  dimension: usize,
  query: usize,
  factor: f32,
  scores: usize,
  errors: usize,
): void {
  const scaleFactor = f32x4.splat(factor);
  // Distance from a chunk to its scales, and from the scales to the errors.
  const scalesOffset = <usize>(2 * chunkRows) * dimension;
  const errorsOffset = <usize>chunkRows * sizeof<f32>();
  for (let i = 0; i < count; i += 4) {
    const at = <usize>i * sizeof<u32>();
    const row0: usize = load<u32>(rows + at);
    const row1: usize = load<u32>(rows + at, 4);
    const row2: usize = load<u32>(rows + at, 8);
    const row3: usize = load<u32>(rows + at, 12);
    const chunk0 = chunks + (row0 >> 6) * chunkBytes;
    const chunk1 = chunks + (row1 >> 6) * chunkBytes;
    const chunk2 = chunks + (row2 >> 6) * chunkBytes;
    const chunk3 = chunks + (row3 >> 6) * chunkBytes;
    const sums = dotFour(
      chunk0 + (row0 & 63) * dimension,
      chunk1 + (row1 & 63) * dimension,
      chunk2 + (row2 & 63) * dimension,
      chunk3 + (row3 & 63) * dimension,
      dimension,
      query,
    );
    const scale0 = chunk0 + scalesOffset + (row0 & 63) * sizeof<f32>();
    const scale1 = chunk1 + scalesOffset + (row1 & 63) * sizeof<f32>();
    const scale2 = chunk2 + scalesOffset + (row2 & 63) * sizeof<f32>();
    const scale3 = chunk3 + scalesOffset + (row3 & 63) * sizeof<f32>();
    const scales = f32x4.mul(gather(scale0, scale1, scale2, scale3), scaleFactor);
    v128.store(scores + at, f32x4.mul(f32x4.convert_i32x4_s(sums), scales));
    v128.store(
      errors + at,
      gather(
        scale0 + errorsOffset,
        scale1 + errorsOffset,
        scale2 + errorsOffset,
        scale3 + errorsOffset,
      ),
    );
  }
}

/**
 * Writes a vector (float32) as a row: each number times `factor`, rounded. Requires: the products
 * are from -32,384 to 32,384. Returns the sum of the squares of the low plane's numbers.
 */
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

/** Loads the scores of four rows from the scan. `scales`: the address of the rows' scales. */
@inline
function scannedScores(scales: usize): v128 {
  return v128.load(scales + <usize>(2 * chunkRows) * sizeof<f32>());
}

/** Returns the maximum errors of these four scores. See `scanError` in vector-math.ts. */
@inline
function scanErrors(scales: usize, queryError: f32): v128 {
  const errors = v128.load(scales + <usize>chunkRows * sizeof<f32>());
  return f32x4.add(errors, f32x4.mul(f32x4.splat(queryError), f32x4.add(f32x4.splat(1), errors)));
}

@inline
function countStep(counts: usize, step: i32): void {
  const at = counts + <usize>step * sizeof<i32>();
  store<i32>(at, load<i32>(at) + 1);
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

/** Loads four numbers (float32) from any four addresses. */
@inline
function gather(at0: usize, at1: usize, at2: usize, at3: usize): v128 {
  const pair = v128.load32_lane(at1, v128.load32_zero(at0), 1);
  return v128.load32_lane(at3, v128.load32_lane(at2, pair, 2), 3);
}

/** Dot products of a query and the high planes of four rows. */
@inline
function dotFour(row0: usize, row1: usize, row2: usize, row3: usize, dimension: usize, query: usize): v128 {
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  let sums2 = i32x4.splat(0);
  let sums3 = i32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const part = v128.load(query + i * sizeof<i16>());
    sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(v128.load8x8_s(row0 + i), part));
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
  return (
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    f32x4.extract_lane(sums, 2) +
    f32x4.extract_lane(sums, 3)
  );
}
