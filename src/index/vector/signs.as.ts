// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: sign-rows.ts.
//
// A row has one bit for each number of its vector: whether the number is above the mean of all
// vectors. A row's bits take `stride` bytes, a multiple of 16. A number of the query has 4 bits,
// which lie in four planes of `stride` bytes each.

/** Number of rows in a chunk. */
const chunkRows: i32 = 64;

/** Number of equal buckets in the histogram of scores. */
const buckets: i32 = 2048;

/**
 * Writes an estimate to `scores` for each row, which grows with the row's dot product with the
 * query. With n as a number of the query, 0 to 15, the number itself is about `low + step * n`, and
 * `half` is half the sum of all numbers. The estimate is
 *
 *     factor * (step * (sum of n at set bits) + low * (number of set bits) - half)
 *
 * May also write scores after the last row, up to the next multiple of four.
 */
export function scanSigns(
  chunk: usize,
  chunkBytes: usize,
  rows: i32,
  stride: usize,
  planes: usize,
  low: f32,
  step: f32,
  half: f32,
  scores: usize,
): void {
  const lows = f32x4.splat(low);
  const steps = f32x4.splat(step);
  const halves = f32x4.splat(half);
  while (rows > 0) {
    const factors = chunk + <usize>chunkRows * stride;
    const ones = factors + chunkRows * sizeof<f32>();
    const end = min(rows, chunkRows);
    for (let row = 0; row < end; row += 4) {
      const bits = chunk + <usize>row * stride;
      const first = weigh(bits, stride, planes);
      const second = weigh(bits + stride, stride, planes);
      const third = weigh(bits + 2 * stride, stride, planes);
      const fourth = weigh(bits + 3 * stride, stride, planes);
      const sums = sumsOf(first, second, third, fourth);
      const at = <usize>row * sizeof<f32>();
      const weighed = f32x4.mul(steps, f32x4.convert_i32x4_s(sums));
      const above = f32x4.add(weighed, f32x4.mul(lows, v128.load(ones + at)));
      v128.store(scores + at, f32x4.mul(v128.load(factors + at), f32x4.sub(above, halves)));
    }
    chunk += chunkBytes;
    scores += chunkRows * sizeof<f32>();
    rows -= chunkRows;
  }
}

/** Returns four numbers (int32) whose sum is the sum of the query's numbers at a row's set bits. */
@inline
function weigh(bits: usize, stride: usize, planes: usize): v128 {
  let sums = i32x4.splat(0);
  for (let at: usize = 0; at < stride; at += 16) {
    const row = v128.load(bits + at);
    const plane = planes + at;
    const first = i8x16.popcnt(v128.and(row, v128.load(plane)));
    const second = i8x16.popcnt(v128.and(row, v128.load(plane + stride)));
    const third = i8x16.popcnt(v128.and(row, v128.load(plane + 2 * stride)));
    const fourth = i8x16.popcnt(v128.and(row, v128.load(plane + 3 * stride)));
    // At most 8 * 15 = 120, so the sums fit into bytes.
    const lower = i8x16.add(first, i8x16.shl(second, 1));
    const upper = i8x16.add(i8x16.shl(third, 2), i8x16.shl(fourth, 3));
    const pairs = i16x8.extadd_pairwise_i8x16_u(i8x16.add(lower, upper));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(pairs));
  }
  return sums;
}

/** Returns the sums of the four lanes of each argument, in their order. */
@inline
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/**
 * Writes the numbers of the `wanted` rows with the highest scores to `chosen`, ascending, and of
 * the rows whose scores are in the same bucket as the last of them. Returns how many it wrote.
 *
 * `counts` has room for 2,048 int32 numbers.
 */
export function chooseBest(scores: usize, rows: i32, wanted: i32, counts: usize, chosen: usize): i32 {
  let least: f32 = f32.MAX_VALUE;
  let greatest: f32 = -f32.MAX_VALUE;
  for (let row = 0; row < rows; row++) {
    const score = load<f32>(scores + (<usize>row << 2));
    least = min(least, score);
    greatest = max(greatest, score);
  }
  const scale = <f32>(buckets - 1) / max(greatest - least, f32.MIN_NORMAL_VALUE);
  memory.fill(counts, 0, buckets * sizeof<i32>());
  for (let row = 0; row < rows; row++) {
    const at = counts + (<usize>bucketOf(load<f32>(scores + (<usize>row << 2)), least, scale) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  let bucket = buckets - 1;
  for (let reached = load<i32>(counts + (<usize>bucket << 2)); reached < wanted && bucket > 0; ) {
    bucket -= 1;
    reached += load<i32>(counts + (<usize>bucket << 2));
  }
  let count = 0;
  for (let row = 0; row < rows; row++) {
    if (bucketOf(load<f32>(scores + (<usize>row << 2)), least, scale) < bucket) continue;
    store<i32>(chosen + (<usize>count << 2), row);
    count += 1;
  }
  return count;
}

/** Returns the bucket of a score, 0 to 2,047. */
@inline
function bucketOf(score: f32, least: f32, scale: f32): i32 {
  return <i32>min((score - least) * scale, <f32>(buckets - 1));
}
