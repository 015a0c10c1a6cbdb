/** Number of buckets of durations. The last one has no upper bound. */
const bucketCount = 40;

/** Upper bound of the first bucket, in milliseconds. Two buckets on, the bound is twice as high. */
const firstBoundMs = 0.125;

/** The upper bounds of all buckets but the last, in milliseconds: 0.125 to 65,536. */
export const durationBoundsMs: readonly number[] = Array.from(
  { length: bucketCount - 1 },
  (_, i) => firstBoundMs * 2 ** (i / 2),
);

/** Counts durations in buckets. */
export class DurationCounts {
  readonly counts = new Float64Array(bucketCount);

  add(durationMs: number): void {
    const halvings = durationMs <= firstBoundMs ? 0 : 2 * Math.log2(durationMs / firstBoundMs);
    const bucket = Math.min(Math.ceil(halvings), bucketCount - 1);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
}

/**
 * Estimates a quantile of counted durations, in milliseconds. The estimate lies in the bucket of
 * the quantile. `undefined` without durations.
 *
 * @param share 0 to 1: 0.99 for the duration that 99 of 100 do not exceed
 */
export function quantileMs(counts: ArrayLike<number>, share: number): number | undefined {
  const all = Array.from(counts);
  const wanted = share * all.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return undefined;
  let before = 0;
  for (const [i, count] of all.entries()) {
    if (count > 0 && before + count >= wanted) {
      const low = durationBoundsMs[i - 1] ?? 0;
      const high = durationBoundsMs[i] ?? low;
      return low + (high - low) * ((wanted - before) / count);
    }
    before += count;
  }
  return durationBoundsMs.at(-1);
}
