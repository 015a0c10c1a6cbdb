import { compareInstants, type Instant, millisOfInstant } from "../model/instant.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import type { ContentState } from "./search.js";

/** Returns the state of the memories and vectors that an index holds. */
export function contentStateOf({
  head,
  contentSeq,
}: Pick<NamespaceIndex, "head" | "contentSeq">): ContentState {
  return `${head.epoch} ${contentSeq}`;
}

/**
 * Returns when the next memory of some types expires, in milliseconds since 1970; infinity if none
 * will. Reads only the records that have an expiry or a successor.
 *
 * @param types A set of types, as `typeSetOf` writes it.
 */
export function nextExpiryMs(index: NamespaceIndex, types: number, now: Instant): number {
  let next = Number.POSITIVE_INFINITY;
  for (let row = 0 as Row; row < index.rowLimit; row++) {
    if (!index.traits.isOfType(row, types) || !index.traits.canBeHidden(row)) continue;
    const { expireTime } = index.at(row).memory;
    if (expireTime !== undefined && compareInstants(expireTime, now) > 0)
      next = Math.min(next, millisOfInstant(expireTime));
  }
  return next;
}
