import { absent, contextRows, type ThreadOrder } from "../thread/thread-order.js";
import type { RowSet } from "./row-set.js";

/** At most this many rows are always compared one by one, which takes at most two milliseconds. */
const fewRows = 10_000;
/** Comparing this share of all rows one by one takes as long as one scan over all rows. */
const scanShare = 1 / 3;

/**
 * Gathers rows into a set, in this order:
 * 1. the candidates of a query: rows with a keyword score, near rows, and the neighbours in threads
 *    whose scores depend on them
 * 2. the rows before the candidates in their threads, whose vectors the candidates borrow
 *
 * Returns the number of candidates. Returns -1 and an empty set if scanning all rows costs less.
 */
export function gatherRows(
  set: RowSet,
  withKeyword: Int32Array,
  nearest: Int32Array,
  threads: ThreadOrder,
  rowCount: number,
): number {
  const most = Math.max(fewRows, rowCount * scanShare);
  if (withKeyword.length + nearest.length > most) return -1;
  for (const row of withKeyword) set.add(row);
  for (const row of nearest) set.add(row);
  if (!threads.hasLinks) return set.count;
  // The rows after a near row borrow its vector. (The rows that borrow words are in `withKeyword`.)
  for (const row of nearest) addAlong(threads.next, row, set);
  const reached = set.count;
  for (let i = 0; i < reached; i++) {
    const row = set.rows[i] as number;
    // A row raises the score of the row before it. So both neighbours are added: the row before is
    // raised by this row, and this row is raised by the row after.
    set.add(threads.previous[row] as number);
    set.add(threads.next[row] as number);
  }
  const candidates = set.count;
  for (let i = 0; i < candidates; i++) addAlong(threads.previous, set.rows[i] as number, set);
  if (set.count <= most) return candidates;
  set.clear();
  return -1;
}

/** Adds the next `contextRows` rows in one direction of a thread. */
function addAlong(links: Int32Array, row: number, set: RowSet): void {
  let reached = links[row] as number;
  for (let step = 0; step < contextRows && reached !== absent; step++) {
    set.add(reached);
    reached = links[reached] as number;
  }
}
