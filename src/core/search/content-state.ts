import { compareInstants, type Instant, millisOfInstant } from "../model/instant.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { ContentState } from "./search.js";

/** The state of what an index is made of. */
export function contentStateOf({
  head,
  contentSeq,
}: Pick<NamespaceIndex, "head" | "contentSeq">): ContentState {
  return `${head.epoch} ${contentSeq}`;
}

/** When the next memory of these types (`typeSetOf`) expires, in milliseconds since 1970; infinity if none will. Looks at no memory that does not expire. */
export function nextExpiryMs(index: NamespaceIndex, types: number, now: Instant): number {
  let next = Number.POSITIVE_INFINITY;
  for (let row = 0; row < index.rowLimit; row++) {
    if (!index.traits.isOfType(row, types) || !index.traits.canBeHidden(row)) continue;
    const { expireTime } = index.at(row).memory;
    if (expireTime !== undefined && compareInstants(expireTime, now) > 0)
      next = Math.min(next, millisOfInstant(expireTime));
  }
  return next;
}
