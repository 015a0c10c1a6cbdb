import { compareInstants } from "../../core/model/instant.js";
import { happenedAt, type Memory } from "../../core/model/memory.js";

/** Stands for "no row" and "no thread". */
export const none = -1;

/** A turn that comes later than this after the one before begins a thread of its own. LoCoMo's sessions lie hours apart; measured by bench/locomo without `thread_id`. */
const longestPauseSeconds = 30 * 60;

/** Without event times, what was written sooner than this after the one before was not said then but stored in bulk, in any order: nobody listens and answers in less. Measured by bench/locomo without `event_time`. */
const shortestTurnSeconds = 1;

/** Which row comes before and after which within a thread, by row; `none` at the ends and for rows without a thread. */
export interface ThreadLinks {
  /** Whether any row may come before or after another. */
  readonly hasLinks: boolean;
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /** Number of the row's thread, from 0 up to `threadCount`. Holds until the next change. */
  readonly thread: Int32Array;
  /** One more than the greatest number of a thread in use; 0 if no row has a thread. */
  readonly threadCount: number;
}

type Threaded = Pick<Memory, "id" | "memoryType" | "threadId" | "eventTime" | "createTime"> &
  Partial<Pick<Memory, "restricted">>;

interface Entry {
  readonly row: number;
  readonly memory: Threaded;
}

interface Thread {
  readonly number: number;
  entries: Entry[];
}

/**
 * The rows of each thread in the order in which they happened: by `event_time`, else `create_time`, then id.
 * Memories with the same `thread_id` are a thread. So are memories of type CONVERSATION without one that follow each other as turns do (`continues`); one that has no such neighbour is without a thread.
 * One that is restricted is of none: what is kept from tools must not show in what they find of its neighbours.
 */
export class ThreadOrder implements ThreadLinks {
  previous = new Int32Array(64).fill(none);
  next = new Int32Array(64).fill(none);
  #thread = new Int32Array(64).fill(none);
  readonly #threads = new Map<string, Thread>();
  readonly #freeNumbers: number[] = [];
  /** One more than the greatest number of a thread with an id. */
  #idCount = 0;
  /** All turns that may form threads by time; where one ends and the next begins shows in the links. */
  readonly #turns: Thread = { number: none, entries: [] };
  #threadCount = 0;
  /** Whether the threads by time have their numbers. */
  #numbered = true;

  get bytes(): number {
    return this.previous.byteLength * 3;
  }

  get hasLinks(): boolean {
    return this.#threads.size > 0 || this.#turns.entries.length > 1;
  }

  get thread(): Int32Array {
    this.#numberTurns();
    return this.#thread;
  }

  get threadCount(): number {
    this.#numberTurns();
    return this.#threadCount;
  }

  /** Puts a row into its thread, if it has one. Returns the rows whose place behind others has changed, itself first. */
  add(row: number, memory: Threaded): readonly number[] {
    this.#reserve(row + 1);
    this.previous[row] = none;
    this.next[row] = none;
    this.#thread[row] = none;
    const thread = this.#threadOf(memory);
    if (thread === undefined) return [row];
    const place = placeOf(thread.entries, memory);
    thread.entries.splice(place, 0, { row, memory });
    this.#thread[row] = thread.number;
    this.#numbered = false;
    this.#link(thread.entries, place - 1);
    this.#link(thread.entries, place);
    return rowsFrom(thread.entries, place);
  }

  /** Takes a row out of its thread. Returns the rows whose place behind others has changed. REQUIRES: it was added with the same memory. */
  remove(row: number, memory: Threaded): readonly number[] {
    const thread = this.#threadOf(memory);
    if (thread === undefined) return [];
    const place = placeOf(thread.entries, memory);
    thread.entries.splice(place, 1);
    this.previous[row] = none;
    this.next[row] = none;
    this.#thread[row] = none;
    this.#numbered = false;
    if (memory.threadId !== undefined && thread.entries.length === 0)
      this.#drop(memory.threadId, thread);
    else this.#link(thread.entries, place - 1);
    return rowsFrom(thread.entries, place);
  }

  /** A row and those behind it whose context reaches back to it. */
  rowsFrom(row: number): readonly number[] {
    const rows = [row];
    for (
      let next = this.next[row] ?? none;
      next !== none && rows.length <= contextRows;
      next = this.next[next] ?? none
    )
      rows.push(next);
    return rows;
  }

  /** Row i becomes what row `kept[i]` was. REQUIRES: `kept` ascends and names all rows that were not removed. */
  compact(kept: Int32Array): void {
    const newRows = new Map<number, number>();
    for (const [to, from] of kept.entries()) newRows.set(from, to);
    for (const column of [this.previous, this.next, this.#thread]) column.fill(none);
    this.#numbered = false;
    for (const thread of [...this.#threads.values(), this.#turns]) {
      thread.entries = thread.entries.map(({ row, memory }) => ({
        row: newRows.get(row) ?? none,
        memory,
      }));
      for (const [place, { row }] of thread.entries.entries()) {
        this.#thread[row] = thread.number;
        this.#link(thread.entries, place);
      }
    }
  }

  /** Notes that the entry at a place is followed by the one after it, unless that begins a thread of its own; a place before the first notes that nothing comes before that one. */
  #link(entries: readonly Entry[], place: number): void {
    const entry = entries[place];
    const following = entries[place + 1];
    const linked =
      entry !== undefined && following !== undefined && continues(entry.memory, following.memory);
    if (entry !== undefined) this.next[entry.row] = linked ? following.row : none;
    if (following !== undefined) this.previous[following.row] = linked ? entry.row : none;
  }

  /** Gives the threads by time the numbers behind those of the others. Done when they are asked for, as one turn can join two threads or part one. */
  #numberTurns(): void {
    if (this.#numbered) return;
    let count = this.#idCount;
    for (const { row } of this.#turns.entries) {
      const isFirst = this.previous[row] === none;
      if (isFirst && this.next[row] !== none) count += 1;
      this.#thread[row] = isFirst && this.next[row] === none ? none : count - 1;
    }
    this.#threadCount = count;
    this.#numbered = true;
  }

  #threadOf({ threadId, memoryType, restricted = false }: Threaded): Thread | undefined {
    if (restricted) return undefined;
    if (threadId === undefined) return memoryType === "CONVERSATION" ? this.#turns : undefined;
    const known = this.#threads.get(threadId);
    if (known !== undefined) return known;
    const thread: Thread = { number: this.#freeNumbers.pop() ?? this.#idCount++, entries: [] };
    this.#threads.set(threadId, thread);
    return thread;
  }

  #drop(threadId: string, { number }: Thread): void {
    this.#threads.delete(threadId);
    this.#freeNumbers.push(number);
    if (this.#threads.size > 0) return;
    this.#freeNumbers.length = 0;
    this.#idCount = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.previous.length) return;
    const length = Math.max(rows, this.previous.length * 2);
    this.previous = enlarged(this.previous, length);
    this.next = enlarged(this.next, length);
    this.#thread = enlarged(this.#thread, length);
  }
}

/** How far back a row's context reaches. */
export const contextRows = 2;

/** The entry at a place and those behind it whose context reaches back to it. */
function rowsFrom(entries: readonly Entry[], place: number): number[] {
  return entries.slice(place, place + contextRows + 1).map(({ row }) => row);
}

/** First place whose memory does not come before the given one. */
function placeOf(entries: readonly Entry[], memory: Threaded): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other !== undefined && compare(other.memory, memory) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: Threaded, b: Threaded): number {
  return compareInstants(happenedAt(a), happenedAt(b)) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Whether the later of two neighbours is of the same thread as the earlier. */
function continues(earlier: Threaded, later: Threaded): boolean {
  if (earlier.threadId !== undefined) return true;
  const { seconds, nanos } = happenedAt(earlier);
  const comparePause = (pauseSeconds: number) =>
    compareInstants(happenedAt(later), { seconds: seconds + pauseSeconds, nanos });
  const isSaid = earlier.eventTime !== undefined && later.eventTime !== undefined;
  return (
    comparePause(longestPauseSeconds) <= 0 && (isSaid || comparePause(shortestTurnSeconds) >= 0)
  );
}

function enlarged(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(none);
  larger.set(column);
  return larger;
}
