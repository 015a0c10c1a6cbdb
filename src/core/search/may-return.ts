import type { Expression } from "../filter/expression.js";
import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import type { Instant } from "../model/instant.js";
import { allTypes, type Memory, typeSetOf } from "../model/memory.js";
import { isVisible } from "../model/visibility.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { SearchQuery } from "./search.js";

/** What a query may return at all, whatever its scores. */
export interface Returnable {
  readonly includeSuperseded: boolean;
  /** The types that the filter lets pass, as `typeSetOf` writes them. */
  readonly types: number;
  /** The rest of the filter; absent: everything passes. */
  readonly passesFilter?: (memory: Memory) => boolean;
  /** Whether restricted memories are withheld. Default false. */
  readonly withholdsRestricted?: boolean;
}

/** @throws INVALID_ARGUMENT (INVALID_EXPRESSION) */
export function returnableOf(
  {
    filter,
    permitted,
    includeSuperseded,
  }: Pick<SearchQuery, "filter" | "permitted" | "includeSuperseded">,
  compileExpression: (source: string) => Expression,
): Returnable {
  const filters = permitted === undefined ? [filter] : [filter, permitted];
  let types = allTypes;
  const matchers: ((memory: Memory) => boolean)[] = [];
  for (const { memoryTypes = [], ...rest } of filters) {
    if (memoryTypes.length > 0) types &= typeSetOf(memoryTypes);
    if (!isEmptyFilter(rest)) matchers.push(createMatcher(rest, compileExpression));
  }
  const passesFilter = (memory: Memory) => matchers.every((matches) => matches(memory));
  return {
    includeSuperseded,
    types,
    ...(matchers.length > 0 && { passesFilter }),
    withholdsRestricted: permitted !== undefined,
  };
}

/** Whether a query may return the memory of a row, unless it is withheld. Looks at the memory only where what the index knows of the row does not decide. */
export function mayReturn(
  index: NamespaceIndex,
  row: number,
  { includeSuperseded, types, passesFilter }: Returnable,
  now: Instant,
): boolean {
  if (!index.traits.isOfType(row, types)) return false;
  if (index.traits.canBeHidden(row) && !isVisible(index.at(row).memory, now, includeSuperseded))
    return false;
  return passesFilter === undefined || passesFilter(index.at(row).memory);
}

/** Whether the memory of a row, which the query may return, is kept from who asks. */
export function isWithheld(
  index: NamespaceIndex,
  row: number,
  { withholdsRestricted }: Returnable,
): boolean {
  return withholdsRestricted === true && index.traits.isRestricted(row);
}

/** Whether a memory passes the filter that the query was made with, hidden or not. */
export function passesFilter(memory: Memory, { types, passesFilter }: Returnable): boolean {
  return (
    (typeSetOf([memory.memoryType]) & types) !== 0 &&
    (passesFilter === undefined || passesFilter(memory))
  );
}
