import type { Expression } from "../../filter/expression.js";
import { createMatcher, isEmptyFilter } from "../../filter/matcher.js";
import type { Instant } from "../../model/instant.js";
import { allTypes, type Memory, typeSetOf } from "../../model/memory.js";
import { type FindMemory, isVisible } from "../../model/visibility.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import { workInTurns } from "./read-turns.js";
import type { SearchQuery } from "./search.js";

/** Decides which memories a query may return, whatever their scores. */
export interface ResultFilter {
  readonly includeSuperseded: boolean;
  /** The set of types that the query's filters accept, as `typeSetOf` makes it. */
  readonly types: number;
  /** The other conditions of the query's filters. Absent: every memory passes. */
  readonly passesFilter?: (memory: Memory) => boolean;
  /** `passesFilter` of a row's memory. Absent: `passesFilter` is fast. */
  readonly rowPasses?: (index: NamespaceIndex, row: Row) => boolean;
  /** Whether restricted memories are withheld. Default false. */
  readonly withholdsRestricted?: boolean;
}

/**
 * Compiles the filters of a query. Requires: every read that uses the result is within
 * `readInTurns`.
 *
 * @throws INVALID_ARGUMENT (INVALID_EXPRESSION) when a filter's expression is not valid.
 */
export function compileResultFilter(
  {
    filter,
    accessFilter,
    excludedIds,
    includeSuperseded,
  }: Pick<SearchQuery, "filter" | "accessFilter" | "excludedIds" | "includeSuperseded">,
  compileExpression: (source: string) => Expression,
): ResultFilter {
  const filters = accessFilter === undefined ? [filter] : [filter, accessFilter];
  let types = allTypes;
  const matchers: ((memory: Memory) => boolean)[] = [];
  for (const { memoryTypes = [], ...conditions } of filters) {
    if (memoryTypes.length > 0) types &= typeSetOf(memoryTypes);
    if (!isEmptyFilter(conditions)) matchers.push(createMatcher(conditions, compileExpression));
  }
  if (excludedIds !== undefined && excludedIds.size > 0)
    matchers.unshift(({ id }) => !excludedIds.has(id));
  const matchesAll = (memory: Memory) => matchers.every((matches) => matches(memory));
  const isSlow = filters.some(
    ({ expression, metadata, contentContains }) =>
      (expression ?? metadata ?? contentContains) !== undefined,
  );
  const passesFilter = isSlow ? workInTurns(matchesAll) : matchesAll;
  return {
    includeSuperseded,
    types,
    ...(matchers.length > 0 && { passesFilter }),
    ...(isSlow && { rowPasses: rememberRows(passesFilter) }),
    withholdsRestricted: accessFilter !== undefined,
  };
}

/**
 * Whether a query may return this row. Does not check whether the row is withheld (`isWithheld`).
 * Reads the record only when the row's traits do not decide it.
 */
export function mayReturn(
  index: NamespaceIndex,
  row: Row,
  { includeSuperseded, types, passesFilter, rowPasses }: ResultFilter,
  now: Instant,
): boolean {
  if (!index.traits.isOfType(row, types)) return false;
  if (
    index.traits.canBeHidden(row) &&
    !isVisible(index.at(row).memory, now, includeSuperseded, finderOf(index))
  )
    return false;
  if (rowPasses !== undefined) return rowPasses(index, row);
  return passesFilter === undefined || passesFilter(index.at(row).memory);
}

/**
 * Remembers the results of a filter by row, while the rows stay the same. Each turn of a slow
 * filter (`workInTurns`) asks again for the rows of the turns before it. Without the results, it
 * would read their records again.
 */
function rememberRows(passes: (memory: Memory) => boolean): NonNullable<ResultFilter["rowPasses"]> {
  let known: { readonly index: NamespaceIndex; readonly contentSeq: number } | undefined;
  let results: (boolean | undefined)[] = [];
  return (index, row) => {
    const { contentSeq } = index;
    if (known?.index !== index || known.contentSeq !== contentSeq) {
      known = { index, contentSeq };
      results = [];
    }
    const result = results[row] ?? passes(index.at(row).memory);
    results[row] = result;
    return result;
  };
}

/** Returns a function that finds the memories of an index by their ids. */
export function finderOf(index: NamespaceIndex): FindMemory {
  return (id) => {
    const row = index.rowOf(id);
    return row === undefined ? undefined : index.at(row).memory;
  };
}

/** Whether this row is withheld from the caller. Requires: `mayReturn` is true for the row. */
export function isWithheld(
  index: NamespaceIndex,
  row: Row,
  { withholdsRestricted }: ResultFilter,
): boolean {
  return withholdsRestricted === true && index.traits.isRestricted(row);
}

/** Whether a memory passes the query's filters. Ignores expiry and supersession. */
export function passesFilter(memory: Memory, { types, passesFilter }: ResultFilter): boolean {
  return (
    (typeSetOf([memory.memoryType]) & types) !== 0 &&
    (passesFilter === undefined || passesFilter(memory))
  );
}
