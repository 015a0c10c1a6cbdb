import type { Expression } from "../../filter/expression.js";
import { createMatcher, type Filter, isEmptyFilter } from "../../filter/matcher.js";
import type { Instant } from "../../model/instant.js";
import { allTypes, type Memory, typeSetOf } from "../../model/memory.js";
import { currentSuccessor, type FindMemory, isVisible } from "../../model/visibility.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import { workInTurns } from "./read-turns.js";
import { rowFilterOf } from "./row-filter.js";
import type { SearchQuery } from "./search.js";

/** Decides which memories a query may return, whatever their scores. */
export interface ResultFilter {
  readonly includeSuperseded: boolean;
  /** Default false. */
  readonly includeExpired?: boolean;
  /** The set of types that the query's filters accept, as `typeSetOf` makes it. */
  readonly types: number;
  /** The other conditions of the query's filters. Absent: every memory passes. */
  readonly passesFilter?: (memory: Memory) => boolean;
  /** `passesFilter` of a row's memory, from its traits where they decide. */
  readonly rowPasses?: (index: NamespaceIndex, row: Row) => boolean;
  /** Ids of memories that the query does not return. Absent: none. */
  readonly excludedIds?: ReadonlySet<string>;
  /** Whether the memory of a row has one of these ids. Absent: there are none. */
  readonly excludesRow?: (index: NamespaceIndex, row: Row) => boolean;
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
  const others: Filter[] = [];
  for (const { memoryTypes = [], ...conditions } of filters) {
    if (memoryTypes.length > 0) types &= typeSetOf(memoryTypes);
    if (isEmptyFilter(conditions)) continue;
    others.push(conditions);
    matchers.push(createMatcher(conditions, compileExpression));
  }
  const matchesAll = (memory: Memory) => matchers.every((matches) => matches(memory));
  const isSlow = filters.some(
    ({ expression, metadata, contentContains }) =>
      (expression ?? metadata ?? contentContains) !== undefined,
  );
  const passesFilter = isSlow ? workInTurns(matchesAll) : matchesAll;
  return {
    includeSuperseded,
    types,
    ...(matchers.length > 0 && {
      passesFilter,
      rowPasses: rowFilterOf(others, isSlow ? rememberRows(passesFilter) : readRows(passesFilter)),
    }),
    ...(excludedIds !== undefined &&
      excludedIds.size > 0 && { excludedIds, excludesRow: findExcludedRows(excludedIds) }),
    withholdsRestricted: accessFilter !== undefined,
  };
}

/**
 * Returns a function that says whether the memory of a row has one of the ids. Looks the ids up
 * once for each state of an index, so that no record is read.
 */
function findExcludedRows(ids: ReadonlySet<string>): NonNullable<ResultFilter["excludesRow"]> {
  let known: { readonly index: NamespaceIndex; readonly contentSeq: number } | undefined;
  let rows: ReadonlySet<Row | undefined> = new Set();
  return (index, row) => {
    const { contentSeq } = index;
    if (known?.index !== index || known.contentSeq !== contentSeq) {
      known = { index, contentSeq };
      rows = new Set([...ids].map((id) => index.rowOf(id)));
    }
    return rows.has(row);
  };
}

/**
 * Whether a query may return this row. Does not check whether the row is withheld (`isWithheld`).
 * Reads the record only when the row's traits do not decide it.
 */
export function mayReturn(
  index: NamespaceIndex,
  row: Row,
  filter: ResultFilter,
  now: Instant,
): boolean {
  const { types, rowPasses, excludesRow } = filter;
  if (!index.traits.isOfType(row, types) || excludesRow?.(index, row) === true) return false;
  if (index.traits.canBeHidden(row) && !isShown(index, row, filter, now)) return false;
  return rowPasses === undefined || rowPasses(index, row);
}

function isShown(
  index: NamespaceIndex,
  row: Row,
  { includeSuperseded, includeExpired = false }: ResultFilter,
  now: Instant,
): boolean {
  const { memory } = index.at(row);
  if (!includeExpired) return isVisible(memory, now, includeSuperseded, finderOf(index));
  return includeSuperseded || currentSuccessor(memory, now, finderOf(index)) === undefined;
}

/** Returns a function that says whether the record of a row passes a filter. */
export function readRows(
  passes: (memory: Memory) => boolean,
): NonNullable<ResultFilter["rowPasses"]> {
  return (index, row) => passes(index.at(row).memory);
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
export function passesFilter(
  memory: Memory,
  { types, passesFilter, excludedIds }: ResultFilter,
): boolean {
  return (
    excludedIds?.has(memory.id) !== true &&
    (typeSetOf([memory.memoryType]) & types) !== 0 &&
    (passesFilter === undefined || passesFilter(memory))
  );
}
