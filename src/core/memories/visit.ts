import { createMatcher, type Filter, isEmptyFilter } from "../filter/matcher.js";
import { type Instant, instantOfMillis } from "../model/instant.js";
import { allTypes, type Memory, typeSetOf } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import type { Head } from "../ports/store.js";
import { createPause, nextTurn, sliceMs } from "../requests/pause.js";
import { readSignalOf } from "../requests/read-signal.js";
import {
  mayReturn,
  passesFilter,
  type ResultFilter,
  readRows,
} from "../search/query/result-filter.js";
import { rowFilterOf } from "../search/query/row-filter.js";
import { storedSuccessor } from "./records.js";
import type { MemoryServiceParts } from "./service.js";

/** How often a visit begins again because of a write, before it reads the store instead. */
const restartsMax = 3;

/** Which memories to visit. */
export interface VisitQuery {
  readonly namespace: Namespace;
  readonly filter: Filter;
  readonly includeSuperseded: boolean;
  /** Default false. */
  readonly includeExpired?: boolean;
  /** Whether to load the index if it is not in RAM. Default false: reads the store then. */
  readonly loadsIndex?: boolean;
}

/** Looks at memories. */
export interface Visitor {
  /** Forgets all memories so far, because the visit begins, or begins again. */
  begin(): void;
  /** A memory that the index has as a row. */
  row(index: NamespaceIndex, row: Row): void;
  /** A memory from the store. */
  memory(memory: Memory): void;
  /** Called after each turn of a visit of an index, because its rows may be others later. */
  leave?(index: NamespaceIndex): void;
}

/**
 * Visits the memories that pass the filter, in one state of the namespace, whose head it returns.
 * With the index, goes through its rows from the last one down, and reads a record only if the
 * row's traits do not decide. Otherwise reads all records from the store, in no certain order. Lets
 * other calls run every few milliseconds.
 */
export async function visitMemories(
  parts: MemoryServiceParts,
  query: VisitQuery,
  visitor: Visitor,
  call: Call,
): Promise<Head> {
  const visit = visitOf(parts, query, visitor, call);
  return (await visitIndex(parts, visit)) ?? (await visitStore(parts, visit));
}

/**
 * Does the same as `visitMemories`, but only with the index. Returns `undefined` if the index is
 * not in RAM and need not be loaded, or if writes keep changing it.
 */
export function visitLoadedMemories(
  parts: MemoryServiceParts,
  query: VisitQuery,
  visitor: Visitor,
  call: Call,
): Promise<Head | undefined> {
  return visitIndex(parts, visitOf(parts, query, visitor, call));
}

function visitOf(
  parts: MemoryServiceParts,
  query: VisitQuery,
  visitor: Visitor,
  call: Call,
): Visit {
  return {
    ...query,
    resultFilter: resultFilterOf(query, parts),
    now: instantOfMillis(parts.clock.nowMs()),
    visitor,
    call,
  };
}

/** A visit that is ready to begin. */
interface Visit extends VisitQuery {
  readonly resultFilter: ResultFilter;
  readonly now: Instant;
  readonly visitor: Visitor;
  readonly call: Call;
}

/**
 * Compiles the filter. Unlike with `compileResultFilter`, a read that uses the result need not be
 * within `readInTurns`, because a visit can pause after any memory.
 */
function resultFilterOf(
  { filter, includeSuperseded, includeExpired = false }: VisitQuery,
  { compileExpression }: Pick<MemoryServiceParts, "compileExpression">,
): ResultFilter {
  const { memoryTypes = [], ...conditions } = filter;
  const passes = createMatcher(conditions, compileExpression);
  return {
    ...{ includeSuperseded, includeExpired },
    types: memoryTypes.length === 0 ? allTypes : typeSetOf(memoryTypes),
    ...(!isEmptyFilter(conditions) && {
      passesFilter: passes,
      rowPasses: rowFilterOf([conditions], readRows(passes)),
    }),
  };
}

/**
 * Visits the rows of the index. Returns `undefined` if the index is not in RAM and need not be
 * loaded, or if writes keep changing it.
 */
async function visitIndex({ index }: MemoryServiceParts, visit: Visit): Promise<Head | undefined> {
  const { namespace, call, loadsIndex = false } = visit;
  const signal = readSignalOf(call);
  const rows = new RowVisit(visit);
  const advance = (loaded: NamespaceIndex) => {
    const before = rows.visited;
    const isDone = rows.advance(loaded);
    return { isDone, head: loaded.head, rows: rows.visited - before };
  };
  while (rows.restarts <= restartsMax) {
    const read = loadsIndex
      ? await index.read(namespace, signal, advance)
      : await index.readLoaded(namespace, signal, advance);
    if (read === undefined) return undefined;
    call.noteRows?.(read.rows);
    if (read.isDone) return read.head;
    await nextTurn();
  }
  return undefined;
}

/** The visit of an index's rows so far. */
class RowVisit {
  restarts = 0;
  /** Rows that were looked at, also before a restart. */
  visited = 0;
  /** Less than all rows that were looked at. */
  #next = 0;
  #index: NamespaceIndex | undefined;
  #contentSeq = 0;

  constructor(private readonly visit: Visit) {}

  /**
   * Continues the visit for a few milliseconds. Begins again if the rows are no longer the same.
   * Returns whether all rows were visited.
   */
  advance(index: NamespaceIndex): boolean {
    if (index !== this.#index || index.contentSeq !== this.#contentSeq) this.#begin(index);
    const { resultFilter, now, visitor } = this.visit;
    const startMs = performance.now();
    for (let row = (this.#next - 1) as Row; row >= 0; row--) {
      this.visited += 1;
      if (mayReturn(index, row, resultFilter, now)) visitor.row(index, row);
      if (performance.now() - startMs < sliceMs) continue;
      this.#next = row;
      visitor.leave?.(index);
      return row === 0;
    }
    visitor.leave?.(index);
    return true;
  }

  #begin(index: NamespaceIndex): void {
    if (this.#index !== undefined) this.restarts += 1;
    this.#index = index;
    this.#contentSeq = index.contentSeq;
    this.#next = index.rowLimit;
    this.visit.visitor.begin();
  }
}

/** Visits a snapshot of the store. Keeps one memory in RAM at a time. */
async function visitStore({ store }: MemoryServiceParts, visit: Visit): Promise<Head> {
  const { namespace, resultFilter, includeExpired = false, now, visitor, call } = visit;
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const pause = createPause();
  visitor.begin();
  for await (const [, memory] of snapshot.scan("memories", namespace)) {
    call.throwIfEnded();
    call.noteRows?.(1);
    if (
      (includeExpired || !isExpired(memory, now)) &&
      passesFilter(memory, resultFilter) &&
      (resultFilter.includeSuperseded ||
        (await storedSuccessor(snapshot, namespace, memory, now)) === undefined)
    )
      visitor.memory(memory);
    await pause();
  }
  return snapshot.head;
}
