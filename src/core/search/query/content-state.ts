import { compareInstants, type Instant, millisOfInstant } from "../../model/instant.js";
import { currentSuccessor } from "../../model/visibility.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import { finderOf } from "./result-filter.js";
import type { ContentState } from "./search.js";

/** Returns a text that identifies the present state of the memories and vectors of an index. */
export function contentStateOf({
  head,
  contentSeq,
}: Pick<NamespaceIndex, "head" | "contentSeq">): ContentState {
  return `${head.epoch} ${head.timeline ?? ""} ${contentSeq}`;
}

/**
 * Returns the next time at which an expiry may change the result of a search over some types, in
 * milliseconds since 1970. Returns infinity if there is none. Two kinds of expiry change a result:
 * - A memory expires.
 * - The successor of a memory expires, and the memory becomes current again.
 *
 * Reads only records that have an expiry or a successor.
 *
 * @param types A set of types, as `typeSetOf` makes it.
 */
export function nextExpiryMs(index: NamespaceIndex, types: number, now: Instant): number {
  const find = finderOf(index);
  let next = Number.POSITIVE_INFINITY;
  for (let row = 0 as Row; row < index.rowLimit; row++) {
    if (!index.traits.isOfType(row, types) || !index.traits.canBeHidden(row)) continue;
    const { memory } = index.at(row);
    for (const hiding of [memory, currentSuccessor(memory, now, find)]) {
      if (hiding?.expireTime !== undefined && compareInstants(hiding.expireTime, now) > 0)
        next = Math.min(next, millisOfInstant(hiding.expireTime));
    }
  }
  return next;
}
