/** A float32's bits from here on are its exponent and four bits of its fraction; where numbers are not negative, these bits order as the numbers do. */
const stepShift = 19;

/** One more than the step of 1. */
const steps = 0x3f80_0000 / 2 ** stepShift + 1;

/** How many rows are in each step, while `bringBestFirst` counts. */
const counts = new Uint32Array(steps);

/**
 * Brings the best `most` of the first `count` rows to the beginning, by their scores from 0 to 1, with all that score nearly like the last of them (by a sixteenth less at most), however many. Returns how many came first. They are in no particular order.
 */
export function bringBestFirst(rows: Int32Array, count: number, scores: Float32Array, most: number): number {
  if (count <= most) return count;
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
  const stepOf = (row: number): number => (bits[row] as number) >>> stepShift;
  counts.fill(0);
  for (let i = 0; i < count; i++) {
    const step = stepOf(rows[i] as number);
    counts[step] = (counts[step] as number) + 1;
  }
  let threshold = steps - 1;
  for (let reached = counts[threshold] as number; reached < most; reached += counts[threshold] as number) threshold -= 1;
  let best = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (stepOf(row) < threshold) continue;
    rows[i] = rows[best] as number;
    rows[best++] = row;
  }
  return best;
}
