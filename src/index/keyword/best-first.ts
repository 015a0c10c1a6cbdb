/**
 * From this bit on, a float32 has its exponent and four bits of its fraction. For numbers that are
 * not negative, these bits order as the numbers do.
 */
const stepShift = 19;

/** One more than the step of score 1. */
const steps = 0x3f80_0000 / 2 ** stepShift + 1;

/** Number of rows in each step. Valid during a call of `bringBestFirst`. */
const counts = new Uint32Array(steps);

/**
 * Moves the best `most` of the first `count` rows to the front, in no particular order. Scores from
 * 0 to 1 stand at the same positions. Rows that score up to a sixteenth less than the last of them
 * come along, however many. Returns the number of rows moved.
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
