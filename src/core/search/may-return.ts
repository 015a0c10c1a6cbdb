import type { Expression } from "../filter/expression.js";
import type { Filter } from "../filter/filter.js";
import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import type { Instant } from "../instant.js";
import { allTypes, type Memory, typeSetOf } from "../memory.js";
import type { NamespaceIndex } from "../search-index.js";
import { isVisible } from "../visibility.js";

/** What a query may return at all, whatever its scores. */
export interface Returnable {
  readonly includeSuperseded: boolean;
  /** The types that the filter lets pass, as `typeSetOf` writes them. */
  readonly types: number;
  /** The rest of the filter; absent: everything passes. */
  readonly passesFilter?: (memory: Memory) => boolean;
}

/** @throws INVALID_ARGUMENT (INVALID_EXPRESSION) */
export function returnableOf(filter: Filter, includeSuperseded: boolean, compileExpression: (source: string) => Expression): Returnable {
  const { memoryTypes = [], ...rest } = filter;
  const types = memoryTypes.length === 0 ? allTypes : typeSetOf(memoryTypes);
  return { includeSuperseded, types, ...(!isEmptyFilter(rest) && { passesFilter: createMatcher(rest, compileExpression) }) };
}

/** Whether a query may return the memory of a row. Looks at the memory only where what the index knows of the row does not decide. */
export function mayReturn(
  index: NamespaceIndex,
  row: number,
  { includeSuperseded, types, passesFilter }: Returnable,
  now: Instant,
): boolean {
  if (!index.isOfType(row, types)) return false;
  if (index.canBeHidden(row) && !isVisible(index.at(row).memory, now, includeSuperseded)) return false;
  return passesFilter === undefined || passesFilter(index.at(row).memory);
}

/** Whether a memory passes the filter that the query was made with, hidden or not. */
export function passesFilter(memory: Memory, { types, passesFilter }: Returnable): boolean {
  return (typeSetOf([memory.memoryType]) & types) !== 0 && (passesFilter === undefined || passesFilter(memory));
}
