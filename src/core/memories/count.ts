import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import { type Instant, instantOfMillis } from "../model/instant.js";
import { allTypes, typeSetOf } from "../model/memory.js";
import { scopeOf } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { createPause, nextTurn, sliceMs } from "../requests/pause.js";
import { readSignalOf } from "../requests/read-signal.js";
import { mayReturn, passesFilter, type ResultFilter } from "../search/query/result-filter.js";
import { storedSuccessor } from "./records.js";
import type { CountQuery, MemoryCount, MemoryServiceParts } from "./service.js";

/** How often a count begins again because of a write, before it reads the store instead. */
const restartsMax = 3;

/**
 * Counts the memories that pass the filter, in one state of the namespace. If the index is in RAM,
 * counts its rows, and reads a record only if the row's traits do not decide. Otherwise reads all
 * records from the store. Lets other calls run every few milliseconds.
 */
export async function countMemories(
  parts: MemoryServiceParts,
  query: CountQuery,
  call: Call,
): Promise<MemoryCount> {
  const counting: Counting = {
    ...query,
    resultFilter: resultFilterOf(query, parts),
    now: instantOfMillis(parts.clock.nowMs()),
    call,
  };
  return (await countLoaded(parts, counting)) ?? (await countStored(parts, counting));
}

/** A count that is ready to begin. */
interface Counting extends CountQuery {
  readonly resultFilter: ResultFilter;
  readonly now: Instant;
  readonly call: Call;
}

/**
 * Compiles the filter. Unlike with `compileResultFilter`, a read that uses the result need not be
 * within `readInTurns`, because a count can pause after any memory.
 */
function resultFilterOf(
  { filter: { memoryTypes = [], ...conditions } }: CountQuery,
  { compileExpression }: Pick<MemoryServiceParts, "compileExpression">,
): ResultFilter {
  return {
    includeSuperseded: false,
    types: memoryTypes.length === 0 ? allTypes : typeSetOf(memoryTypes),
    ...(!isEmptyFilter(conditions) && {
      passesFilter: createMatcher(conditions, compileExpression),
    }),
  };
}

/**
 * Counts in the index. Returns `undefined` if the index is not in RAM, or if writes keep changing
 * it.
 */
async function countLoaded(
  { index }: MemoryServiceParts,
  counting: Counting,
): Promise<MemoryCount | undefined> {
  const { namespace, call } = counting;
  const signal = readSignalOf(call);
  const rows = new RowCount(counting);
  while (rows.restarts <= restartsMax) {
    const read = await index.readLoaded(namespace, signal, (loaded) => ({
      isDone: rows.advance(loaded),
      head: loaded.head,
    }));
    if (read === undefined) return undefined;
    if (read.isDone)
      return { count: rows.count, commitSeq: commitSeqOf(read.head, namespace.userId) };
    await nextTurn();
  }
  return undefined;
}

/** The count of an index's rows so far. */
class RowCount {
  count = 0;
  restarts = 0;
  /** The next row to look at. */
  #row = 0 as Row;
  #index: NamespaceIndex | undefined;
  #contentSeq = 0;

  constructor(private readonly counting: Counting) {}

  /**
   * Continues the count for a few milliseconds. Begins again if the rows are no longer the same.
   * Returns whether all rows are counted.
   */
  advance(index: NamespaceIndex): boolean {
    if (index !== this.#index || index.contentSeq !== this.#contentSeq) this.#begin(index);
    const { resultFilter, now } = this.counting;
    const startMs = performance.now();
    for (let row = this.#row; row < index.rowLimit; row++) {
      if (mayReturn(index, row, resultFilter, now)) this.count += 1;
      if (performance.now() - startMs < sliceMs) continue;
      this.#row = (row + 1) as Row;
      return this.#row >= index.rowLimit;
    }
    return true;
  }

  #begin(index: NamespaceIndex): void {
    if (this.#index !== undefined) this.restarts += 1;
    this.#index = index;
    this.#contentSeq = index.contentSeq;
    this.#row = 0 as Row;
    this.count = 0;
  }
}

/** Counts in a snapshot of the store. Keeps one memory in RAM at a time. */
async function countStored(
  { store }: MemoryServiceParts,
  { namespace, resultFilter, now, call }: Counting,
): Promise<MemoryCount> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const pause = createPause();
  let count = 0;
  for await (const [, memory] of snapshot.scan("memories", namespace)) {
    call.throwIfEnded();
    if (
      !isExpired(memory, now) &&
      passesFilter(memory, resultFilter) &&
      (await storedSuccessor(snapshot, namespace, memory, now)) === undefined
    )
      count += 1;
    await pause();
  }
  return { count, commitSeq: commitSeqOf(snapshot.head, namespace.userId) };
}
