// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: vector-memory.ts.
//
// row.as.ts says how a row holds a vector. `dimension` is always a multiple of 16.
import { dotFour } from "../../simd/dot-four.as";
import { dotQuery, greatestOf, highUnit, lengthOf } from "./row.as";

export { dotQuery, dotRows, storeRow } from "./row.as";

/** Number of rows in a chunk. */
const chunkRows: i32 = 64;

/** Greatest number of a query, so that the sums of `scan` fit into int32. */
const greatestQueryValue: i32 = 4095;

/**
 * Number of equal buckets from 0 to 1 in the histogram of scores that `exactThreshold` makes. One
 * more bucket is for scores of exactly 1.
 */
const thresholdSteps: i32 = 512;

/**
 * Writes a score for each row to `scores`, and the maximum error of this score to `errors`. The
 * score is the dot product of a query (int16) and the row's high plane, times the row's scale and
 * `factor`. Scale and factor convert the integers back to the numbers of the unit vectors.
 *
 * Returns `least` for `rescore` and `chooseReaching`: the highest of 0.5, 0.375, 0.25 and 0.125
 * that the cosines of at least `exact` rows certainly exceed. Returns 0 if fewer rows exceed 0.125.
 * May return less, because it does not count the rows of an incomplete group of four.
 *
 * Computes four rows at a time, so that each part of the query is loaded once for them. May also
 * write scores and errors after the last row, up to the next multiple of four. The sums fit into
 * int32: a number of the high plane is at most 127, a number of the query at most 4,095, there are
 * at most 4,096 dimensions, and 127 × 4,095 × 4,096 < 2^31.
 */
export function scan(
  chunk: usize,
  chunkBytes: usize,
  rows: i32,
  dimension: usize,
  query: usize,
  factor: f32,
  queryError: f32,
  exact: i32,
  scores: usize,
  errors: usize,
): f32 {
  const scaleFactor = f32x4.splat(factor);
  let above0 = i32x4.splat(0);
  let above1 = i32x4.splat(0);
  let above2 = i32x4.splat(0);
  let above3 = i32x4.splat(0);
  const queryErrors = f32x4.splat(queryError);
  while (rows > 0) {
    const scales = chunk + 2 * chunkRows * dimension;
    const rowErrors = scales + chunkRows * sizeof<f32>();
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const first = chunk + <usize>row * dimension;
      const sums = dotFour(first, first + dimension, first + 2 * dimension, first + 3 * dimension, dimension, query);
      const at = <usize>row * sizeof<f32>();
      const score = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(v128.load(scales + at), scaleFactor));
      v128.store(scores + at, score);
      // See `scanError` in vector-math.ts.
      const rowError = v128.load(rowErrors + at);
      const error = f32x4.add(rowError, f32x4.mul(queryErrors, f32x4.add(f32x4.splat(1), rowError)));
      v128.store(errors + at, error);
      if (row + 4 > end) break;
      // A comparison that is true is the number -1.
      const certain = f32x4.sub(score, error);
      above0 = i32x4.sub(above0, f32x4.gt(certain, f32x4.splat(0.5)));
      above1 = i32x4.sub(above1, f32x4.gt(certain, f32x4.splat(0.375)));
      above2 = i32x4.sub(above2, f32x4.gt(certain, f32x4.splat(0.25)));
      above3 = i32x4.sub(above3, f32x4.gt(certain, f32x4.splat(0.125)));
    }
    chunk += chunkBytes;
    scores += chunkRows * sizeof<f32>();
    errors += chunkRows * sizeof<f32>();
    rows -= chunkRows;
  }
  if (totalCount(above0) >= exact) return 0.5;
  if (totalCount(above1) >= exact) return 0.375;
  if (totalCount(above2) >= exact) return 0.25;
  return totalCount(above3) >= exact ? 0.125 : 0;
}

/**
 * Prepares a query. Scales its `dimension` numbers (float32) to unit length, in place, and writes
 * the same vector as int16 numbers to `shorts`, as multiples of a step. Returns the length of the
 * rounding error, which is a vector, and writes `factor` for `scan` to `factorAt`. Returns -1 for a
 * query of zeros.
 */
export function prepareQuery(query: usize, dimension: i32, shorts: usize, factorAt: usize): f32 {
  const length = lengthOf(query, dimension);
  if (length === 0) return -1;
  const step = greatestOf(query, dimension) / (length * <f64>greatestQueryValue);
  let errorSquares: f64 = 0;
  for (let i = 0; i < dimension; i++) {
    const at = query + (<usize>i << 2);
    const value = <f32>(<f64>load<f32>(at) / length);
    store<f32>(at, value);
    const rounded = floor(<f64>value / step + 0.5);
    store<i16>(shorts + (<usize>i << 1), <i16>rounded);
    const error = <f64>value - rounded * step;
    errorSquares += error * error;
  }
  store<f32>(factorAt, <f32>(step * <f64>highUnit));
  return <f32>sqrt(errorSquares);
}

/**
 * Replaces scores of `scan` by exact cosines. `exact` says how many of the best rows need exact
 * cosines. Every row that may be one of them gets its exact cosine. Returns the greatest exact
 * cosine if it is above 0, and otherwise a number that is not above 0.
 *
 * `query` is the float32 unit vector. `counts` is the address of 513 int32 numbers, which the
 * histogram of `exactThreshold` overwrites.
 */
export function rescore(
  chunks: usize,
  chunkBytes: usize,
  rows: i32,
  dimension: usize,
  query: usize,
  exact: i32,
  least: f32,
  counts: usize,
  scores: usize,
  errors: usize,
): f32 {
  const threshold = f32x4.splat(exactThreshold(rows, exact, least, counts, scores, errors));
  let greatest: f32 = -1;
  for (let first = 0; first < rows; first += 4) {
    const at = scores + <usize>first * sizeof<f32>();
    const scanned = v128.load(at);
    const possible = f32x4.add(scanned, v128.load(errors + <usize>first * sizeof<f32>()));
    v128.store(at, f32x4.pmax(scanned, f32x4.splat(-1)));
    const reaching = i32x4.bitmask(f32x4.ge(possible, threshold));
    for (let lane = 0; reaching >> lane && first + lane < rows; lane++) {
      if (!((reaching >> lane) & 1)) continue;
      const score = exactScore(chunks, chunkBytes, first + lane, dimension, query);
      store<f32>(at + <usize>lane * sizeof<f32>(), score);
      greatest = max(greatest, score);
    }
  }
  return greatest;
}

/**
 * Chooses the rows that may reach a fused score, `keywordWeight * keyword + vectorWeight * cosine`.
 * Also chooses the rows whose cosine may be `sure` or more. Call it after `scan`. Replaces the
 * keyword scores by the numbers of the chosen rows (int32), ascending, and the scores by the
 * cosines of the chosen rows. A cosine is as exact as after `rescore`. Returns the number of chosen
 * rows.
 *
 * Before the call, `keywords` has the keyword scores of all rows (float32). A row whose keyword
 * score is not a number is always chosen.
 */
export function chooseReaching(
  chunks: usize,
  chunkBytes: usize,
  rows: i32,
  dimension: usize,
  query: usize,
  exact: i32,
  least: f32,
  counts: usize,
  scores: usize,
  errors: usize,
  keywords: usize,
  keywordWeight: f32,
  vectorWeight: f32,
  minimum: f32,
  sure: f32,
): i32 {
  const threshold = exactThreshold(rows, exact, least, counts, scores, errors);
  const keywordWeights = f32x4.splat(keywordWeight);
  const vectorWeights = f32x4.splat(vectorWeight);
  const minimums = f32x4.splat(minimum);
  const sures = f32x4.splat(sure);
  let count: usize = 0;
  for (let first = 0; first < rows; first += 4) {
    const at = <usize>first * sizeof<f32>();
    const possible = f32x4.add(v128.load(scores + at), v128.load(errors + at));
    const fused = f32x4.add(
      f32x4.mul(keywordWeights, v128.load(keywords + at)),
      f32x4.mul(vectorWeights, f32x4.pmax(possible, f32x4.splat(0))),
    );
    const reaching = i32x4.bitmask(v128.or(v128.not(f32x4.lt(fused, minimums)), f32x4.ge(possible, sures)));
    for (let lane = 0; reaching >> lane && first + lane < rows; lane++) {
      if (!((reaching >> lane) & 1)) continue;
      const place = at + <usize>lane * sizeof<f32>();
      const score = load<f32>(scores + place);
      const cosine =
        score + load<f32>(errors + place) < threshold
          ? max<f32>(-1, score)
          : exactScore(chunks, chunkBytes, first + lane, dimension, query);
      // The results overwrite only scores that have been read.
      store<i32>(keywords + count * sizeof<i32>(), first + lane);
      store<f32>(scores + count * sizeof<f32>(), cosine);
      count += 1;
    }
  }
  return <i32>count;
}

/**
 * Returns a threshold: at least `exact` rows have an exact cosine of at least this much. So a row
 * that cannot reach the threshold is not one of the `exact` best rows. Returns minus infinity if
 * there are at most `exact` rows, or if fewer than `exact` rows certainly have a cosine above 0.
 *
 * A row's cosine is certainly at least the score of the scan minus the maximum error of this score.
 * The histogram counts the rows by this lower bound. It need not count the rows below `least`, a
 * score that enough rows reach. This saves most of the counting.
 */
function exactThreshold(rows: i32, exact: i32, least: f32, counts: usize, scores: usize, errors: usize): f32 {
  if (rows <= exact) return -Infinity;
  memory.fill(counts, 0, <usize>(thresholdSteps + 1) * sizeof<i32>());
  for (let first = 0; first < rows; first += 4) {
    const certain = certainScores(first, scores, errors);
    const counted = i32x4.bitmask(f32x4.gt(certain, f32x4.splat(least)));
    if (counted === 0) continue;
    const steps = i32x4.trunc_sat_f32x4_s(f32x4.mul(certain, f32x4.splat(<f32>thresholdSteps)));
    if (counted & 1) countStep(counts, i32x4.extract_lane(steps, 0));
    if (counted & 2 && first + 1 < rows) countStep(counts, i32x4.extract_lane(steps, 1));
    if (counted & 4 && first + 2 < rows) countStep(counts, i32x4.extract_lane(steps, 2));
    if (counted & 8 && first + 3 < rows) countStep(counts, i32x4.extract_lane(steps, 3));
  }
  let reached = 0;
  for (let step = thresholdSteps; step >= 0; step--) {
    reached += load<i32>(counts + <usize>step * sizeof<i32>());
    if (reached >= exact) return <f32>step / <f32>thresholdSteps;
  }
  return -Infinity;
}

/** Returns lower bounds of the cosines of four rows, at most 1. */
@inline
function certainScores(first: i32, scores: usize, errors: usize): v128 {
  const at = <usize>first * sizeof<f32>();
  return f32x4.sub(f32x4.pmin(v128.load(scores + at), f32x4.splat(1)), v128.load(errors + at));
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

/** Returns the cosine of a row and the unit vector of the query. */
@inline
function exactScore(chunks: usize, chunkBytes: usize, row: i32, dimension: usize, query: usize): f32 {
  const chunk = chunks + <usize>(row >> 6) * chunkBytes;
  const place = <usize>(row & 63);
  const high = chunk + place * dimension;
  const planeBytes = <usize>chunkRows * dimension;
  const scale = load<f32>(chunk + 2 * planeBytes + place * sizeof<f32>());
  return max<f32>(-1, min<f32>(1, dotQuery(high, high + planeBytes, dimension, query) * scale));
}

@inline
function countStep(counts: usize, step: i32): void {
  const at = counts + <usize>step * sizeof<i32>();
  store<i32>(at, load<i32>(at) + 1);
}

/** Loads four numbers (float32) from any four addresses. */
@inline
function gather(at0: usize, at1: usize, at2: usize, at3: usize): v128 {
  const pair = v128.load32_lane(at1, v128.load32_zero(at0), 1);
  return v128.load32_lane(at3, v128.load32_lane(at2, pair, 2), 3);
}

@inline
function totalCount(counts: v128): i32 {
  return (
    i32x4.extract_lane(counts, 0) +
    i32x4.extract_lane(counts, 1) +
    i32x4.extract_lane(counts, 2) +
    i32x4.extract_lane(counts, 3)
  );
}
