import { contextRows, none, type ThreadOrder } from "../thread/thread-order.js";
import type { RowSet } from "./row-set.js";

/** So many vectors are always compared one by one: it takes two milliseconds. */
const fewRows = 10_000;
/** From this share of all rows on, comparing them one by one takes as long as the scan of all. */
const scanShare = 1 / 3;

/**
 * Puts into a set the candidates of a query that is answered through a graph: the rows with a keyword score and those near its vector, and in threads the rows that these reach; behind them the rows whose vectors the candidates borrow.
 * Returns how many are candidates; -1, with nothing in the set, if there are so many that scanning all rows costs less.
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
  // A row lends its vector to those behind it, as it has lent them its words.
  for (const row of nearest) addAlong(threads.next, row, set);
  const reached = set.count;
  for (let i = 0; i < reached; i++) {
    const row = set.rows[i] as number;
    // A row is raised by the one that follows it.
    set.add(threads.previous[row] as number);
    set.add(threads.next[row] as number);
  }
  const candidates = set.count;
  for (let i = 0; i < candidates; i++) addAlong(threads.previous, set.rows[i] as number, set);
  if (set.count <= most) return candidates;
  set.clear();
  return -1;
}

/** Adds the rows that a row's context reaches to in one direction. */
function addAlong(links: Int32Array, row: number, set: RowSet): void {
  let reached = links[row] as number;
  for (let step = 0; step < contextRows && reached !== none; step++) {
    set.add(reached);
    reached = links[reached] as number;
  }
}
