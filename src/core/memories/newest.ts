import { type Instant, millisOfInstant } from "../model/instant.js";
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
  const newest: Memory[] = [];
  /** The last memory of a full list. Older memories are not in the list. */
  let last: Memory | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  // Most rows are in the order of their creation, so this loop finds the newest first.
  for (let row = (rowLimit - 1) as Row; row >= 0; row--) {
    if (traits.createdMs(row) < lastMs || !traits.isOfType(row, allTypes)) continue;
    const { memory } = index.at(row);
    if (last !== undefined && isNewer(last, memory)) continue;
    if (traits.canBeHidden(row) && !isVisible(memory, now, includeSuperseded, find)) continue;
    let place = newest.length;
    while (place > 0 && isNewer(memory, newest[place - 1] as Memory)) place--;
    newest.splice(place, 0, memory);
    if (newest.length > count) newest.pop();
    if (newest.length < count) continue;
    last = newest.at(-1);
    if (last !== undefined) lastMs = millisOfInstant(last.createTime);
  }
  return newest;
}

function isNewer(memory: Memory, other: Memory): boolean {
  const moreMs = millisOfInstant(memory.createTime) - millisOfInstant(other.createTime);
  return moreMs > 0 || (moreMs === 0 && memory.id > other.id);
}
