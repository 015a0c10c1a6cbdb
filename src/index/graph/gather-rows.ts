import type { RowSet } from "../row-set.js";
import type { ThreadOrder } from "../thread/thread-order.js";

/** So many vectors are always compared one by one: it takes less than a millisecond. */
const fewRows = 10_000;
/** From this share of all rows on, comparing them one by one takes as long as the scan of all. */
const scanShare = 1 / 4;

/**
 * Puts into a set all rows whose scores a query needs that is answered through a graph: those with a keyword score and those near its vector, and in threads the rows that these reach.
 * Returns false, with nothing in the set, if they are so many of all that scanning all costs less.
 */
export function gatherRows(set: RowSet, withKeyword: Int32Array, nearest: Int32Array, threads: ThreadOrder, rowCount: number): boolean {
  const most = Math.max(fewRows, rowCount * scanShare);
  if (withKeyword.length + nearest.length > most) return false;
  for (const row of withKeyword) set.add(row);
  // A row lends its vector to those behind it, as it has lent them its words.
  for (const row of nearest) for (const reached of threads.rowsFrom(row)) set.add(reached);
  if (threads.threadCount > 0) {
    // A row is raised by the one that follows it.
    const reached = set.count;
    for (let i = 0; i < reached; i++) {
      const row = set.rows[i] as number;
      set.add(threads.previous[row] as number);
      set.add(threads.next[row] as number);
    }
  }
  if (set.count <= most) return true;
  set.clear();
  return false;
}
