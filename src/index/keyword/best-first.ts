/**
 * `bringBestFirst` sorts scores into the buckets of a histogram. The bucket of a score is the value
 * of its float32 bits from this bit up: the exponent and the first four bits of the fraction. A
 * higher score never has a lower bucket, because no score is negative.
 */
const stepShift = 19;

/** Number of buckets: one more than the bucket of score 1. */
const steps = 0x3f80_0000 / 2 ** stepShift + 1;

/** Number of rows in each bucket. Valid during a call of `bringBestFirst`. */
const counts = new Uint32Array(steps);

/**
 * Moves the `most` best of the first `count` rows to the front, with their scores and in no
 * particular order. Also moves all rows in the same bucket as the worst of these, which score up to
 * a sixteenth less. Returns the number of rows at the front. Scores below 2^-126 share a bucket.
 *
 * Requires: `scores` holds scores from 0 to 1, at the positions of their rows.
 */
export function bringBestFirst(
  rows: Int32Array,
  scores: Float32Array,
  count: number,
  most: number,
): number {
  if (count <= most) return count;
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
  counts.fill(0);
  for (let place = 0; place < count; place++) {
    const step = (bits[place] as number) >>> stepShift;
    counts[step] = (counts[step] as number) + 1;
  }
  let threshold = steps - 1;
  for (
    let reached = counts[threshold] as number;
    reached < most;
    reached += counts[threshold] as number
  )
    threshold -= 1;
  let best = 0;
  for (let place = 0; place < count; place++) {
    if ((bits[place] as number) >>> stepShift < threshold) continue;
    [rows[place], rows[best]] = [rows[best] as number, rows[place] as number];
    [scores[place], scores[best]] = [scores[best] as number, scores[place] as number];
    best += 1;
  }
  return best;
}
