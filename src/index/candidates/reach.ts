import type { Row } from "../../core/ports/search-index.js";

/** Number of rows sampled to estimate the accepted share. */
const sampleSize = 200;
/**
 * Fractional part of the golden ratio: its multiples, modulo 1, spread evenly and follow no pattern
 * of the data.
 */
const goldenStep = 0.618033988749895;

/**
 * A search for near rows asks for this multiple of the rows that it needs, because some rows may be
 * removed before the search ends.
 */
const spare = 1.1;
/**
 * A search that fetches at most this many near vectors always runs, because it takes only a few
 * milliseconds.
 */
const reachAlways = 1_000;
/** Fetching this share of the vectors costs as much as comparing all vectors. */
const reachShare = 1 / 64;

/** Rows, some of which may be empty. */
interface Rows {
  readonly rowLimit: number;
  /** Whether a row holds a memory. */
  holds(row: Row): boolean;
}

/**
 * Estimates a lower bound (97.5 % confidence) on the share of memories that `accepts` accepts, from
 * a fixed sample. Returns 0 if it accepts almost none.
 */
export function acceptedShare(rows: Rows, accepts: (row: Row) => boolean): number {
  let asked = 0;
  let accepted = 0;
  for (let i = 0; i < sampleSize; i++) {
    const row = Math.floor(((i * goldenStep) % 1) * rows.rowLimit);
    if (!rows.holds(row as Row)) continue;
    asked += 1;
    if (accepts(row as Row)) accepted += 1;
  }
  if (asked === 0) return 0;
  const share = accepted / asked;
  return Math.max(0, share - 2 * Math.sqrt((share * (1 - share)) / asked));
}

/**
 * Returns how many of the nearest vectors to fetch, so that probably `count` of them are accepted.
 * Returns `undefined` if comparing all vectors costs less.
 *
 * @param share Share of the vectors that are accepted.
 * @param total Number of vectors.
 */
export function reachFor(count: number, share: number, total: number): number | undefined {
  const reach = Math.min(total, Math.ceil((count * spare) / share));
  return reach > Math.max(reachAlways, total * reachShare) ? undefined : reach;
}
