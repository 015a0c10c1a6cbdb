import type { Instant } from "../model/instant.js";
import { allTypes, type Memory } from "../model/memory.js";
import { isVisible } from "../model/visibility.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { finderOf } from "../search/query/result-filter.js";

/** Maximum number of rows to look through. With more rows, a read of the store is faster. */
const rowsMax = 50_000;

/** Which memories to list. */
export interface NewestQuery {
  /** Maximum number of memories. */
  readonly count: number;
  readonly includeSuperseded: boolean;
  readonly now: Instant;
}

/**
 * Returns the newest visible memories, newest first. Returns `undefined` for a large namespace.
 * Memories of the same millisecond are in descending order of their ids, as in the timeline.
 */
export function newestMemories(
  index: NamespaceIndex,
  { count, includeSuperseded, now }: NewestQuery,
): Memory[] | undefined {
  const { rowLimit, traits } = index;
  if (rowLimit > rowsMax) return undefined;
  const find = finderOf(index);
  const isNewer = (row: Row, other: Row) => {
    const moreMs = traits.createdMs(row) - traits.createdMs(other);
    return moreMs > 0 || (moreMs === 0 && index.compareIds(row, other) > 0);
  };
  const newest: Row[] = [];
  /** The last row of a full list. Older rows are not in the list. */
  let last: Row | undefined;
  // Most rows are in the order of their creation, so this loop finds the newest first.
  for (let row = (rowLimit - 1) as Row; row >= 0; row--) {
    if (!traits.isOfType(row, allTypes)) continue;
    if (last !== undefined && isNewer(last, row)) continue;
    if (traits.canBeHidden(row) && !isVisible(index.at(row).memory, now, includeSuperseded, find))
      continue;
    let place = newest.length;
    while (place > 0 && isNewer(row, newest[place - 1] as Row)) place--;
    newest.splice(place, 0, row);
    if (newest.length > count) newest.pop();
    if (newest.length === count) last = newest.at(-1);
  }
  return newest.map((row) => index.at(row).memory);
}
