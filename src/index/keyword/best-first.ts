/** A float32's bits from here on are its exponent and four bits of its fraction; where numbers are not negative, these bits order as the numbers do. */
const stepShift = 19;

/** One more than the step of 1. */
const steps = 0x3f80_0000 / 2 ** stepShift + 1;

/** How many rows are in each step, while `bringBestFirst` counts. */
const counts = new Uint32Array(steps);

/**
 * Brings the best `most` of the first `count` rows to the beginning, by their scores from 0 to 1 (in the same places), with all that score nearly like the last of them (by a sixteenth less at most), however many. Returns how many came first. They are in no particular order.
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
